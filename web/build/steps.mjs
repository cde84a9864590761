/**
 * Runs the steps behind `npm start`, `npm run build` and `npm test`: says what runs and how far it is, keeps
 * each command's output in build/logs, skips what is up to date.
 *
 * Node alone, as all of this runs before anything is installed.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const inRoot = (...parts) => path.join(ROOT, ...parts);

const HEARTBEAT_MS = 10_000;
const TAIL_LINES = 60;

/** A failure that needs no stack: its message says what to do. */
export class StepError extends Error {}

const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const child of running) child.kill('SIGTERM');
    console.error('\nInterrupted. The next run goes on from here.');
    process.exit(130);
  });
}

/**
 * Runs a command and keeps what it prints.
 *
 * @param {string} command
 * @param {string[]} parameters
 * @param {{log: string, append?: boolean, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void}} options
 * @returns {Promise<{code: number, output: string}>}
 */
export function capture(command, parameters, { log, append = false, env = {}, onLine }) {
  mkdirSync(inRoot('build/logs'), { recursive: true });
  const file = createWriteStream(inRoot('build/logs', `${log}.log`), { flags: append ? 'a' : 'w' });
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let output = '';
    let rest = '';
    const take = (text) => {
      output += text;
      file.write(text);
      const lines = (rest + text).split(/\r?\n|\r/);
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim()) onLine?.(line.trim());
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take);
    child.on('error', (error) => {
      running.delete(child);
      reject(new StepError(`${command} cannot be started: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      running.delete(child);
      file.end(() => resolve({ code: code ?? (signal ? 128 : 1), output }));
    });
  });
}

/** Like `capture`, but a command that fails is an error that shows the end of what it printed. */
export async function execute(command, parameters, options) {
  const { code, output } = await capture(command, parameters, options);
  if (code !== 0)
    throw new StepError(`${tail(output)}\n(all of it: build/logs/${options.log}.log)`);
  return output;
}

/** The last lines of an output. */
export function tail(output, count = TAIL_LINES) {
  return output.trimEnd().split('\n').slice(-count).join('\n');
}

/**
 * A mark of the state of files, by their names, sizes and times.
 * @param {string[]} inputs files and folders, relative to the root
 */
function fingerprint(inputs, extra) {
  const hash = createHash('sha256').update(JSON.stringify(extra));
  const visit = (name) => {
    const status = statSync(inRoot(name), { throwIfNoEntry: false });
    if (!status) {
      hash.update(`${name} absent\n`);
    } else if (status.isDirectory()) {
      for (const entry of readdirSync(inRoot(name)).sort()) visit(`${name}/${entry}`);
    } else {
      hash.update(`${name} ${status.size} ${status.mtimeMs}\n`);
    }
  };
  inputs.forEach(visit);
  return hash.digest('hex');
}

/**
 * Does the work only when its inputs changed since it last succeeded, or an output is gone.
 *
 * @param {string} name
 * @param {{inputs: string[], outputs: string[], extra?: unknown}} what
 * @param {() => Promise<unknown>} work
 * @returns {Promise<string | undefined>} 'up to date' when there was nothing to do
 */
export async function whenChanged(name, { inputs, outputs, extra = null }, work) {
  const stamp = inRoot('build/stamps', name);
  const now = fingerprint(inputs, extra);
  const same = existsSync(stamp) && readFileSync(stamp, 'utf8') === now;
  if (same && outputs.every((output) => existsSync(inRoot(output)))) return 'up to date';
  await work();
  mkdirSync(path.dirname(stamp), { recursive: true });
  // The inputs as they were before the work: a file that was saved meanwhile is done again.
  writeFileSync(stamp, now);
  return undefined;
}

const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/**
 * Runs steps one after the other; those that stand together in a list run at the same time.
 *
 * A step's `run` may return a note for the line that reports it, or {passed, failed} with one. With
 * `keepGoing` a failed step is reported and counted, and only the steps that need it are not run.
 *
 * @typedef {{passed: number, failed: number, note?: string}} Count
 * @typedef {Count & {troubles: string[]}} Total what failed, a text for each step: the end of a log is what is read first
 * @typedef {{name: string, title: string, needs?: string[], counts?: boolean,
 *   run: (say: (line: string) => void) => Promise<string | Count | undefined | void>}} Step
 * @param {(Step | Step[])[]} plan
 * @param {{keepGoing?: boolean}} [options]
 * @returns {Promise<Total>}
 */
export async function runSteps(plan, { keepGoing = false } = {}) {
  const steps = plan.flat().length;
  const broken = new Set();
  /** @type {Total} */
  const total = { passed: 0, failed: 0, troubles: [] };
  let number = 0;

  /** @param {Step} step */
  async function one(step) {
    number += 1;
    const label = `[${number}/${steps}] ${step.title}`;
    const missing = (step.needs ?? []).find((name) => broken.has(name));
    if (missing) {
      broken.add(step.name);
      total.failed += 1;
      total.troubles.push(`${step.title}: not run, as “${missing}” failed`);
      console.log(`${label}: not run, as “${missing}” failed`);
      return;
    }
    console.log(label);
    const began = performance.now();
    let latest = '';
    let shown = '';
    const heartbeat = setInterval(() => {
      if (latest !== shown)
        console.log(`    ${step.title}, ${seconds(began)}: ${latest.slice(0, 140)}`);
      shown = latest;
    }, HEARTBEAT_MS);
    try {
      const answer = await step.run((line) => {
        latest = line;
      });
      const result = typeof answer === 'object' ? answer : undefined;
      total.passed += result?.passed ?? 0;
      total.failed += result?.failed ?? 0;
      if (result?.failed) broken.add(step.name);
      const note = typeof answer === 'string' ? answer : result?.note;
      const count = result && `${result.passed} passed, ${result.failed} failed`;
      // A long note is what a suite says about its failures.
      const [short, long] = note?.includes('\n') ? ['', `\n${note}`] : [note, ''];
      const words = [count, short].filter(Boolean).join('; ') || 'done';
      if (result?.failed) total.troubles.push(`${step.title}: ${words}${long}`);
      console.log(`    ${step.title}: ${words} (${seconds(began)})${long}`);
    } catch (error) {
      broken.add(step.name);
      total.failed += 1;
      const text = error instanceof StepError ? error.message : (error.stack ?? String(error));
      total.troubles.push(`${step.title}: FAILED\n${text}`);
      console.log(`    ${step.title}: FAILED (${seconds(began)})\n${text}`);
      if (!keepGoing) throw new StepError(`${step.title} failed.`, { cause: error });
    } finally {
      clearInterval(heartbeat);
    }
  }

  for (const group of plan) {
    // Each of a group comes to its end before the next starts: a half-done installation helps nobody.
    const ends = await Promise.allSettled([group].flat().map(one));
    const bad = ends.find(({ status }) => status === 'rejected');
    if (bad) throw bad.reason;
  }
  return total;
}

/** What a script does with an error at the top: say it, without a stack where the message suffices. */
export function fail(error) {
  console.error(error instanceof StepError ? error.message : error);
  process.exit(1);
}
