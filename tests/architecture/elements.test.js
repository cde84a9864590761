/**
 * What editors and the pages of the elements are told: fresh, by the rules of its format, and no more and no less than what the
 * code has. What needs a browser is tried in tests/browser/suites/elements.js.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { elementFiles } from '../../web/build/elements.mjs';
import * as base from '../../web/build/elements/base.mjs';
import { isProperty } from '../../web/build/elements/collect.mjs';
import { reactDeclarations } from '../../web/build/elements/declarations.mjs';
import { attributeFields, attributeOf, openingState } from '../../web/shared/opening.js';
import { valueAt } from '../../web/shared/schema.js';
import { another } from '../browser/simulator.js';
import { models } from './figures.js';
import { ROOT, filesBelow, isScript, nodesOf, read, syntaxOf } from './files.js';
import { manifestComplaints } from './manifest-check.js';

const files = await elementFiles();
const manifest = JSON.parse(files['custom-elements.json']);
const declared = manifest.modules.flatMap(({ declarations }) => declarations);
const byTag = await models();
const BASE = 'web/shared/simulator.js';

const scripts = ['web/shared', 'web/simulators'].flatMap((folder) =>
  filesBelow(folder).filter(isScript),
);
const names = (list) => list.map(({ name }) => name);
const inOrder = (list) => [...new Set(list)].sort();
const same = (found, described) => assert.deepEqual(inOrder(found), inOrder(described));

test('what the site carries is what the schemas say now', () => {
  for (const [name, text] of Object.entries(files)) {
    assert.equal(read(`dist/${name}`), text, `dist/${name} is stale: npm run build`);
  }
});

test('the manifest keeps the rules of its format', () => {
  assert.deepEqual(manifestComplaints(manifest), []);
});

test('each broken rule of the format is found', () => {
  const broken = (change) => {
    const copy = structuredClone(manifest);
    const [module] = copy.modules;
    change(module.declarations[0], module, copy);
    return manifestComplaints(copy).length;
  };
  assert.equal(
    broken((one, module, all) => delete all.schemaVersion),
    1,
  );
  assert.equal(
    broken((one) => delete one.name),
    1,
  );
  assert.equal(
    broken((one) => (one.tagName = 'Query')),
    1,
  );
  assert.equal(
    broken((one) => (one.attributes[0].type = 'string')),
    1,
  );
  assert.equal(
    broken((one) => delete one.events[0].type),
    1,
  );
  assert.equal(
    broken((one) => (one.members[0].kind = 'property')),
    1,
  );
  assert.equal(
    broken((one) => (one.cssProperties[0].name = 'attn-ink')),
    1,
  );
  assert.equal(
    broken((one) => (one.invented = true)),
    1,
  );
  assert.equal(
    broken((one, module) => (module.path = './attention-deck.js')),
    1,
  );
  assert.equal(
    broken((one, module) => (module.exports[0].declaration.name = 'X')),
    1,
  );
  assert.equal(
    broken((one, module) => (module.declarations[1].tagName = one.tagName)),
    2,
  );
});

test('every simulator is described, and nothing else', () => {
  same(
    declared.map(({ tagName }) => tagName),
    Object.keys(byTag),
  );
});

for (const { tagName, attributes, members } of declared) {
  test(`<${tagName}>: each attribute is one of the model’s, opens with what it says, and refuses what it must`, () => {
    const model = byTag[tagName];
    const shared = [...names(base.attributes), ...(model.cases.length > 0 ? ['case'] : [])];
    const own = attributes.filter(({ name }) => !shared.includes(name));
    same(
      own.map(({ fieldName }) => fieldName),
      attributeFields(model.schema),
    );
    same(names(attributes), [...shared, ...names(own)]);
    for (const { name, fieldName, default: value } of own) {
      assert.equal(attributeOf(fieldName), name);
      assert.deepEqual(JSON.parse(value), model.defaults[fieldName], name);
      const other = another(model.schema, fieldName, valueAt(model.defaults, fieldName));
      const opened = openingState(model, { [name]: String(other) });
      assert.deepEqual(opened.problems, [], name);
      assert.equal(opened.state[fieldName], other, name);
      if (model.schema[fieldName].kind === 'text') continue;
      assert.equal(openingState(model, { [name]: 'no such thing' }).problems.length, 1, name);
    }
    const cases = attributes.find(({ name }) => name === 'case');
    for (const id of cases ? cases.type.text.split(' | ').map((text) => JSON.parse(text)) : [])
      assert.deepEqual(openingState(model, { case: id }).problems, [], id);
    for (const { name, fieldName } of attributes) {
      const member = members.find((one) => one.attribute === name);
      assert.equal(member?.name, fieldName, `the property of ${name}`);
    }
  });
}

/** The members of the base that a page can reach: neither private nor called by the browser and by Lit. */
function publicMembers() {
  const LIFE =
    /^(constructor|.*Callback|update|updated|firstUpdated|willUpdate|render|createRenderRoot|finalize)$/;
  const tree = syntaxOf(read(BASE));
  const [body] = [...nodesOf(tree)].filter(
    (node) => node.type === 'ClassDeclaration' && node.id.name === 'Simulator',
  );
  const text = read(BASE);
  return body.body.body
    .filter((node) => !node.static && node.key?.type === 'Identifier' && !LIFE.test(node.key.name))
    .filter((node) => {
      // What other scripts of ours call is marked as such.
      const before = text.slice(0, node.range?.[0] ?? node.start).trimEnd();
      return !/@ignore\b[^/]*\*\/$/.test(before);
    })
    .map((node) => ({
      name: node.key.name,
      isMethod: node.type === 'MethodDefinition' && node.kind === 'method',
    }));
}

