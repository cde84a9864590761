import { load as loadModule } from './loader.js';

/**
 * The module `model` behind a port: each message is a call, each answer comes back with the call's number. It is what runs
 * in the worker; a model keeps it busy for seconds, and the page has to stay awake.
 *
 * @typedef {{ id: number, call: string, args: any[] }} Call
 * @typedef {{ name: string, message: string, code?: string, field?: string }} ToldError
 * @typedef {{ id: number, value?: any, ms?: number, error?: ToldError }} Answer
 *
 * @typedef {object} Port  A worker's own scope, or one end of a channel.
 * @property {(message: Answer, transfer: Transferable[]) => void} postMessage
 * @property {(type: 'message', listen: (event: { data: Call }) => void) => void} addEventListener
 *
 * @typedef {object} OpenedFiles
 * @property {'gguf' | 'safetensors'} form
 * @property {number[]} file_bytes
 * @property {string} [config]
 * @property {Uint8Array} [tokenizer]
 */

/**
 * Every array of an answer, so that it moves over instead of being copied.
 * @param {unknown} value
 * @returns {ArrayBuffer[]}
 */
function buffersOf(value) {
  if (ArrayBuffer.isView(value)) return [/** @type {ArrayBuffer} */ (value.buffer)];
  if (value === null || typeof value !== 'object') return [];
  return [...new Set(Object.values(value).flatMap(buffersOf))];
}

/**
 * @param {any} models
 * @param {OpenedFiles} files
 */
const opened = (models, { form, file_bytes, config, tokenizer }) =>
  form === 'gguf'
    ? models.gguf({ file_bytes: file_bytes[0] })
    : models.safetensors({ config, file_bytes, tokenizer });

/** @param {any} error @returns {ToldError} */
const told = ({ name = 'Error', message = '', code, field }) => ({ name, message, code, field });

/**
 * @param {Port} port
 * @param {(name: 'model') => Promise<any>} [load]
 */
export function answerCalls(port, load = loadModule) {
  /** @type {any} */
  let loader;
  /** @type {any} */
  let model;

  const state = () => ({
    wanted: loader.wanted(),
    ...loader.progress(),
  });

  /** @type {Record<string, (...args: any[]) => any>} */
  const calls = {
    /** Another model takes the place of the one before. @param {OpenedFiles} files */
    async open(files) {
      loader?.close();
      model?.close();
      [loader, model] = [undefined, undefined];
      const models = await load('model');
      loader = opened(models, files);
      return state();
    },
    give(bytes) {
      loader.give(bytes);
      return state();
    },
    finish(options) {
      model = loader.finish(options);
      loader = undefined;
      return model.config;
    },
    /** The probability of each id as the next one. */
    distribution() {
      const { vocab_size } = model.config;
      const probabilities = new Float64Array(vocab_size);
      for (const { id, probability } of model.candidates(vocab_size)) {
        probabilities[id] = probability;
      }
      return probabilities;
    },
    /** Any call of the model. */
    ask: (name, ...args) => model[name](...args),
  };

  const answer = async (/** @type {Call} */ { id, call, args }) => {
    try {
      const began = performance.now();
      const value = await calls[call](...args);
      port.postMessage({ id, value, ms: performance.now() - began }, buffersOf(value));
    } catch (error) {
      port.postMessage({ id, error: told(error) }, []);
    }
  };
  // One after another: while a device computes, the next call would find the sequence as it was.
  let last = Promise.resolve();
  port.addEventListener('message', ({ data }) => {
    last = last.then(() => answer(data));
  });
}
