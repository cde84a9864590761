/** What is timed on the reader's machine: which steps, for how long at most, and what a failure leaves behind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from '../../web/runtime/index.js';
import { Measurement } from '../../web/shared/measurement.js';
import { timedAnswers } from '../../web/shared/timed-answers.js';
import { ROUNDS, timedKernels, timedTasks } from '../../web/shared/timed-kernels.js';
import { timedDecode } from '../../web/shared/timed-decode.js';

/** A cache whose step t takes so many milliseconds, and which counts what is done and what is open. */
function slowCache(msOf) {
  const seen = { steps: 0, open: 0 };
  const decodeRun = () => {
    const done = { with: 0, without: 0 };
    const step = (way) => {
      seen.steps += 1;
      done[way] += 1;
      return { compute_ms: msOf(done[way]), tokens: done[way] };
    };
    seen.open += 1;
    return {
      stepWith: () => step('with'),
      stepWithout: () => step('without'),
      state: () => ({ passes_with: done.with, passes_without: done.without, same_tokens: true }),
      close: () => (seen.open -= 1),
    };
  };
  return { seen, cache: { decodeRun } };
}

async function measure(plan) {
  const keep = plan.keep ?? ((results, result) => [...results, result]);
  let results = [];
  for (const task of plan.tasks) results = keep(results, await plan.run(task, results));
  return results;
}

/** Ways whose calls take so many milliseconds, one after another, and what was called. */
function scripted(times) {
  const seen = { calls: [], open: 0 };
  const tensor = () => {
    seen.open += 1;
    return { close: () => (seen.open -= 1) };
  };
  const made = timedKernels({
    growth: () => 2,
    inputs: (n) => ({ Q: new Float32Array(n), output: n }),
    open: async () => ({ tensor }),
    once({ n, way, repeat }) {
      seen.calls.push(`${way.id}${n}`);
      const ms = times[way.id].shift();
      if (ms === undefined) throw new Error('not expected');
      return { compute_ms: ms / n, backend: 'here', repeat };
    },
  });
  const ways = Object.keys(times).map((id) => ({ id, label: id }));
  return { seen, plan: { tasks: timedTasks({ lengths: [1], ways }), ...made } };
}

test('a step is told with the tokens that it had when it was timed', async () => {
  const { seen, cache } = slowCache((tokens) => (tokens % 16 === 13 ? 0.5 : 1) * tokens);
  const plan = timedDecode(cache, { most: 64, every: 16 });
  const results = await measure(plan);
  assert.deepEqual(
    results.map(({ n, without, with: kept }) => [n, without, kept]),
    [16, 32, 48, 64].map((n) => {
      const timed = { tokens: n - 3, ms: 0.5 * (n - 3) };
      return [n, timed, timed];
    }),
  );
  assert.ok(results.every(({ n, passes_with }) => passes_with === n));
  plan.close();
  assert.equal(seen.open, 0);
});

test('steps that would hold the page for seconds are not begun', async () => {
  const { seen, cache } = slowCache((tokens) => 8 * tokens);
  const plan = timedDecode(cache, { most: 64, every: 16 });
  const results = [];
  for (const task of plan.tasks) {
    const before = seen.steps;
    results.push(await plan.run(task, results));
    if (results.at(-1).problem) assert.equal(seen.steps, before, 'nothing is done any more');
  }
  assert.deepEqual(
    results.map(({ problem }) => problem),
    [undefined, 'too slow', 'too slow', 'too slow'],
  );
  plan.close();
  assert.equal(seen.open, 0);
});

test('the module tells the tokens of each step, and writes the same text either way', async () => {
  const plan = timedDecode(await load('decode'), { most: 32, every: 16 });
  const results = await measure(plan);
  plan.close();
  assert.deepEqual(
    results.map(({ n, passes_with, passes_without, same_tokens }) => [
      n,
      passes_with,
      passes_without,
      same_tokens,
    ]),
    [
      [16, 16, 136, true],
      [32, 32, 528, true],
    ],
  );
  for (const { n, without, with: kept } of results) {
    assert.ok(kept.ms > 0 && without.ms > kept.ms);
    for (const { tokens } of [without, kept]) assert.ok(tokens > n - 8 && tokens <= n, `${tokens}`);
  }
});

