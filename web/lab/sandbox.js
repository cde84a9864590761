/**
 * The page's side of the frame in which students' programs run (sandbox/frame.js). What comes back was made by a program
 * that nobody has read: it is data to be checked and text to be shown, never markup and never code.
 */
import { load } from '../runtime/index.js';
import { words } from './words.js';

/** @typedef {{ kind: 'answers', results: unknown[], shown: string } | { kind: 'late' | 'stuck' | 'missing' | 'stopped' }
 *   | { kind: 'unsendable', shown: string } | { kind: 'broken', message: string }
 *   | { kind: 'error', name: string, message: string, line?: number }} Outcome */

/** How long a program may run. */
export const LIMIT_MS = 5000;
/** How long the frame may take to be there. */
const READY_MS = 20_000;

/** The frame did not come up: the server forbids what it needs, or a file is missing. */
export class SandboxError extends Error {}

export class Sandbox {
  #addresses;
  #holder;
  /** @type {Promise<MessagePort> | undefined} */
  #port;
  /** @type {Map<string, Promise<void>>} */
  #sent = new Map();
  #count = 0;
  /** @type {((outcome: Outcome) => void) | undefined} */
  #settle;

  /**
   * @param {HTMLElement} holder  Where the frame is put; it shows nothing.
   * @param {{ frame: string, worker: string, modules: Record<string, Record<string, [string, string]>> }} addresses
   *   `modules`: by name and variant, where the bytes and the glue are.
   */
  constructor(holder, addresses) {
    this.#holder = holder;
    this.#addresses = addresses;
  }

  /** The faces of the modules in this page, for the checks. @param {string[]} names */
  async faces(names) {
    const loaded = await Promise.all(names.map((name) => load(/** @type {any} */ (name))));
    return Object.fromEntries(names.map((name, i) => [name, loaded[i]]));
  }

  /**
   * Runs a program once over each input.
   * @param {{ code: string, call: string, inputs: unknown[], names: string[] }} program
   * @param {(text: string, enough: boolean) => void} hear  What it says to its console.
   * @returns {Promise<Outcome>}
   * @throws {SandboxError | import('../runtime/errors.js').AttentionDeckError}
   */
  async run({ code, call, inputs, names }, hear) {
    const port = await this.#open();
    await Promise.all(names.map((name) => this.#send(port, name)));
    this.#count += 1;
    const run = this.#count;
    return new Promise((resolve) => {
      this.#settle = resolve;
      port.onmessage = ({ data }) => {
        if (data?.run !== run) return;
        if (data.kind === 'said' || data.kind === 'enough')
          hear(String(data.text), data.kind === 'enough');
        else resolve(data);
      };
      port.postMessage({ kind: 'run', run, limit: LIMIT_MS, names, code, call, inputs });
    });
  }

  /** Ends the program that runs. */
  async stop() {
    (await this.#port)?.postMessage({ kind: 'stop' });
    this.#settle?.({ kind: 'stopped' });
  }

  #open() {
    this.#port ??= this.#start().catch((error) => {
      this.#port = undefined;
      this.#sent.clear();
      throw error;
    });
    return this.#port;
  }

  async #start() {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.title = words.frame;
    frame.tabIndex = -1;
    frame.hidden = true;
    const source = text(this.#addresses.worker);
    const ready = new Promise((resolve, reject) => {
      const hear = ({ source: from, data }) => {
        if (from !== frame.contentWindow || data?.kind !== 'ready') return;
        removeEventListener('message', hear);
        resolve(undefined);
      };
      addEventListener('message', hear);
      setTimeout(() => {
        removeEventListener('message', hear);
        reject(new SandboxError('the frame did not answer'));
      }, READY_MS);
    });
    const { frame: address } = this.#addresses;
    // In a single file the frame's page is one of its texts.
    if (address.startsWith('inside:')) frame.srcdoc = await text(address);
    else frame.src = address;
    this.#holder.replaceChildren(frame);
    await ready;
    const { port1, port2 } = new MessageChannel();
    // An origin of its own has no name, so the port is given to whatever is in the frame: it holds nothing yet.
    frame.contentWindow.postMessage({ kind: 'port' }, '*', [port2]);
    port1.postMessage({ kind: 'worker', source: await source });
    port1.start();
    return port1;
  }

  /** The glue and the bytes of a module, in the variant that this page runs. */
  #send(port, name) {
    if (!this.#sent.has(name)) {
      const sending = this.#fetch(port, name);
      this.#sent.set(name, sending);
      sending.catch(() => this.#sent.delete(name));
    }
    return this.#sent.get(name);
  }

  async #fetch(port, name) {
    const { variant } = await load(name);
    const [bytesAt, glueAt] = this.#addresses.modules[name][variant];
    const [bytes, glue] = await Promise.all([
      get(bytesAt).then((response) => response.arrayBuffer()),
      text(glueAt),
    ]);
    port.postMessage({ kind: 'module', name, glue, bytes, variant }, [bytes]);
  }
}

async function get(address) {
  const response = await fetch(address);
  if (!response.ok) throw new SandboxError(`${address}: ${response.status}`);
  return response;
}

const text = async (address) => (await get(address)).text();
