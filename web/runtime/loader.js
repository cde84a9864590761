import { relaxedSimd, simd } from 'wasm-feature-detect';
import { AttentionDeckError, describe } from './errors.js';
import { instantiate } from './instantiate.js';

/**
 * @typedef {'scalar' | 'simd' | 'relaxed'} Variant
 * @typedef {{ simd: boolean, relaxedSimd: boolean }} Features
 *
 * @typedef {object} Progress
 * @property {'fetch' | 'compile' | 'self_test' | 'ready'} phase
 * @property {Variant} variant
 * @property {number} loaded  Bytes here so far.
 * @property {number | null} total  Bytes to come in all; null where the server does not say.
 *
 * @typedef {(options: Record<string, unknown>) => Promise<any>} Glue
 *   What Emscripten writes: settings in, the raw module out.
 *
 * @typedef {object} Environment  What a test, or a page with needs of its own, may replace.
 * @property {typeof globalThis.fetch} [fetch]  Fetches the module, in Node too.
 * @property {Partial<Features>} [features]  Instead of probing the engine.
 * @property {string | URL} [baseUrl]  The folder that holds `core.simd.wasm` and its siblings.
 * @property {typeof globalThis.WebAssembly | null} [webAssembly]  null: as if there were none.
 *
 * @typedef {object} Build  One module in one variant: its glue, and where its bytes are.
 * @property {() => Promise<{ default: Glue }>} glue
 * @property {() => URL} bytes
 *
 * @typedef {object} News  Whoever wants to hear of the progress.
 * @property {(news: Omit<Progress, 'variant'>) => void} tell
 * @property {boolean} wanted  Whether anybody does.
 *
 * @typedef {object} Running  A live instance.
 * @property {any} raw
 * @property {Variant} variant
 */

/**
 * @typedef {object} Parts  What is fetched of a module; instances are made of it.
 * @property {Glue} glue
 * @property {Face<any>} face
 * @property {WebAssembly.Module} compiled
 */

/**
 * @typedef {(url: URL, file: FileWanted) => Promise<Uint8Array>} FetchFile
 *   Brings a file that a module works on, in a page and in Node alike.
 *
 * @typedef {object} FileWanted
 * @property {string} what  What the file is, for the sentences of errors: “The vocabulary”.
 * @property {(bytes: Uint8Array) => boolean} isRight  Whether it begins as it must.
 * @property {(news: { loaded: number, total: number | null }) => void} [onProgress]
 */

/**
 * @typedef {() => Promise<import('./files.js').Files>} LoadFiles
 *   Brings the module that reads files of the reader's own, for those that need it only then.
 */

/**
 * @template Facade
 * @typedef {object} Face  What a module is to a page: checked calls, and questions whose answers are known.
 * @property {(running: Running, restart: () => Promise<Running>, fetchFile: FetchFile, loadFiles: LoadFiles) => Facade} create
 * @property {(facade: Facade) => string | null} selfTest  What came out wrong, or null.
 */

/**
 * @template Facade
 * @typedef {object} ModuleEntry
 * @property {Record<Variant, Build>} builds
 * @property {() => Promise<Face<Facade>>} face  Comes with its module: a page with one simulator has no use for the others'.
 */

/**
 * The modules of the lecture. Another one is one more entry here. The paths are written out
 * because bundlers find files by reading them; a computed path would leave them out of `dist/`.
 */
