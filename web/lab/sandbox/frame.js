/**
 * The frame in which students' programs run, an origin of its own: `sandbox` without `allow-same-origin`, under the
 * policy of web/build/site/policy.mjs that lets it make workers of text, which no other page of the site may. It keeps
 * the compiled modules, starts a fresh worker for each program and ends it when its time is over.
 *
 * A classic script: an origin of its own may not load modules from another.
 */

/** How long the worker may take to be there, which is no fault of the program's. */
const STARTING_MS = 30_000;

/** @type {MessagePort} */
let port;
/** @type {Map<string, { glue: string, variant: string, compiled: Promise<WebAssembly.Module> }>} */
const modules = new Map();
let workerAddress = '';
/** @type {{ worker: Worker, timer: number } | undefined} */
let running;

// Anywhere else, the site's own origin for one, a program could reach what is not its own.
if (self.origin === 'null' && parent !== self) {
  addEventListener('message', greet);
  parent.postMessage({ kind: 'ready' }, '*');
}

/** The first message of the page around it brings the port over which all else goes. */
function greet({ source, ports: [first] }) {
  if (source !== parent || !first) return;
  removeEventListener('message', greet);
  port = first;
  port.onmessage = ({ data }) => {
    const act = actions[data.kind];
    if (act) act(data);
  };
}

const actions = {
  /** The program that runs programs. */
  worker({ source }) {
    workerAddress = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  },

  /** A module comes as bytes: compiled code does not cross from one origin to another. It is compiled here, once. */
  module({ name, glue, bytes, variant }) {
    const compiled = WebAssembly.compile(bytes);
    // Told by the run that needs it.
    compiled.catch(() => {});
    modules.set(name, { glue, variant, compiled });
  },

  async run({ run, limit, names, code, call, inputs }) {
    end();
    const tell = (news) => port.postMessage({ ...news, run });
    const worker = new Worker(workerAddress);
    const late = (kind) => {
      end();
      tell({ kind });
    };
    const mine = { worker, timer: setTimeout(late, STARTING_MS, 'stuck') };
    running = mine;
    worker.onerror = (event) => {
      event.preventDefault();
      if (running !== mine) return;
      end();
      tell({ kind: 'broken', message: event.message ?? '' });
    };
    worker.onmessage = ({ data }) => {
      if (running !== mine) return;
      if (data.kind === 'begins') {
        clearTimeout(mine.timer);
        mine.timer = setTimeout(late, limit, 'late');
        return;
      }
      if (data.kind !== 'said' && data.kind !== 'enough') end();
      tell(data);
    };
    try {
      const needed = await Promise.all(
        names.map(async (name) => {
          const { glue, variant, compiled } = modules.get(name);
          return { name, glue, variant, compiled: await compiled };
        }),
      );
      worker.postMessage({ modules: needed, code, call, inputs });
    } catch (error) {
      if (running !== mine) return;
      end();
      tell({ kind: 'broken', message: String(error.message) });
    }
  },

  stop: end,
};

function end() {
  if (!running) return;
  clearTimeout(running.timer);
  running.worker.terminate();
  running = undefined;
}
