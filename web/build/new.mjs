/**
 * `npm run new NAME` writes the files of a new simulator: the same word in every path. What it writes works
 * at once (three scores and their softmax) and is there to be changed; `npm run test:architecture` names
 * what is still missing.
 */
import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const pascal = (name) => name.replace(/(^|-)([a-z])/g, (_, __, letter) => letter.toUpperCase());

const files = (name) => ({
  [`web/simulators/${name}/${name}.model.js`]: `/** Three scores and their softmax. State in, numbers out, by \`core.softmax\`. */
import { formatNumber, formatPercent } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';

const schema = {
  x: { kind: 'vector', length: 3, min: -100, max: 100, name: (i) => \`score \${ordinal(i)}\` },
};

const defaults = { x: [1, 2, 3] };

const compute = (core, state) => ({
  state,
  weights: [...core.softmax({ x: Float64Array.from(state.x), n: 1, m: 3 })],
});

export const model = {
  tag: 'attn-${name}',
  title: 'Three scores and their weights',
  summary: 'Change a score: which weights move?',
  schema,
  defaults,
  cases: [
    { id: 'start', label: 'As on the slide', state: {} },
    { id: 'equal', label: 'Equal scores', state: { x: [0, 0, 0] } },
  ],
  figures: [],
  compute,
  sentence: ({ weights }) => \`The third score weighs \${formatPercent(weights[2])}.\`,
  picture: ({ state, weights }) => ({
    head: ['score', 'weight'],
    rows: indices(3).map((i) => [formatNumber(state.x[i]), formatNumber(weights[i])]),
    weights,
  }),
  rows: ({ state, weights }) => [
    ['score', 'weight'],
    ...indices(3).map((i) => [state.x[i], weights[i]]),
  ],
};
`,
  [`web/simulators/${name}/${name}.view.js`]: `/** How it is drawn; the same at build time, without \`ui\`, and live. */
import { bar } from '../../shared/bar.js';
import { cell, shown } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { indices, ordinal } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { model } from './${name}.model.js';

const columns = ({ state, weights }, ui) => [
  { head: 'number', label: 'number', cell: (row) => ordinal(row), foot: '' },
  {
    head: 'score',
    label: 'score',
    tone: 's',
    cell: (row) =>
      cell(ui, { path: \`x.\${row}\`, value: state.x[row], label: \`score \${ordinal(row)}\` }),
  },
  { head: '', label: '', cell: (row) => bar(weights[row]) },
  { head: 'weight', label: 'weight', tone: 'w', cell: (row) => shown(weights[row]) },
];

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: stepsTable({
      caption: model.title,
      columns: columns(numbers, ui),
      rows: indices(numbers.weights.length),
    }),
  });
`,
  [`web/simulators/${name}/${name}.element.js`]: `import { Simulator, simulatorProperties } from '../../shared/simulator.js';
import { model } from './${name}.model.js';
import { view } from './${name}.view.js';

/** \`<attn-${name}>\`. */
export class Attn${pascal(name)} extends Simulator {
  static model = model;
  static view = view;
  static properties = simulatorProperties(model);
}
`,
  [`web/simulators/${name}/index.js`]: `import { define } from '../../shared/simulator.js';
import { Attn${pascal(name)} } from './${name}.element.js';

define('attn-${name}', Attn${pascal(name)});

export { Attn${pascal(name)} };
`,
  [`tests/browser/simulators/${name}.js`]: `/** What the browser checks know about <attn-${name}>. */
import { formatNumber } from '../../../web/shared/number.js';

export const scenario = {
  slide: '1',
  shows: [],
  secret: ({ weights }) => weights.map((weight) => formatNumber(weight)),
  secretValues: ({ weights }) => weights,
  exact: ({ weights }) => weights,
};
`,
});

const exists = (file) =>
  access(file).then(
    () => true,
    () => false,
  );

async function main([name]) {
  if (!/^[a-z]+(-[a-z]+)*$/.test(name ?? '')) {
    throw new Error('Say the name in small letters and dashes: npm run new causal-mask');
  }
  if (await exists(path.join(root, 'web/simulators', name))) {
    throw new Error(`There is a simulator “${name}” already, in web/simulators/${name}.`);
  }
  for (const [file, text] of Object.entries(files(name))) {
    await mkdir(path.join(root, path.dirname(file)), { recursive: true });
    await writeFile(path.join(root, file), text);
    console.log(`wrote ${file}`);
  }
  console.log(`
Next: put <attn-${name}></attn-${name}> on a slide, give the model golden figures, and run
npm run test:architecture, which names what is still missing.`);
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