export const modules = {
  core: /** @type {ModuleEntry<import('./core.js').Core>} */ ({
    builds: {
      scalar: {
        glue: () => import('./modules/core.scalar.mjs'),
        bytes: () => new URL('./modules/core.scalar.wasm', import.meta.url),
      },
      simd: {
        glue: () => import('./modules/core.simd.mjs'),
        bytes: () => new URL('./modules/core.simd.wasm', import.meta.url),
      },
      relaxed: {
        glue: () => import('./modules/core.relaxed.mjs'),
        bytes: () => new URL('./modules/core.relaxed.wasm', import.meta.url),
      },
    },
    face: () => import('./core.js'),
  }),
  tokens: /** @type {ModuleEntry<import('./tokens.js').Tokens>} */ ({
    builds: {
      scalar: {
        glue: () => import('./modules/tokens.scalar.mjs'),
        bytes: () => new URL('./modules/tokens.scalar.wasm', import.meta.url),
      },
      simd: {
        glue: () => import('./modules/tokens.simd.mjs'),
        bytes: () => new URL('./modules/tokens.simd.wasm', import.meta.url),
      },
      relaxed: {
        glue: () => import('./modules/tokens.relaxed.mjs'),
        bytes: () => new URL('./modules/tokens.relaxed.wasm', import.meta.url),
      },
    },
    face: () => import('./tokens.js'),
  }),
  experiments: /** @type {ModuleEntry<import('./experiments.js').Experiments>} */ ({
    builds: {
      scalar: {
        glue: () => import('./modules/experiments.scalar.mjs'),
        bytes: () => new URL('./modules/experiments.scalar.wasm', import.meta.url),
      },
      simd: {
        glue: () => import('./modules/experiments.simd.mjs'),
        bytes: () => new URL('./modules/experiments.simd.wasm', import.meta.url),
      },
      relaxed: {
        glue: () => import('./modules/experiments.relaxed.mjs'),
        bytes: () => new URL('./modules/experiments.relaxed.wasm', import.meta.url),
      },
    },
    face: () => import('./experiments.js'),
  }),
  layer: /** @type {ModuleEntry<import('./layer.js').Layer>} */ ({
    builds: {
      scalar: {
        glue: () => import('./modules/layer.scalar.mjs'),
        bytes: () => new URL('./modules/layer.scalar.wasm', import.meta.url),
      },
      simd: {
        glue: () => import('./modules/layer.simd.mjs'),
        bytes: () => new URL('./modules/layer.simd.wasm', import.meta.url),
      },
      relaxed: {
        glue: () => import('./modules/layer.relaxed.mjs'),
        bytes: () => new URL('./modules/layer.relaxed.wasm', import.meta.url),
      },
    },
    face: () => import('./layer.js'),
  }),
  kernels: /** @type {ModuleEntry<import('./kernels.js').Kernels>} */ ({
    builds: {
      scalar: {
        glue: () => import('./modules/kernels.scalar.mjs'),
        bytes: () => new URL('./modules/kernels.scalar.wasm', import.meta.url),
      },
      simd: {
        glue: () => import('./modules/kernels.simd.mjs'),
        bytes: () => new URL('./modules/kernels.simd.wasm', import.meta.url),
      },
      relaxed: {
        glue: () => import('./modules/kernels.relaxed.mjs'),
        bytes: () => new URL('./modules/kernels.relaxed.wasm', import.meta.url),
      },
    },
    face: () => import('./kernels.js'),
  }),
  bill: /** @type {ModuleEntry<import('./bill.js').Bills>} */ ({
    builds: {
      scalar: {
        glue: () => import('./modules/bill.scalar.mjs'),
        bytes: () => new URL('./modules/bill.scalar.wasm', import.meta.url),
      },
      simd: {
        glue: () => import('./modules/bill.simd.mjs'),
        bytes: () => new URL('./modules/bill.simd.wasm', import.meta.url),
      },
      relaxed: {
        glue: () => import('./modules/bill.relaxed.mjs'),
        bytes: () => new URL('./modules/bill.relaxed.wasm', import.meta.url),
      },
    },
    face: () => import('./bill.js'),
  }),
  files: /** @type {ModuleEntry<import('./files.js').Files>} */ ({
    builds: {
      scalar: {
        glue: () => import('./modules/files.scalar.mjs'),
        bytes: () => new URL('./modules/files.scalar.wasm', import.meta.url),
      },
      simd: {
        glue: () => import('./modules/files.simd.mjs'),
        bytes: () => new URL('./modules/files.simd.wasm', import.meta.url),
      },
      relaxed: {
        glue: () => import('./modules/files.relaxed.mjs'),
        bytes: () => new URL('./modules/files.relaxed.wasm', import.meta.url),
      },
    },
    face: () => import('./files.js'),
  }),
  cache: /** @type {ModuleEntry<import('./cache.js').Cache>} */ ({
    builds: {
      scalar: {
        glue: () => import('./modules/cache.scalar.mjs'),
        bytes: () => new URL('./modules/cache.scalar.wasm', import.meta.url),
      },
      simd: {
        glue: () => import('./modules/cache.simd.mjs'),
        bytes: () => new URL('./modules/cache.simd.wasm', import.meta.url),
      },
      relaxed: {
        glue: () => import('./modules/cache.relaxed.mjs'),
        bytes: () => new URL('./modules/cache.relaxed.wasm', import.meta.url),
      },
    },
    face: () => import('./cache.js'),
  }),
  decode: /** @type {ModuleEntry<import('./decode.js').Decode>} */ ({
    builds: {
      scalar: {
        glue: () => import('./modules/decode.scalar.mjs'),
        bytes: () => new URL('./modules/decode.scalar.wasm', import.meta.url),
      },
      simd: {
        glue: () => import('./modules/decode.simd.mjs'),
        bytes: () => new URL('./modules/decode.simd.wasm', import.meta.url),
      },
      relaxed: {
        glue: () => import('./modules/decode.relaxed.mjs'),
        bytes: () => new URL('./modules/decode.relaxed.wasm', import.meta.url),
      },
    },
    face: () => import('./decode.js'),
  }),
  model: /** @type {ModuleEntry<import('./model.js').Models>} */ ({
    builds: {
      scalar: {
        glue: () => import('./modules/model.scalar.mjs'),
        bytes: () => new URL('./modules/model.scalar.wasm', import.meta.url),
      },
      simd: {
        glue: () => import('./modules/model.simd.mjs'),
        bytes: () => new URL('./modules/model.simd.wasm', import.meta.url),
      },
      relaxed: {
        glue: () => import('./modules/model.relaxed.mjs'),
        bytes: () => new URL('./modules/model.relaxed.wasm', import.meta.url),
      },
    },
    face: () => import('./model.js'),
  }),
  answers: /** @type {ModuleEntry<import('./answers.js').Answers>} */ ({
    builds: {
      scalar: {
        glue: () => import('./modules/answers.scalar.mjs'),
        bytes: () => new URL('./modules/answers.scalar.wasm', import.meta.url),
      },
      simd: {
        glue: () => import('./modules/answers.simd.mjs'),
        bytes: () => new URL('./modules/answers.simd.wasm', import.meta.url),
      },
      relaxed: {
        glue: () => import('./modules/answers.relaxed.mjs'),
        bytes: () => new URL('./modules/answers.relaxed.wasm', import.meta.url),
      },
    },
    face: () => import('./answers.js'),
  }),
  reading: /** @type {ModuleEntry<import('./reading.js').Readings>} */ ({
    builds: {
      scalar: {
        glue: () => import('./modules/reading.scalar.mjs'),
        bytes: () => new URL('./modules/reading.scalar.wasm', import.meta.url),
      },
      simd: {
        glue: () => import('./modules/reading.simd.mjs'),
        bytes: () => new URL('./modules/reading.simd.wasm', import.meta.url),
      },
      relaxed: {
        glue: () => import('./modules/reading.relaxed.mjs'),
        bytes: () => new URL('./modules/reading.relaxed.wasm', import.meta.url),
      },
    },
    face: () => import('./reading.js'),
  }),
};

