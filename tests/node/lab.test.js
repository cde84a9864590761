/** The exercises of the lab: each solution is right, and nothing else is. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { exercises } from '../../web/lab/exercises/index.js';
import { load } from '../../web/runtime/index.js';

const SEEDS = [1, 23, 456];
const modules = {};

before(async () => {
  for (const name of ['core', 'experiments', 'layer', 'bill']) modules[name] = await load(name);
});

/** What a program answers to each input, as the page would receive it. */
function answers(exercise, code, inputs) {
  const context = createContext({ ...modules, console: { log() {} } });
  const call = runInContext(`'use strict';${code}\n;${exercise.call}`, context);
  return inputs.map((input) => structuredClone(call(structuredClone(input))));
}

const complaints = (exercise, inputs, results) =>
  inputs
    .map((input, i) => exercise.check(modules, input, results[i]))
    .filter((complaint) => complaint !== null);

/** Every number of an answer, a little larger. */
const shifted = (value) => {
  if (typeof value === 'number') return value + 0.001 * (1 + Math.abs(value));
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value, shifted);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shifted(inner)]));
};

test('there are ten exercises, in the order of the issue, with names of their own', () => {
  assert.equal(exercises.length, 10);
  assert.equal(new Set(exercises.map(({ id }) => id)).size, 10);
});

for (const exercise of exercises) {
  test(`${exercise.id}: it is written out whole`, () => {
    for (const field of ['id', 'title', 'code', 'hint', 'solution', 'call']) {
      assert.ok(exercise[field].length > 2, field);
    }
    assert.ok(exercise.task.length > 0 && Number.isInteger(exercise.slide));
    assert.ok(exercise.modules.includes('core'));
    // A line that is wider than the editor would be read by scrolling only.
    for (const line of `${exercise.code}\n${exercise.solution}`.split('\n')) {
      assert.ok(line.length <= 76, line);
    }
  });

  for (const seed of SEEDS) {
    test(`${exercise.id}: the solution is right, seed ${seed}`, () => {
      const inputs = exercise.inputs(modules, seed);
      const results = answers(exercise, exercise.solution, inputs);
      assert.deepEqual(complaints(exercise, inputs, results), []);
    });

    test(`${exercise.id}: the code to start from is wrong, seed ${seed}`, () => {
      const inputs = exercise.inputs(modules, seed);
      const found = complaints(exercise, inputs, answers(exercise, exercise.code, inputs));
      assert.ok(found.length > 0);
      for (const sentence of found) assert.match(sentence, /^[A-Z].{20,}[.?]$/);
    });
  }

  test(`${exercise.id}: an answer that is written down fails on another input`, () => {
    const inputs = exercise.inputs(modules, 5);
    const [first] = answers(exercise, exercise.solution, inputs);
    assert.ok(
      complaints(
        exercise,
        inputs,
        inputs.map(() => first),
      ).length > 0,
    );
  });

  test(`${exercise.id}: the drawn inputs depend on the seed`, () => {
    assert.notDeepEqual(exercise.inputs(modules, 5), exercise.inputs(modules, 6));
  });

  test(`${exercise.id}: a slightly wrong answer fails on every input`, () => {
    const inputs = exercise.inputs(modules, 5);
    const results = answers(exercise, exercise.solution, inputs).map(shifted);
    assert.equal(complaints(exercise, inputs, results).length, inputs.length);
  });

  for (const [name, strange] of Object.entries({
    undefined,
    null: null,
    text: 'text',
    NaN,
    empty: [],
    object: {},
    'a list in itself': (() => {
      const list = [];
      list.push(list);
      return list;
    })(),
    'a date': new Date(0),
    bytes: new DataView(new ArrayBuffer(8)),
    'lists of NaN': [[NaN], [NaN]],
  })) {
    test(`${exercise.id}: ${name} is told in a sentence`, () => {
      const [input] = exercise.inputs(modules, 5);
      assert.match(exercise.check(modules, input, strange), /^[A-Z].{20,}[.?]$/);
    });
  }
}

test('the last exercise teaches: the loss falls and the map moves to the right word', () => {
  const exercise = exercises.at(-1);
  const [input] = exercise.inputs(modules, 1);
  const [{ losses, maps }] = answers(exercise, exercise.solution, [input]);
  losses.slice(1).forEach((loss, i) => assert.ok(loss < losses[i], `step ${i + 1}`));
  assert.ok(losses.at(-1) < 0.1 * losses[0], `${losses[0]} → ${losses.at(-1)}`);
  for (const [i, row] of maps.at(-1).entries()) {
    assert.ok(row[input.targets[i]] > 0.8, `word ${i}: ${row}`);
  }
});
