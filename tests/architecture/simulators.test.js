import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { render } from '@lit-labs/ssr';
import { collectResult } from '@lit-labs/ssr/lib/render-result.js';
import { scaffold } from '../../web/build/new.mjs';
import { loadCore } from './figures.js';
import { ROOT, filesBelow, importsOf, nodesOf, read, syntaxOf } from './files.js';
import { domComplaints, scriptComplaints } from './rules.js';
import { elementsBelow, slidesOf } from './slides.js';

const FOLDER = 'web/simulators';

/** The tags that a script hands to `define`, by whatever name the registering function has. */
const registered = (text) =>
  [...nodesOf(syntaxOf(text))]
    .filter((node) => node.type === 'CallExpression' && node.arguments[0]?.type === 'Literal')
    .map((node) => node.arguments[0].value)
    .filter((value) => typeof value === 'string' && value.startsWith('attn-'));

/**
 * What a simulator of a name still lacks, in words.
 * @param {string} name the folder's name, the same word in every path
 * @param {{has: (file: string) => boolean, read: (file: string) => string, model?: object,
 *   scenario?: object, slides: string, golden: Set<string>}} project
 */
export function missing(name, { has, read: text, model, scenario, slides, golden }) {
  const lacks = [];
  const tag = `attn-${name}`;
  const file = (role) => `${FOLDER}/${name}/${role}`;
  for (const role of [`${name}.model.js`, `${name}.view.js`, `${name}.element.js`, 'index.js']) {
    if (!has(file(role))) lacks.push(`the file ${file(role)}`);
  }
  if (has(file('index.js'))) {
    const index = text(file('index.js'));
    if (!registered(index).includes(tag))
      lacks.push(`the registration of <${tag}> in ${file('index.js')}`);
    if (!importsOf(index).includes(`./${name}.element.js`)) {
      lacks.push(`the import of ./${name}.element.js in ${file('index.js')}`);
    }
  }
  if (has(file(`${name}.element.js`)) && registered(text(file(`${name}.element.js`))).length > 0) {
    lacks.push(
      `a class apart from its registration: ${file(`${name}.element.js`)} registers the tag itself`,
    );
  }
  if (model) {
    if (model.tag !== tag) lacks.push(`the tag ${tag} as model.tag (it says ${model.tag})`);
    for (const part of [
      'title',
      'schema',
      'defaults',
      'cases',
      'compute',
      'sentence',
      'rows',
      'figures',
    ]) {
      if (model[part] === undefined) lacks.push(`model.${part}`);
    }
    for (const id of model.figures ?? []) {
      if (!golden.has(id)) lacks.push(`a golden row “${id}”, which model.figures names`);
    }
    if (model.figures?.length === 0) lacks.push('a golden figure in model.figures');
  } else {
    lacks.push(`the export \`model\` in ${file(`${name}.model.js`)}`);
  }
  const places = slidesOf(slides)
    .filter(({ node }) => elementsBelow(node, ({ tagName }) => tagName === tag).length > 0)
    .map(({ slide }) => slide);
  if (places.length === 0) lacks.push(`a slide that uses <${tag}>`);
  const scenarioFile = `tests/browser/simulators/${name}.js`;
  if (!scenario) lacks.push(`the browser scenario ${scenarioFile}`);
  else if (places.length > 0 && !places.includes(scenario.slide)) {
    lacks.push(
      `its slide in ${scenarioFile} (it says ${scenario.slide}, <${tag}> is on ${places.join(', ')})`,
    );
  }
  return lacks;
}

const golden = new Set(
  ['lecture', 'deck']
    .filter((name) => existsSync(path.join(ROOT, `tests/golden/${name}.json`)))
    .flatMap((name) => JSON.parse(read(`tests/golden/${name}.json`)).figures.map(({ id }) => id)),
);
const slides = filesBelow('slides')
  .filter((file) => file.endsWith('.html'))
  .map((file) => read(file))
  .join('\n');