/**
 * @typedef {keyof typeof modules} ModuleName
 * @typedef {{ variant?: 'auto' | Variant, onProgress?: (progress: Progress) => void }} LoadChoice
 * @typedef {LoadChoice & Environment} LoadOptions
 */

/**
 * @template {ModuleName} Name
 * @typedef {ReturnType<Awaited<ReturnType<(typeof modules)[Name]['face']>>['create']>} FacadeOf
 */

const MODULE = 'The module';

/** Fastest first. @type {readonly Variant[]} */
const variants = Object.freeze(['relaxed', 'simd', 'scalar']);

/** These would fail in the same way for every variant: trying another only repeats the wait. */
const hopeless = new Set(['no_webassembly', 'load_file_protocol', 'load_memory']);

const inNode = typeof process === 'object' && typeof process?.versions?.node === 'string';

/**
 * A loader with its own memory of what it has compiled and started. The page has one
 * (`load` of index.js); tests make as many as they like.
 * @param {Environment} [environment]
 */
export function createLoader(environment = {}) {
  /** @type {Map<string, Promise<any>>} */
  const facades = new Map();
  /** @type {Map<string, Promise<Parts>>} */
  const parts = new Map();
  /** @type {Map<string, Set<(progress: Progress) => void>>} */
  const listeners = new Map();

  /**
   * @template T
   * @param {Map<string, Promise<T>>} memory
   * @param {string} key
   * @param {() => Promise<T>} make
   * @returns {Promise<T>}
   */
  function once(memory, key, make) {
    const known = memory.get(key);
    if (known) return known;
    const made = make();
    memory.set(key, made);
    // A failure is not remembered: the network may be back at the next try.
    made.catch(() => memory.delete(key));
    return made;
  }

  /**
   * @template {ModuleName} Name
   * @param {Name} name
   * @param {LoadChoice} [choice]
   * @returns {Promise<FacadeOf<Name>>}
   */
  async function load(name, { variant = 'auto', onProgress } = {}) {
    if (!Object.hasOwn(modules, name)) {
      throw new AttentionDeckError(
        'bad_argument',
        `There is no module ${describe(name)}: choose one of ${Object.keys(modules).join(', ')}.`,
        { field: 'name' },
      );
    }
    if (variant !== 'auto' && !variants.includes(variant)) {
      throw new AttentionDeckError(
        'bad_argument',
        `There is no variant ${describe(variant)}: choose auto, ${variants.join(', ')}.`,
        { field: 'variant' },
      );
    }
    if (onProgress !== undefined && typeof onProgress !== 'function') {
      throw new AttentionDeckError(
        'bad_argument',
        `onProgress must be a function; it is ${describe(onProgress)}.`,
        { field: 'onProgress' },
      );
    }
    const heard = listeners.get(name) ?? new Set();
    listeners.set(name, heard);
    if (onProgress) heard.add(onProgress);
    try {
      return await once(facades, `${name}.${variant}`, () => start(name, variant));
    } finally {
      if (onProgress) heard.delete(onProgress);
    }
  }

  /**
   * @param {ModuleName} name
   * @param {'auto' | Variant} wanted
   */
  async function start(name, wanted) {
    const engine = webAssemblyOf(environment);
    const features = await featuresOf(environment);
    const runnable = variants.filter(
      (variant) =>
        variant === 'scalar' || (features.simd && (variant === 'simd' || features.relaxedSimd)),
    );
    const candidates = wanted === 'auto' ? runnable : runnable.filter((v) => v === wanted);
    if (candidates.length === 0) {
      throw new AttentionDeckError(
        'load_failed',
        `This browser cannot run the ${wanted} build of the module: load it with variant “auto”.`,
      );
    }
    /** @type {AttentionDeckError[]} */
    const failures = [];
    for (const variant of candidates) {
      try {
        // Two requests that end in the same variant share one instance and one facade.
        return await once(facades, `${name}.running.${variant}`, () => run(name, variant, engine));
      } catch (cause) {
        const failure = /** @type {AttentionDeckError} */ (cause);
        if (hopeless.has(failure.code) || candidates.length === 1) throw failure;
        failures.push(failure);
      }
    }
    // A module that computes wrongly says more than a file that is also missing.
    const told = failures.find(({ code }) => code === 'load_self_test') ?? failures[0];
    throw new AttentionDeckError(told.code, told.message, {
      field: told.field,
      cause: new AggregateError(failures, 'no variant of the module could be started'),
    });
  }

  /**
   * @param {ModuleName} name
   * @param {Variant} variant
   * @param {typeof globalThis.WebAssembly} engine
   */
  async function run(name, variant, engine) {
    /** @type {ModuleEntry<any>} */
    const entry = modules[name];
    const heard = listeners.get(name) ?? new Set();
    /** @param {Omit<Progress, 'variant'>} news */
    const tell = (news) => {
      for (const listener of heard) {
        try {
          listener({ ...news, variant });
        } catch (error) {
          // A broken progress bar must not stop the lecture from loading.
          globalThis.reportError?.(error);
        }
      }
    };
    // The compiled code is kept: a restart costs an instance and neither bytes nor compiling.
    const fetched = () =>
      once(parts, `${name}.${variant}`, () =>
        fetchParts(entry, variant, name, engine, environment, { tell, wanted: heard.size > 0 }),
      );
    const restart = async () => {
      try {
        const { glue, compiled } = await fetched();
        return { raw: await instantiate(glue, compiled, engine), variant };
      } catch (cause) {
        throw asLoadError(cause, variant);
      }
    };
    const running = await restart();
    const { face } = await fetched();
    tell({ phase: 'self_test', loaded: 0, total: null });
    const facade = face.create(
      running,
      restart,
      (url, file) => fetchFile(moved(url, environment), environment, file),
      () => load('files', { variant }),
    );
    checkAnswers(() => face.selfTest(facade), variant);
    tell({ phase: 'ready', loaded: 0, total: null });
    return facade;
  }

  return load;
}