test('the methods and properties that are described are those of the base', () => {
  const attributes = new Set([...names(base.attributes.filter(isProperty)), 'case']);
  const found = publicMembers();
  same(names(found.filter(({ isMethod }) => isMethod)), names(base.methods));
  same(
    names(found.filter(({ name, isMethod }) => !isMethod && !attributes.has(name))),
    names(base.properties),
  );
});

test('the events that are described are those that are fired', () => {
  const fired = [...read(BASE).matchAll(/#emit\(\s*'(\w+)'/g)].map(([, name]) => name);
  const kinds = [...read(BASE).matchAll(/#emit\(kind,/g)].length;
  assert.equal(kinds, 1, 'input and change are fired by the kind of an edit');
  same([...fired, 'input', 'change'], names(base.events));
});

test('the parts that are described are those that are drawn', () => {
  const drawn = scripts.flatMap((file) =>
    [...read(file).matchAll(/(?<!\[)\bpart="([^"$]+)"/g)].flatMap(([, list]) => list.split(' ')),
  );
  same(drawn, names(base.cssParts));
  const computed = scripts.filter((file) =>
    /(?<!\[)\bpart=(?!")\S/.test(read(file).replace(/'\[part=[^']*'/g, '')),
  );
  assert.deepEqual(computed, [], 'a part whose name is computed cannot be found here');
});

test('the states that are described are those that an element takes', () => {
  const taken = [...read(BASE).matchAll(/#mark\('(\w+)'/g)].map(([, name]) => name);
  const schemes = [...read(BASE).matchAll(/\['light', 'dark'\]/g)].length > 0;
  assert.ok(schemes, 'light and dark are no states any more');
  same([...taken, 'light', 'dark'], names(base.cssStates));
});

/** Room that a slide gives to a simulator, and the ends of a scale: not for strangers. */
const INTERNAL = /^--attn-(room|overflow|map-|waiting-).*$|^--attn-(room|overflow)$/;

test('the custom properties that are described are those that are used', () => {
  const sheets = filesBelow('web/shared').filter(
    (file) => file.endsWith('.css') && !/\/(tokens|slide)\.css$/.test(file),
  );
  const used = [...sheets, ...scripts]
    .flatMap((file) => [...read(file).matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name]) => name))
    .filter((name) => name.startsWith('--attn-') && !INTERNAL.test(name));
  // The ground of the page is for the pages around a simulator, which are coloured by the same names.
  same([...used, '--attn-bg'], names(base.cssProperties));
  const stray = [...sheets, ...filesBelow('web').filter((file) => file.endsWith('.css'))].filter(
    (file) => /var\(--font-(text|mono)/.test(read(file)),
  );
  assert.deepEqual(stray, [], 'typefaces are --attn-font and --attn-font-mono');
});

test('the slots that are described are those that are drawn', () => {
  const slots = [...read(BASE).matchAll(/<slot(?:\s+name="(\w+)")?/g)].map(
    ([, name]) => name ?? '',
  );
  same(slots, names(base.slots));
});

/**
 * What TypeScript says of each program, all of them read at once and without the types that happen to be installed here.
 * @param {Record<string, string>} declarations what stands beside the programs
 */
function checked(declarations, programs, suffix, more = {}) {
  mkdirSync(path.join(ROOT, 'build'), { recursive: true });
  const folder = mkdtempSync(path.join(ROOT, 'build', 'types-of-elements-'));
  const write = (name, text) => writeFileSync(path.join(folder, name), text);
  try {
    for (const [name, text] of Object.entries(declarations)) write(name, text);
    const names = programs.map((_, index) => `use-${index}.${suffix}`);
    names.forEach((name, index) => write(name, programs[index]));
    const compilerOptions = {
      ...{ noEmit: true, strict: true, types: [], lib: ['es2023', 'dom', 'dom.iterable'] },
      ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', ...more },
    };
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: names }));
    const program = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [program, '-p', '.'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const lines = stdout.split('\n').filter(Boolean);
    const others = lines.filter((line) => !/^use-\d+|^\s/.test(line));
    assert.deepEqual(others, [], 'the declarations themselves are in order');
    return names.map((name) => lines.filter((line) => line.startsWith(name)).join('\n'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const found = (said, programs) =>
  said.forEach((words, index) => assert.match(words, /error TS/, programs[index]));

test('a program that uses the elements is checked: right uses pass, wrong ones do not', () => {
  const right = `
    import type { AttnQuery, AttnQueryState } from './attention-deck.js';
    const query: AttnQuery = document.createElement('attn-query');
    query.d_k = 16;
    query.case = 'river';
    query.hide = 'toolbar';
    const rope = document.querySelector('attn-rope')!;
    rope.scaling = 'yarn';
    query.addEventListener('statechange', ({ detail }) => { const q: number[] = detail.q; void q; });
    query.addEventListener('error', (event) => { const code: string | undefined = event.detail.code; void code; });
    query.addEventListener('keydown', (event) => event.key);
    const state: AttnQueryState = query.getState();
    query.setState({ ...state, q: [1, 2] });
    query.whenReady.then((ready) => ready.toCSV().length + ready.toSVG().length);
    query.start().then(() => { query.undo(); query.redo(); query.reset(); query.focus({ preventScroll: true }); });`;
  const wrong = [
    "document.createElement('attn-query').d_k = '16';",
    "document.createElement('attn-query').case = 'brook';",
    "document.createElement('attn-rope').scaling = 'double';",
    "document.createElement('attn-query').getState().Q;",
    "document.createElement('attn-query').setState({ d_k: true });",
    "document.createElement('attn-query').addEventListener('error', (event) => event.detail.kind);",
    "document.createElement('attn-query').compute();",
  ];
  const programs = [right, ...wrong].map((body) => `import './attention-deck.js';\n${body}`);
  const { 'attention-deck.d.ts': declarations } = files;
  const [first, ...others] = checked({ 'attention-deck.d.ts': declarations }, programs, 'ts');
  assert.equal(first, '');
  found(others, wrong);
});

/** As much of React's own types as ours lean on. */
const REACT = `declare module 'react' {
  export interface HTMLAttributes<T> { id?: string; onClick?: (event: T) => void }
  export type DetailedHTMLProps<A, T> = A & { key?: string; ref?: (node: T | null) => void };
  export namespace JSX { interface Element {} interface IntrinsicElements {} }
}
declare module 'react/jsx-runtime' {
  export { JSX } from 'react';
  export const jsx: unknown;
  export const jsxs: unknown;
}`;

test('in JSX the attributes of each element are checked', () => {
  const declarations = {
    'attention-deck.d.ts': files['attention-deck.d.ts'],
    'react.d.ts': reactDeclarations(),
    'react-stub.d.ts': REACT,
  };
  const right = 'export const page = <attn-query id="one" case="river" d-k={16} />;';
  const wrong = [
    'export const page = <attn-query case="brook" />;',
    'export const page = <attn-query brook="river" />;',
  ];
  const lead = '/// <reference path="./react-stub.d.ts" />\nimport \'./react.d.ts\';\n';
  const [first, ...others] = checked(
    declarations,
    [right, ...wrong].map((body) => lead + body),
    'tsx',
    { jsx: 'react-jsx', allowImportingTsExtensions: true },
  );
  assert.equal(first, '');
  found(others, wrong);
});