const names = readdirSync(path.join(ROOT, FOLDER), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** What is there of a simulator below a root. */
async function partsOf(name, root = ROOT) {
  const has = (file) => existsSync(path.join(root, file));
  const exported = async (file) => (has(file) ? import(pathToFileURL(path.join(root, file))) : {});
  const { model } = await exported(`${FOLDER}/${name}/${name}.model.js`);
  const { scenario } = await exported(`tests/browser/simulators/${name}.js`);
  return { has, read: (file) => read(file, root), model, scenario };
}

test('there are simulators', () => assert.ok(names.length > 0));

for (const name of names) {
  test(`the simulator “${name}” is complete`, async () => {
    assert.deepEqual(missing(name, { ...(await partsOf(name)), slides, golden }), []);
  });
}

test('each thing that a simulator can lack is named', () => {
  const model = {
    tag: 'attn-x',
    title: '',
    schema: {},
    defaults: {},
    cases: [],
    compute() {},
    sentence() {},
    rows() {},
    figures: ['bank.w'],
  };
  const files = {
    'web/simulators/x/x.model.js': '',
    'web/simulators/x/x.view.js': '',
    'web/simulators/x/x.element.js': 'export class X {}',
    'web/simulators/x/index.js': "import { X } from './x.element.js'; define('attn-x', X);",
  };
  const project = (change = {}) => {
    const all = { ...files, ...change.files };
    return {
      has: (file) => all[file] !== undefined,
      read: (file) => all[file],
      model,
      scenario: { slide: '3' },
      slides: '<section data-slide="3"><attn-x></attn-x></section>',
      golden: new Set(['bank.w']),
      ...change,
    };
  };
  assert.deepEqual(missing('x', project()), []);
  assert.equal(missing('x', project({ scenario: undefined })).length, 1);
  assert.equal(missing('x', project({ scenario: { slide: '4' } })).length, 1);
  for (const file of Object.keys(files)) {
    const lacks = missing('x', project({ files: { [file]: undefined } }));
    assert.ok(
      lacks.some((text) => text.includes(file)),
      `${file}: ${lacks}`,
    );
  }
  for (const part of [
    'title',
    'schema',
    'defaults',
    'cases',
    'compute',
    'sentence',
    'rows',
    'figures',
  ]) {
    assert.deepEqual(missing('x', project({ model: { ...model, [part]: undefined } })), [
      `model.${part}`,
    ]);
  }
  assert.equal(missing('x', project({ model: { ...model, tag: 'attn-y' } })).length, 1);
  assert.equal(missing('x', project({ model: { ...model, figures: ['bank.q'] } })).length, 1);
  assert.equal(
    missing('x', project({ slides: '<section data-slide="3"><attn-xy></attn-xy></section>' }))
      .length,
    1,
  );
  assert.equal(
    missing('x', project({ files: { 'web/simulators/x/index.js': "import './x.element.js'" } }))
      .length,
    1,
  );
  assert.equal(
    missing('x', project({ files: { 'web/simulators/x/x.element.js': "define('attn-x', X)" } }))
      .length,
    1,
  );
});

test('what npm run new writes computes and draws, and lacks only what its author must give', async (t) => {
  const name = 'two-words';
  const root = mkdtempSync(path.join(tmpdir(), 'attn-new-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const folder of ['web/shared', 'web/runtime', 'node_modules']) {
    mkdirSync(path.dirname(path.join(root, folder)), { recursive: true });
    symlinkSync(path.join(ROOT, folder), path.join(root, folder));
  }
  // As in the repository; the folder for temporary files may have a package.json that says otherwise.
  writeFileSync(path.join(root, 'package.json'), '{ "type": "module" }\n');
  const written = scaffold(name, root);
  assert.throws(() => scaffold(name, root), /already/);
  assert.throws(() => scaffold('../x', root), /small letters/);
  for (const file of written) {
    const text = read(file, root);
    assert.deepEqual(scriptComplaints(file, text), []);
    if (file.endsWith('.model.js')) assert.deepEqual(domComplaints(file, text), []);
  }

  const parts = await partsOf(name, root);
  const { model, scenario } = parts;
  const place = `<section data-slide="${scenario.slide}"><attn-${name}></attn-${name}></section>`;
  assert.deepEqual(missing(name, { ...parts, slides: place, golden }), [
    'a golden figure in model.figures',
  ]);

  const core = await loadCore();
  const { view } = await import(pathToFileURL(path.join(root, written[1])));
  for (const { id, state } of model.cases) {
    const numbers = model.compute(core, { ...structuredClone(model.defaults), ...state });
    assert.ok(Math.abs(numbers.weights.reduce((sum, weight) => sum + weight) - 1) < 1e-15, id);
    const [head, ...rows] = model.rows(numbers);
    assert.deepEqual(
      rows.map((row) => row[head.indexOf('weight')]),
      numbers.weights,
    );
    assert.equal(model.picture(numbers).rows.length, rows.length);
    const markup = await collectResult(render(view(numbers)));
    assert.ok(markup.includes(model.sentence(numbers)), id);
    for (const secret of scenario.secret(numbers)) assert.ok(markup.includes(secret), secret);
  }
  const [opening, equal] = model.cases.map(({ state }) =>
    model.compute(core, { ...model.defaults, ...state }),
  );
  assert.deepEqual(scenario.secret(opening), ['0.090', '0.245', '0.665']);
  assert.deepEqual(scenario.secret(equal), ['0.333', '0.333', '0.333']);
});