const shared = createLoader();
const replaceable = /** @type {const} */ (['fetch', 'features', 'baseUrl', 'webAssembly']);

/**
 * Loads a module of the lecture and returns its facade: the same one for everybody who asks for
 * the same module and variant. With any part of the environment replaced, a facade of its own.
 *
 * @template {ModuleName} Name
 * @param {Name} name
 * @param {LoadOptions} [options]
 * @returns {Promise<FacadeOf<Name>>}
 * @throws {AttentionDeckError} `load_*`, `no_webassembly`, `bad_argument`
 */
export function load(name, options = {}) {
  const own = replaceable.some((key) => options[key] !== undefined);
  return (own ? createLoader(options) : shared)(name, options);
}

/**
 * @param {() => string | null} selfTest
 * @param {Variant} variant
 */
function checkAnswers(selfTest, variant) {
  let wrong;
  let cause;
  try {
    wrong = selfTest();
  } catch (error) {
    cause = error;
    wrong = 'it stops';
  }
  if (wrong === null) return;
  throw new AttentionDeckError(
    'load_self_test',
    `The ${variant} build of the module computes wrongly on this machine (${wrong}). ` +
      'Update the browser, or open the page in another one.',
    { cause },
  );
}

/** @param {Environment} environment */
function webAssemblyOf({ webAssembly = globalThis.WebAssembly }) {
  if (typeof webAssembly === 'object' && webAssembly !== null) return webAssembly;
  throw new AttentionDeckError(
    'no_webassembly',
    'This browser has no WebAssembly, or it is switched off (as in a lockdown mode), and the ' +
      'lecture computes with it. Allow it for this page, or open the page in a current browser.',
  );
}

