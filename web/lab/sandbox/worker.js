/**
 * Runs one program of a student's, once. A fresh worker is made for each run and ended after it, or when its time is
 * over, so nothing that a program does outlives it. It has no network, no storage and no page: its answers leave by
 * message, and the lab's page alone judges them.
 *
 * A classic script, because an error in what `importScripts` reads comes with its line, and in what `import()` reads
 * without.
 */
import { createBill } from '../../runtime/bill.js';
import { createCore } from '../../runtime/core.js';
import { createExperiments } from '../../runtime/experiments.js';
import { instantiate } from '../../runtime/instantiate.js';
import { createLayer } from '../../runtime/layer.js';
import { textOf } from './text.js';

const faces = {
  core: createCore,
  experiments: createExperiments,
  layer: createLayer,
  bill: createBill,
};

const MOST_LINES = 200;

// Kept before the student's program can put something else in their place.
const send = self.postMessage.bind(self);

/** Chromium begins a syntax error with the call that met it, which is none of the program's. */
const withoutLead = (message) =>
  message.replace(/^Failed to execute 'importScripts' on 'WorkerGlobalScope': /, '');

/** @param {string} text */
const addressOf = (text) =>
  URL.createObjectURL(new Blob([text], { type: 'text/javascript;charset=utf-8' }));

/**
 * @typedef {object} Task
 * @property {{ name: keyof typeof faces, glue: string, compiled: WebAssembly.Module, variant: any }[]} modules
 * @property {string} code
 * @property {string} call
 * @property {unknown[]} inputs
 */

self.addEventListener('message', async ({ data }) => {
  /** @type {Task} */
  const task = data;
  try {
    for (const module of task.modules) self[module.name] = await faceOf(module);
  } catch (error) {
    send({ kind: 'broken', message: String(error?.message ?? error) });
    return;
  }
  const listen = captureConsole();
  // Strictly, and with nothing before its first line, so that the lines are those of the editor. The name may belong to
  // a constant, which only code beside it can reach.
  const address = addressOf(
    `'use strict';${task.code}\n;self.theCall = typeof ${task.call} === 'function' ? ${task.call} : undefined;`,
  );
  const lines = task.code.split('\n').length;
  self.addEventListener('error', (event) => {
    event.preventDefault();
    const line = event.filename === address ? event.lineno : lineOf(event.error, address);
    // Null can be thrown too; only of a foreign script the error is kept back.
    fail(event.message === 'Script error.' ? event.message : event.error, line);
  });
  self.addEventListener('unhandledrejection', ({ reason }) =>
    fail(reason, lineOf(reason, address)),
  );

  function fail(error, line) {
    const known = error instanceof Error || typeof error?.message === 'string';
    send({
      kind: 'error',
      name: known ? String(error.name) : '',
      message: known ? withoutLead(String(error.message)) : textOf(error),
      // What is open at the end of the text is noticed behind it.
      line: line ? Math.min(line, lines) : undefined,
    });
  }

  async function answer() {
    const results = [];
    try {
      if (typeof self.theCall !== 'function') {
        send({ kind: 'missing' });
        return;
      }
      for (const input of task.inputs) {
        results.push(await self.theCall(structuredClone(input)));
        // What is said about the drawn inputs would only repeat.
        listen(false);
      }
    } catch (error) {
      fail(error, lineOf(error, address));
      return;
    }
    try {
      send({ kind: 'answers', results, shown: textOf(results[0]) });
    } catch {
      send({ kind: 'unsendable', shown: textOf(results[0]) });
    }
  }

  send({ kind: 'begins' });
  // On its own turn, where an error that nobody catches becomes an event with a line.
  setTimeout(() => {
    self.importScripts(address);
    answer();
  });
});

async function faceOf({ name, glue, compiled, variant }) {
  const address = addressOf(glue);
  const { default: start } = await import(/* @vite-ignore */ address);
  const restart = async () => ({ raw: await instantiate(start, compiled, WebAssembly), variant });
  return faces[name](await restart(), restart);
}

/** Sends what the program says to its console, as text. @returns {(on: boolean) => void} */
function captureConsole() {
  let said = 0;
  let listening = true;
  const say = (...values) => {
    if (!listening) return;
    said += 1;
    if (said > MOST_LINES) return;
    send({ kind: said === MOST_LINES ? 'enough' : 'said', text: values.map(textOf).join(' ') });
  };
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'table', 'dir']) console[name] = say;
  return (on) => {
    listening = on;
  };
}

/** The line of the program's own text in which an error came up. */
function lineOf(error, address) {
  const at = String(error?.stack ?? '').indexOf(`${address}:`);
  if (at === -1) return error?.line ?? error?.lineNumber;
  return Number.parseInt(String(error.stack).slice(at + address.length + 1), 10);
}
