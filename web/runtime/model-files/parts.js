import { load } from '../loader.js';
import { keptModel, keptSource, beginToKeep, canKeep } from './kept.js';
import { RangeReader } from './range-reader.js';
import { badChoice } from './source-errors.js';
import { addressSource, fileSource, nameOf } from './sources.js';

/**
 * The files that together are a model: a GGUF file by itself; safetensors, one or several, with the config.json and the
 * tokenizer.json that lie beside them.
 *
 * @typedef {import('./sources.js').Source} Source
 *
 * @typedef {object} ModelParts
 * @property {'gguf' | 'safetensors'} form
 * @property {string} name
 * @property {Source[]} files  What the loader reads.
 * @property {string} [config]  Of safetensors.
 * @property {Uint8Array} [tokenizer]  Of safetensors.
 *
 * @typedef {object} AddressOptions
 * @property {typeof globalThis.fetch} [fetch]
 * @property {AbortSignal} [signal]
 * @property {boolean} [keep]  Whether the reader agreed that the device keeps it.
 * @property {(cause: unknown) => void} [onFull]
 */

const CONFIG = 'config.json';
const TOKENIZER = 'tokenizer.json';
const INDEX = /\.safetensors\.index\.json$/;
const SPLIT = /-\d{5}-of-\d{5}\.gguf$/;
/** More than any of the small files that come with weights. */
const LARGEST_TEXT = 2 ** 26;

const WHAT_IS_NEEDED =
  'Choose one GGUF file; or all safetensors files of a model together with its config.json and tokenizer.json.';

/** @param {Source} source @param {AbortSignal} [signal] */
async function whole(source, signal) {
  if (source.bytes > LARGEST_TEXT) {
    throw badChoice(`${source.name} takes ${source.bytes} bytes, more than such a file does.`);
  }
  const bytes = new Uint8Array(source.bytes);
  const reading = new RangeReader(source);
  while (reading.reached < bytes.length) {
    const at = reading.reached;
    bytes.set(await reading.read(at, bytes.length - at, signal), at);
  }
  await reading.close();
  return bytes;
}

/** @param {Uint8Array} bytes */
const textOf = (bytes) => new TextDecoder().decode(bytes);

/** @param {string} name */
function refuseSplit(name) {
  if (SPLIT.test(name)) {
    throw badChoice(`${name} is one of several GGUF files: take a model whose GGUF is one file.`);
  }
}

/**
 * What the reader chose or dropped.
 * @param {readonly File[]} files
 * @returns {Promise<ModelParts>}
 */
export async function partsOfFiles(files) {
  const weights = [...files]
    .filter(({ name }) => name.endsWith('.safetensors'))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  /** @param {string} name */
  const beside = (name) => files.find((file) => file.name === name);
  if (weights.length > 0) {
    const [config, tokenizer] = [beside(CONFIG), beside(TOKENIZER)];
    if (!config || !tokenizer) {
      throw badChoice(
        `There is no ${config ? TOKENIZER : CONFIG} among the files. ${WHAT_IS_NEEDED}`,
      );
    }
    return {
      form: 'safetensors',
      name: weights[0].name,
      files: weights.map(fileSource),
      config: textOf(await whole(fileSource(config))),
      tokenizer: await whole(fileSource(tokenizer)),
    };
  }
  const [file] = files;
  if (files.length !== 1) throw badChoice(WHAT_IS_NEEDED);
  refuseSplit(file.name);
  // Whatever it is called: the reader of GGUF says what is wrong with it.
  return { form: 'gguf', name: file.name, files: [fileSource(file)] };
}

/**
 * The address of the file itself, where somebody copied that of the page about it.
 * @param {string} typed
 */
export function addressOf(typed) {
  const text = typed.trim();
  let url;
  try {
    url = new URL(/^[\w.-]+\.\w+\//.test(text) ? `https://${text}` : text);
  } catch {
    throw badChoice(
      'This is no address: it begins with https:// and ends with the name of a file.',
    );
  }
  const isLocal = ['127.0.0.1', 'localhost'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    throw badChoice('Only addresses that begin with https:// can be read.');
  }
  url.hash = '';
  if (url.hostname === 'huggingface.co') {
    url.pathname = url.pathname.replace(/^(\/[^/]+\/[^/]+\/)blob\//, '$1resolve/');
  }
  const { pathname } = url;
  if (!/\.(gguf|safetensors)$/.test(pathname) && !INDEX.test(pathname)) {
    throw badChoice(
      'The address of a model ends with .gguf, .safetensors, or .safetensors.index.json where it has several files.',
    );
  }
  refuseSplit(nameOf(url.href));
  return url.href;
}

/**
 * A model on a server, or what the device keeps of it.
 * @param {string} typed
 * @param {AddressOptions} [options]
 * @returns {Promise<ModelParts>}
 */
export async function partsOfAddress(typed, { fetch, signal, keep = false, onFull } = {}) {
  const address = addressOf(typed);
  const known = await keptModel(address);
  if (known) {
    const files = await Promise.all(known.files.map((file) => keptSource(file, { fetch, onFull })));
    return assemble(address, files, signal);
  }
  /** @param {string} one */
  const open = (one) => addressSource(one, { fetch, signal });
  /** @param {string} name */
  const beside = (name) => new URL(name, address).href;
  let addresses = [address];
  if (INDEX.test(address)) {
    const index = await whole(await open(address), signal);
    const models = await load('model');
    addresses = models.shardNames({ index }).names.map(beside);
  }
  if (!address.endsWith('.gguf')) addresses.push(beside(CONFIG), beside(TOKENIZER));
  const sources = await Promise.all(addresses.map(open));
  if (!keep || !canKeep()) return assemble(address, sources, signal);
  const files = addresses.map((one, i) => ({
    address: one,
    bytes: sources[i].bytes,
    tag: sources[i].tag,
  }));
  await beginToKeep({ address, files });
  const kept = files.map((file, i) => keptSource(file, { source: sources[i], fetch, onFull }));
  return assemble(address, await Promise.all(kept), signal);
}

/**
 * @param {string} address
 * @param {Source[]} sources  Weights first; of safetensors the two small files last.
 * @param {AbortSignal} [signal]
 * @returns {Promise<ModelParts>}
 */
async function assemble(address, sources, signal) {
  const name = nameOf(address);
  if (address.endsWith('.gguf')) return { form: 'gguf', name, files: sources };
  const [config, tokenizer] = sources.slice(-2);
  return {
    form: 'safetensors',
    name,
    files: sources.slice(0, -2),
    config: textOf(await whole(config, signal)),
    tokenizer: await whole(tokenizer, signal),
  };
}