/**
 * @param {Environment} environment
 * @returns {Promise<Features>}
 */
async function featuresOf({ features = {} }) {
  return {
    simd: features.simd ?? (await simd()),
    relaxedSimd: features.relaxedSimd ?? (await relaxedSimd()),
  };
}

/**
 * @param {ModuleEntry<any>} entry
 * @param {Variant} variant
 * @param {string} name
 * @param {typeof globalThis.WebAssembly} engine
 * @param {Environment} environment
 * @param {News} news
 * @returns {Promise<Parts>}
 */
async function fetchParts(entry, variant, name, engine, environment, news) {
  const { baseUrl } = environment;
  const build = entry.builds[variant];
  const url = baseUrl === undefined ? build.bytes() : new URL(`${name}.${variant}.wasm`, baseUrl);
  /** @param {unknown} cause */
  const scriptMissing = (cause) => {
    throw new AttentionDeckError(
      'load_not_found',
      `The script that starts the ${variant} build of the module did not arrive. ` +
        'Reload the page; if that does not help, build the site again (npm run build).',
      { cause },
    );
  };
  // All are awaited together: the page waits for the slowest of them, not for their sum.
  const [glue, face, compiled] = await Promise.all([
    build.glue().then((module) => module.default, scriptMissing),
    entry.face().catch(scriptMissing),
    compile(url, engine, environment, news),
  ]);
  return { glue, face, compiled };
}

