import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ROOT, filesBelow, importsOf, nodesOf, read, syntaxOf } from './files.js';

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
 *   slides: string, golden: Set<string>}} project
 */
export function missing(name, { has, read: text, model, slides, golden }) {
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
  if (!new RegExp(`<${tag}[\\s>]`).test(slides)) lacks.push(`a slide that uses <${tag}>`);
  const scenario = `tests/browser/simulators/${name}.js`;
  if (!has(scenario)) lacks.push(`the browser scenario ${scenario}`);
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

test('there are simulators', () => assert.ok(names.length > 0));

for (const name of names) {
  test(`the simulator “${name}” is complete`, async () => {
    const file = `${FOLDER}/${name}/${name}.model.js`;
    const has = (wanted) => existsSync(path.join(ROOT, wanted));
    const model = has(file)
      ? (await import(pathToFileURL(path.join(ROOT, file)))).model
      : undefined;
    assert.deepEqual(missing(name, { has, read, model, slides, golden }), []);
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
    'tests/browser/simulators/x.js': '',
  };
  const project = (change = {}) => {
    const all = { ...files, ...change.files };
    return {
      has: (file) => all[file] !== undefined,
      read: (file) => all[file],
      model,
      slides: '<attn-x></attn-x>',
      golden: new Set(['bank.w']),
      ...change,
    };
  };
  assert.deepEqual(missing('x', project()), []);
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
  assert.equal(missing('x', project({ slides: '<attn-xy></attn-xy>' })).length, 1);
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
