/**
 * `npm run new NAME` writes the files of a new simulator: the same word in every path. What it writes works
 * at once (three scores and their softmax) and is there to be changed; `npm run test:architecture` names
 * what is still missing.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const pascal = (name) => name.replace(/(^|-)([a-z])/g, (_, __, letter) => letter.toUpperCase());

const files = (name) => ({
  [`web/simulators/${name}/${name}.model.js`]: `/** Three scores and their softmax. State in, numbers out, by \`core.softmax\`. */
import { msg, str } from '../../shared/language.js';
import { formatNumber, formatPercent } from '../../shared/number.js';
import { flagged, indices, ordinal } from '../../shared/pick.js';

export const names = () => [msg('first'), msg('second'), msg('third')];

export const scoreName = (i) => {
  const place = ordinal(i);
  return msg(str\`score \${place}\`);
};

const schema = {
  x: { kind: 'vector', length: 3, min: -100, max: 100, name: scoreName },
};

const defaults = { x: [1, 2, 3] };

function compute(core, state) {
  const trace = core.softmax({ x: state.x, n: 1, m: 3 });
  return {
    state,
    weights: [...trace.weights],
    weightSum: trace.weight_sums[0],
    largest: [...trace.largest],
  };
}

function sentence({ weights, largest }) {
  const share = formatPercent(flagged(weights, largest)[0]);
  const places = flagged(names(), largest).join(', ');
  return msg(str\`The largest weight is \${share}: \${places}.\`);
}

export const model = {
  tag: 'attn-${name}',
  get title() {
    return msg('Three scores and their weights');
  },
  get summary() {
    return msg('Change a score: which weights move?');
  },
  schema,
  defaults,
  cases: [
    {
      id: 'start',
      get label() {
        return msg('As on the slide');
      },
      state: {},
    },
    {
      id: 'equal',
      get label() {
        return msg('Equal scores');
      },
      state: { x: [0, 0, 0] },
    },
  ],
  predict: {
    get question() {
      return msg('Which score gets the largest weight?');
    },
    options: names,
    isRight: ({ largest }, choice) => largest[choice] === 1,
  },
  // The ids of the golden rows (tests/golden) that it shows.
  figures: [],
  compute,
  sentence,
  picture: ({ state, weights }) => ({
    head: [msg('place'), msg('score'), msg('weight')],
    rows: indices(3).map((i) => [
      names()[i],
      formatNumber(state.x[i], { decimals: 6, trim: true }),
      formatNumber(weights[i]),
    ]),
    weights,
  }),
  rows: ({ state, weights }) => [
    ['place', 'score', 'weight'],
    ...indices(3).map((i) => [names()[i], state.x[i], weights[i]]),
  ],
};
`,
  [`web/simulators/${name}/${name}.view.js`]: `/** How it is drawn; the same at build time, without \`ui\`, and live. */
import { html } from 'lit';
import { bar } from '../../shared/bar.js';
import { shown, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg } from '../../shared/language.js';
import { formatExact } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { model, names, scoreName } from './${name}.model.js';

const scores = ({ state }, ui) =>
  indices(3).map((i) =>
    slider(ui, {
      path: \`x.\${i}\`,
      value: state.x[i],
      label: html\`x<sub>\${ordinal(i)}</sub>\`,
      name: scoreName(i),
      min: -5,
      max: 5,
      tone: 's',
    }),
  );

function table({ weights, weightSum }, ui) {
  const answer = (template) => (ui?.answerHidden ? withheld : template);
  const weight = (row) =>
    ui?.exact
      ? html\`<span class="num" data-num>\${formatExact(weights[row])}</span>\`
      : shown(weights[row]);
  return stepsTable({
    caption: model.title,
    columns: [
      {
        head: msg('place'),
        label: msg('place'),
        cell: (row) => names()[row],
        foot: msg('sum'),
      },
      {
        head: msg('weight'),
        label: msg('weight'),
        tone: 'w',
        cell: (row) =>
          answer(html\`<span class="weighed">\${bar(weights[row])}\${weight(row)}</span>\`),
        foot: answer(shown(weightSum, { trim: true })),
      },
    ],
    rows: indices(3),
  });
}

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html\`<div class="split">
      <div class="controls">\${scores(numbers, ui)}</div>
      <div class="main">\${table(numbers, ui)}</div>
    </div>\`,
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
  // The slide that it stands on.
  slide: '1',
  // Which golden figures it shows in which case or state: { case: 'start', figures: { 'bank.w': true } }.
  shows: [],
  secret: ({ weights }) => weights.map((weight) => formatNumber(weight)),
  secretValues: ({ weights }) => weights,
  exact: ({ weights }) => weights,
};
`,
});

/**
 * Writes the files of a simulator.
 * @param {string} name
 * @param {string} [root] the repository
 * @returns {string[]} the files, as paths from the root
 */
export function scaffold(name, root = ROOT) {
  if (!/^[a-z]+(-[a-z]+)*$/.test(name ?? '')) {
    throw new Error('Say the name in small letters and dashes: npm run new causal-mask');
  }
  const entries = Object.entries(files(name));
  const taken = entries.find(([file]) => existsSync(path.join(root, file)));
  if (taken) throw new Error(`There is a simulator “${name}” already: ${taken[0]}.`);
  for (const [file, text] of entries) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return entries.map(([file]) => file);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const { positionals } = parseArgs({ allowPositionals: true });
    const [name] = positionals;
    for (const file of scaffold(name)) console.log(`wrote ${file}`);
    console.log(`
Next: put <attn-${name}></attn-${name}> on a slide, in slides and in slides/pt-BR, say which in tests/browser/simulators/${name}.js,
give its sentences their Portuguese (npm run texts, then web/texts/pt-BR.xlf), and run
npm run test:architecture, which names what is still missing. Then npm start shows it on its slide and on
simulators/${name}.html, and npm run test:browser -- --only ${name} tries it.`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