/**
 * @param {URL} url
 * @param {typeof globalThis.WebAssembly} engine
 * @param {Environment} environment
 * @param {News} news
 * @returns {Promise<WebAssembly.Module>}
 */
async function compile(url, engine, environment, { tell, wanted }) {
  if (url.protocol === 'file:') {
    if (!inNode || environment.fetch) throw fileProtocol();
    return engine.compile(await readLocal(url, MODULE));
  }
  const response = await get(url, environment.fetch ?? globalThis.fetch, MODULE);
  // Counting takes the response apart, and a browser keeps compiled code only for a whole one.
  const counted = wanted ? count(response, tell) : response;
  const type = response.headers.get('content-type') ?? '';
  if (/^application\/wasm\b/i.test(type) && typeof engine.compileStreaming === 'function') {
    return engine.compileStreaming(counted);
  }
  const bytes = new Uint8Array(await counted.arrayBuffer());
  tell({ phase: 'compile', loaded: bytes.length, total: bytes.length });
  if (!isWasm(bytes)) throw wrongType(url, bytes, type, 'the WebAssembly module');
  return engine.compile(bytes);
}

/**
 * A file of the site with the same faults, and the same sentences, as the module itself.
 * @param {URL} url
 * @param {Environment} environment
 * @param {FileWanted} file
 */
async function fetchFile(url, environment, { what, isRight, onProgress }) {
  if (url.protocol === 'file:') {
    if (!inNode || environment.fetch) throw fileProtocol();
    return new Uint8Array(await readLocal(url, what));
  }
  const response = await get(url, environment.fetch ?? globalThis.fetch, what);
  const counted = onProgress ? count(response, onProgress) : response;
  const bytes = new Uint8Array(await counted.arrayBuffer());
  if (!isRight(bytes)) {
    const type = response.headers.get('content-type') ?? '';
    throw wrongType(url, bytes, type, what.replace(/^T/, 't'));
  }
  return bytes;
}

/**
 * Where a file of the runtime is when its modules are elsewhere: beside them, as in the runtime's folder.
 * @param {URL} url
 * @param {Environment} environment
 */
function moved(url, { baseUrl }) {
  if (baseUrl === undefined) return url;
  return new URL(`../${url.pathname.split('/').slice(-2).join('/')}`, baseUrl);
}

/**
 * @param {URL} url
 * @param {string} what
 */
async function readLocal(url, what) {
  // The name is kept from bundlers: in a browser this branch never runs, and they would either
  // fail on it or ship a substitute for it.
  const builtin = 'node:fs/promises';
  const { readFile } = await import(/* @vite-ignore */ builtin);
  try {
    return await readFile(url);
  } catch (cause) {
    throw new AttentionDeckError(
      'load_not_found',
      `${what} is not at ${url.pathname}. Build it first: npm run build.`,
      { cause },
    );
  }
}

/**
 * @param {URL} url
 * @param {typeof globalThis.fetch} fetch
 * @param {string} what
 */
