/**
 * The weight of each module, and of each function in it.
 *
 *     npm run sizes               prints the weights and what grew since the committed table
 *     npm run sizes -- --write    makes the present weights the committed table
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { MODULES, variantsOf } from './build-steps.mjs';
import { inRoot } from './steps.mjs';

/**
 * Module and glue together, compressed as a web server does it at best. The first slide waits for the core; the
 * tokens are fetched by the slides that cut a text, and are compiled for speed; so are the kernels, whose tiles are written out for
 * each width, with the driver and the shaders of WebGPU beside them, and fetched when something is timed. A model that runs has the
 * vectors of every format of weights, the tokenizer, both readers and the same driver with shaders of its own, beside a file of a hundred megabytes. What a simulator weighs in all has a
 * limit of its own (embed-size.mjs).
 */
export const LIMIT_BYTES = {
  core: 60_000,
  tokens: 66_000,
  experiments: 70_000,
  layer: 70_000,
  kernels: 100_000,
  bill: 50_000,
  files: 72_000,
  cache: 50_000,
  decode: 70_000,
  model: 170_000,
  answers: 70_000,
  reading: 45_000,
};

const TABLE = inRoot('tests/architecture/sizes.json');
/** Smaller functions are not listed: they come and go with each version of the compiler. */
const LISTED_BYTES = 150;
const IMPORTS = 2;
const CODE = 10;

const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  }).length;

/** Reads numbers, names and sections of a WebAssembly module. */
class Cursor {
  /** @param {Uint8Array} bytes */
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at];
      this.at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  skip(length) {
    this.at += length;
  }
}

/** How many functions come from outside: they take the first numbers. */
function importedFunctions(cursor) {
  let functions = 0;
  for (let left = cursor.number(); left > 0; left -= 1) {
    cursor.skip(cursor.number());
    cursor.skip(cursor.number());
    const kind = cursor.number();
    if (kind === 0 || kind === 4) {
      functions += kind === 0 ? 1 : 0;
      cursor.skip(kind === 4 ? 1 : 0);
      cursor.number();
    } else {
      // A table has a type before its limits, a memory has none; a global has a type and a mutability.
      if (kind !== 2) cursor.number();
      if (kind === 3) cursor.number();
      else if (cursor.number() & 1) (cursor.number(), cursor.number());
      else cursor.number();
    }
  }
  return functions;
}

/**
 * @param {Uint8Array} bytes of a module
 * @returns {Map<number, number>} bytes of code by the number of the function
 */
export function functionSizes(bytes) {
  const sizes = new Map();
  let first = 0;
  for (let at = 8; at < bytes.length;) {
    const cursor = new Cursor(bytes, at + 1);
    const length = cursor.number();
    const end = cursor.at + length;
    if (bytes[at] === IMPORTS) first = importedFunctions(cursor);
    if (bytes[at] === CODE) {
      const functions = cursor.number();
      for (let index = 0; index < functions; index += 1) {
        const body = cursor.number();
        sizes.set(first + index, body);
        cursor.skip(body);
      }
    }
    at = end;
  }
  return sizes;
}

/**
 * @param {string} symbols lines `number:name`, as emcc writes them
 * @returns {Map<number, string>}
 */
export function functionNames(symbols) {
  const unescape = (name) =>
    name.replace(/\\([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return new Map(
    symbols
      .split('\n')
      .filter((line) => line.includes(':'))
      .map((line) => {
        const colon = line.indexOf(':');
        return [Number(line.slice(0, colon)), unescape(line.slice(colon + 1))];
      }),
  );
}

/** A name as people say it: containers without the machinery that they are made of. */
const spoken = (name) =>
  name
    .replaceAll('std::__2::', 'std::')
    .replaceAll('(anonymous namespace)::', '')
    .replace(
      /xt::xtensor_container<xt::uvector<([\w ]+), .*?>>, (\d)ul, .*?xt::xtensor_expression_tag>/g,
      'tensor<$1, $2>',
    )
    .slice(0, 240);

/**
 * @returns {{brotli: number, bytes: number, functions: Record<string, number>}} the weights of a built module
 */
export function weigh(name, variant) {
  const file = (suffix) => inRoot(`build/wasm-${variant}/modules/${name}.${variant}.${suffix}`);
  const wasm = readFileSync(file('wasm'));
  const glue = readFileSync(file('mjs'));
  const names = functionNames(readFileSync(file('mjs.symbols'), 'utf8'));
  const sizes = new Map();
  for (const [index, size] of functionSizes(wasm)) {
    const called = spoken(names.get(index) ?? `function ${index}`);
    sizes.set(called, (sizes.get(called) ?? 0) + size);
  }
  const functions = [...sizes]
    .filter(([, size]) => size >= LISTED_BYTES)
    .sort(([, a], [, b]) => b - a);
  return {
    brotli: brotli(wasm) + brotli(glue),
    bytes: wasm.length + glue.length,
    functions: Object.fromEntries(functions),
  };
}

/**
 * What weighs more than it did, the most first.
 * @param {Record<string, number>} before bytes by function
 * @param {Record<string, number>} now
 * @returns {{name: string, before: number, now: number}[]}
 */
export function grown(before, now) {
  return Object.entries(now)
    .map(([name, size]) => ({ name, before: before[name] ?? 0, now: size }))
    .filter((entry) => entry.now > entry.before)
    .sort((a, b) => b.now - b.before - (a.now - a.before));
}

/** A sentence for a module that is too heavy: how much, and which functions grew. */
export function complaint(title, weight, before, limit) {
  const growth = grown(before?.functions ?? {}, weight.functions)
    .slice(0, 12)
    .map((entry) => `  ${entry.before} → ${entry.now} bytes  ${entry.name}`);
  const known = before ? `, was ${before.brotli}` : '';
  return [
    `${title}: ${weight.brotli} bytes after brotli${known}, and the limit is ${limit}.`,
    growth.length > 0 ? 'What grew:' : 'No function grew: look at the glue and the data.',
    ...growth,
  ].join('\n');
}

/** The committed weights, by `module.variant`. */
export const committedWeights = () =>
  existsSync(TABLE) ? JSON.parse(readFileSync(TABLE, 'utf8')) : {};

/** Every module in every variant that it is built in. */
export const built = MODULES.flatMap((name) =>
  variantsOf(name).map((variant) => ({ name, variant, title: `${name}.${variant}` })),
);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const before = committedWeights();
  const now = Object.fromEntries(
    built.map(({ name, variant, title }) => [title, weigh(name, variant)]),
  );
  for (const [title, weight] of Object.entries(now)) {
    console.log(`${title}: ${weight.brotli} bytes after brotli, ${weight.bytes} before`);
    for (const entry of grown(before[title]?.functions ?? {}, weight.functions).slice(0, 8)) {
      console.log(`  ${entry.before} → ${entry.now}  ${entry.name}`);
    }
  }
  if (process.argv.includes('--write')) writeFileSync(TABLE, `${JSON.stringify(now, null, 2)}\n`);
}
