/**
 * The npm package as somebody gets it: made, packed, installed into an empty folder without a network, used under Node, checked by
 * TypeScript, put together by Vite and opened in Chromium.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { build } from 'vite';

import { pack, writePackage } from '../../web/build/package.mjs';
import { launchChromium, openPage } from '../browser/chromium.js';
import { serve } from '../browser/server.js';
import { rootPath } from './support.js';

/** Outside the repository, so that nothing of it is found by chance. */
const folder = mkdtempSync(path.join(tmpdir(), 'attn-package-'));
const at = (...parts) => path.join(folder, ...parts);
const installed = (...parts) => at('node_modules/attention-deck', ...parts);
const write = (name, text) => {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
};

before(async () => {
  await writePackage(at('made'));
  mkdirSync(at('user'));
  const tarball = pack(at('made'), folder);
  write('package.json', '{ "name": "somebody", "private": true, "type": "module" }\n');
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', `file:${tarball}`],
    { cwd: folder, encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
});

after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program of the folder under Node; what it prints is JSON. */
function run(program) {
  write('program.mjs', program);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['program.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

test('it brings no script that runs when it is installed, no dependency, and all that it names', () => {
  const about = JSON.parse(readFileSync(installed('package.json'), 'utf8'));
  const own = JSON.parse(readFileSync(path.join(rootPath, 'package.json'), 'utf8'));
  assert.equal(about.version, own.version);
  for (const name of ['scripts', 'dependencies', 'private']) assert.equal(about[name], undefined);
  assert.equal(about.publishConfig.provenance, true);
  const targets = Object.entries(about.exports)
    .flatMap(([, target]) => (typeof target === 'string' ? target : Object.values(target ?? {})))
    .filter((target) => !target.includes('*'));
  for (const target of [...targets, about.types, about.customElements])
    assert.ok(existsSync(installed(target)), target);
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md', 'NOTICE.md'])
    assert.ok(existsSync(installed(name)), name);
  const licences = readFileSync(installed('NOTICE.md'), 'utf8');
  for (const words of [/## lit \d/, /BSD-3-Clause/, /## wasm-feature-detect \d/, /Apache License/])
    assert.match(licences, words);
  const manifest = JSON.parse(readFileSync(installed(about.customElements), 'utf8'));
  for (const module of manifest.modules) assert.ok(existsSync(installed(module.path)), module.path);
});

test('under Node it computes the numbers of the lecture', () => {
  const { weights, ids, figures } = run(`
    import { load } from 'attention-deck/runtime';
    import lecture from 'attention-deck/data/lecture.json' with { type: 'json' };
    const core = await load('core');
    const { weights } = core.attention({
      Q: [1, 2], K: [1, 0, 1, 1, 0, 2], V: [1, 0, 0.5, 0.5, 1, 0], n_q: 1, n_k: 3, d_k: 2, d_v: 2,
    });
    const gpt2 = await (await load('tokens')).vocabulary('gpt2');
    console.log(JSON.stringify({
      weights: [...weights], ids: [...gpt2.encode('the cat climbed the')], figures: lecture.figures.length,
    }));`);
  assert.deepEqual(
    weights.map((weight) => weight.toFixed(3)),
    ['0.074', '0.306', '0.620'],
  );
  assert.deepEqual(ids, [1169, 3797, 19952, 262]);
  assert.ok(figures > 10);
});

test('under Node bad input has a code and a field, and what is not exported stays inside', () => {
  const seen = run(`
    import { AttentionDeckError, load } from 'attention-deck/runtime';
    const core = await load('core');
    const seen = {};
    try { core.attention({ Q: [1], K: [1], V: [1], n_q: '1', n_k: 1, d_k: 1, d_v: 1 }); }
    catch (error) { seen.bad = [error instanceof AttentionDeckError, error.code, error.field]; }
    for (const name of ['runtime/loader.js', 'runtime/core', 'elements/index', 'elements/shared/x', 'elements/server', 'corn']) {
      try { await import('attention-deck/' + name); seen[name] = 'imported'; }
      catch (error) { seen[name] = error.code; }
    }
    // On a server the elements are inert, and importing them is no error.
    const { wake, load: same } = await import('attention-deck');
    seen.server = [typeof wake(), (await same('core')) === core];
    console.log(JSON.stringify(seen));`);
  const { bad, server, ...inside } = seen;
  assert.deepEqual(bad, [true, 'bad_argument', 'n_q']);
  assert.deepEqual(server, ['undefined', true]);
  for (const [name, code] of Object.entries(inside))
    assert.equal(code, 'ERR_PACKAGE_PATH_NOT_EXPORTED', name);
});

test('TypeScript knows the runtime and the elements, and finds what is wrong', () => {
  /** What TypeScript says of each program, all of them read at once. */
  const check = (programs) => {
    const files = programs.map((_, index) => `use-${index}.ts`);
    files.forEach((file, index) => write(file, programs[index]));
    const { stdout } = spawnSync(
      process.execPath,
      [
        path.join(rootPath, 'node_modules/typescript/bin/tsc'),
        ...['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'],
        ...['--lib', 'es2023,dom,dom.iterable', ...files],
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    const lines = stdout.split('\n').filter(Boolean);
    const others = lines.filter((line) => !/^use-\d+\.ts|^\s/.test(line));
    assert.deepEqual(others, [], 'the declarations themselves are in order');
    return files.map((file) => lines.filter((line) => line.startsWith(file)).join('\n'));
  };
  const right = `
    import { wake, load, type AttnRopeState } from 'attention-deck';
    import { AttnQuery } from 'attention-deck/elements/query';
    import { AttentionDeckError } from 'attention-deck/runtime';
    const query: AttnQuery = document.createElement('attn-query');
    query.d_k = 4;
    wake(document.createElement('div').attachShadow({ mode: 'open' }));
    const core = await load('core');
    const sum: number = core.attention({ Q: [1], K: [1], V: [1], n_q: 1, n_k: 1, d_k: 1, d_v: 1 }).divisor;
    const rope: AttnRopeState['scaling'] = 'yarn';
    export const told = (error: unknown) => error instanceof AttentionDeckError && error.code;
    void sum; void rope;`;
  const wrong = [
    "import { load } from 'attention-deck/runtime'; (await load('core')).attention({ Q: [1] });",
    "import { load } from 'attention-deck'; await load('corn'); export {};",
    "import 'attention-deck'; document.createElement('attn-query').d_k = 'four';",
    "import * as brook from 'attention-deck/elements/brook'; void brook;",
    "import * as loader from 'attention-deck/runtime/loader.js'; void loader;",
  ];
  const [first, ...others] = check([right, ...wrong]);
  assert.equal(first, '');
  others.forEach((said, index) => assert.match(said, /error TS/, wrong[index]));
});

test('a page that Vite puts together from it computes and draws in Chromium, and fetches one module once', async () => {
  write(
    'page/index.html',
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Somebody’s page</title><link rel="icon" href="data:,"></head>
    <body><attn-query id="one" d-k="4"></attn-query><attn-shapes id="other"></attn-shapes>
    <script type="module" src="./main.js"></script></body></html>`,
  );
  write(
    'page/main.js',
    `import 'attention-deck';
    import 'attention-deck/elements/shapes';
    import { load } from 'attention-deck/runtime';
    const core = await load('core');
    const { weights } = core.attention({
      Q: [1, 2], K: [1, 0, 1, 1, 0, 2], V: [1, 0, 0.5, 0.5, 1, 0], n_q: 1, n_k: 3, d_k: 2, d_v: 2,
    });
    globalThis.weights = [...weights];`,
  );
  await build({
    configFile: false,
    root: at('page'),
    base: './',
    logLevel: 'error',
    build: { target: 'esnext', modulePreload: { polyfill: false } },
  });
  const server = await serve(at('page/dist'), { policy: false });
  const browser = await launchChromium();
  try {
    const { page, troubles, close } = await openPage(browser, server.origin);
    const fetched = [];
    page.on('request', (request) => fetched.push(request.url()));
    await page.goto(`${server.origin}/index.html`);
    const seen = await page.evaluate(async () => {
      const found = [];
      for (const id of ['one', 'other']) {
        const element = globalThis.document.getElementById(id);
        await globalThis.customElements.whenDefined(element.localName);
        await element.whenReady;
        found.push(element.getState());
      }
      return { found, weights: globalThis.weights.map((weight) => weight.toFixed(3)) };
    });
    assert.deepEqual(seen.weights, ['0.074', '0.306', '0.620']);
    assert.equal(seen.found[0].d_k, 4);
    const modules = fetched.filter((url) => url.endsWith('.wasm'));
    assert.equal(modules.length, 1, modules.join('\n'));
    assert.match(modules[0], /core\./);
    assert.deepEqual(troubles, []);
    await close();
  } finally {
    await browser.close();
    await server.close();
  }
});