test('a task that fails leaves nothing running and nothing open, and is told', async () => {
  const told = [];
  let closed = 0;
  const measurement = new Measurement(() => told.push(measurement.progress?.what));
  const plan = (run) => ({
    tasks: [{ what: 'one' }, { what: 'two' }],
    run,
    close: () => (closed += 1),
  });
  const failing = ({ what }) => {
    if (what === 'two') throw new Error('The module stopped.');
    return { what };
  };
  await assert.rejects(measurement.start(plan(failing)), /The module stopped/);
  assert.equal(measurement.progress, undefined);
  assert.equal(told.at(-1), undefined, 'and the button is drawn anew');
  assert.equal(closed, 1);
  assert.deepEqual(measurement.results, [{ what: 'one' }], 'what was measured stays');

  // Whoever cancelled is not told of what failed afterwards.
  const cancelled = measurement.start(
    plan(() => {
      measurement.stop();
      throw new Error('too late');
    }),
  );
  await cancelled;
  assert.equal(closed, 2);
  assert.equal(measurement.progress, undefined);
});

test('the ways take turns, and of each the least is kept', async () => {
  const { seen, plan } = scripted({ a: [30, 12, 20], b: [15, 40, 14], c: [90, 80, 70] });
  const results = await measure(plan);
  assert.equal(ROUNDS, 3);
  assert.deepEqual(seen.calls, ['a1', 'b1', 'c1', 'a1', 'b1', 'c1', 'a1', 'b1', 'c1']);
  assert.deepEqual(
    results.map(({ way, ms, where }) => [way.id, ms, where]),
    [
      ['a', 12, 'here'],
      ['b', 14, 'here'],
      ['c', 70, 'here'],
    ],
  );
  plan.close();
  assert.equal(seen.open, 0);
});

test('what is short is repeated, and what is long has fewer samples than the rest', async () => {
  // Each later round may take 2.25 s more: the long one fits into none of them, the middle one into both.
  const { seen, plan } = scripted({
    short: [5, 4, 3, 2],
    middle: [1500, 1400, 1550],
    long: [2500],
  });
  const results = await measure(plan);
  assert.deepEqual(seen.calls, [
    ...['short1', 'short1', 'middle1', 'long1'],
    ...['short1', 'middle1', 'short1', 'middle1'],
  ]);
  assert.deepEqual(
    results.map(({ ms }) => ms),
    [2, 1400, 2500],
  );
});

test('a way that fails is told once, and is not tried again', async () => {
  const { seen, plan } = scripted({ a: [20, 20, 20], b: [] });
  const [, failed] = await measure(plan);
  assert.deepEqual([failed.problem, failed.message], ['failed', 'not expected']);
  assert.deepEqual(seen.calls, ['a1', 'b1', 'a1', 'a1']);
});

test('each answer to n² is timed, and what would be too slow is not begun', async () => {
  const ways = ['full', 'window', 'block_sparse', 'linear', 'selective_state'].map((id) => ({
    id,
    label: id,
  }));
  const options = { backend: 'scalar', d: 8, state: 4, window: 16, block: 16, top_k: 2 };
  const plan = { tasks: timedTasks({ lengths: [32, 64], ways }), ...timedAnswers(options) };
  const results = await measure(plan);
  assert.equal(results.length, 10);
  for (const { where, ms, problem } of results) {
    assert.deepEqual([where, problem], ['scalar', undefined]);
    assert.ok(ms >= 0);
  }
  const slow = { ...plan.tasks[0], n: 2 ** 20 };
  const before = [{ way: ways[0], n: 1024, ms: 50 }];
  assert.equal((await plan.run(slow, before)).problem, 'too slow');
  const wrong = timedAnswers({ ...options, top_k: 0 });
  const { problem, message } = await wrong.run(plan.tasks[2], []);
  assert.equal(problem, 'failed');
  assert.match(message, /top_k/);
  wrong.close();
  plan.close();
});