async function get(url, fetch, what) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(url, { credentials: 'same-origin' });
  } catch (cause) {
    // Who fetches in another way (a single file) knows better what is missing.
    if (cause instanceof AttentionDeckError) throw cause;
    if (globalThis.location?.protocol === 'file:') throw fileProtocol(cause);
    // A browser does not tell a page which of the two it was.
    if (url.origin !== (globalThis.location?.origin ?? url.origin)) {
      throw new AttentionDeckError(
        'load_failed',
        `${what} at ${url.href} could not be fetched: the server did not answer, or it does not let other sites ` +
          'have its files. Whoever runs it has to send “Access-Control-Allow-Origin: *” with them; then reload the page.',
        { cause },
      );
    }
    throw new AttentionDeckError(
      'load_failed',
      `${what} at ${url.pathname} could not be fetched: the server did not answer. ` +
        'Check that it still runs and that you are online, then reload the page.',
      { cause },
    );
  }
  if (response.status === 404 || response.status === 410) {
    throw new AttentionDeckError(
      'load_not_found',
      `${what} is not at ${url.pathname} (the server answered ${response.status}). ` +
        'Copy the whole folder of the site to the server, .wasm and .bpe files included, and reload.',
    );
  }
  if (!response.ok) {
    throw new AttentionDeckError(
      'load_failed',
      `The server answered ${response.status} for ${url.pathname}. ` +
        'Try again in a moment; if it stays, ask whoever runs the server.',
    );
  }
  return response;
}

/**
 * The same response, telling how much of it has arrived.
 * @param {Response} response
 * @param {(news: Omit<Progress, 'variant'>) => void} tell
 */
function count(response, tell) {
  if (!response.body || typeof TransformStream !== 'function') return response;
  // Behind a compressed transfer the length is that of the compressed bytes, of no use here.
  const length = response.headers.get('content-encoding')
    ? null
    : response.headers.get('content-length');
  const total = length === null ? null : Number(length);
  let loaded = 0;
  const counter = new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      tell({ phase: 'fetch', loaded, total });
      controller.enqueue(chunk);
    },
    flush() {
      tell({ phase: 'compile', loaded, total: loaded });
    },
  });
  return new Response(response.body.pipeThrough(counter), {
    status: response.status,
    headers: response.headers,
  });
}

/** @param {Uint8Array} bytes */
function isWasm(bytes) {
  return bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
}

/**
 * @param {URL} url
 * @param {Uint8Array} bytes
 * @param {string} type
 * @param {string} wanted
 */
function wrongType(url, bytes, type, wanted) {
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart();
  const sent = start.startsWith('<')
    ? 'a web page'
    : bytes.length === 0
      ? 'nothing'
      : `something else (${type || 'no type given'})`;
  return new AttentionDeckError(
    'load_wrong_type',
    `At ${url.pathname} the server sends ${sent} instead of ${wanted}. It may answer every unknown ` +
      'address with its start page: copy the .wasm and .bpe files to it, or correct the path.',
  );
}

/** @param {unknown} [cause] */
function fileProtocol(cause) {
  return new AttentionDeckError(
    'load_file_protocol',
    'The page was opened as a file, and browsers let such a page load neither scripts nor ' +
      'WebAssembly. Serve the folder instead: npm start, or any web server, and open its address.',
    { cause },
  );
}

/**
 * @param {unknown} cause
 * @param {Variant} variant
 */
function asLoadError(cause, variant) {
  if (cause instanceof AttentionDeckError) return cause;
  const words = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof RangeError || /out of memory|allocate/i.test(words)) {
    return new AttentionDeckError(
      'load_memory',
      'There is too little memory to start the module. Close other tabs or programs, then reload.',
      { cause },
    );
  }
  if (/content security policy|unsafe-eval/i.test(words)) {
    return new AttentionDeckError(
      'no_webassembly',
      'The policy of this page forbids WebAssembly. Whoever runs the page has to add ' +
        '‘wasm-unsafe-eval’ to the script-src of its Content-Security-Policy.',
      { cause },
    );
  }
  return new AttentionDeckError(
    'load_failed',
    `The ${variant} build of the module could not be started (${words}). ` +
      'Reload the page, or open it in a current browser.',
    { cause },
  );
}
