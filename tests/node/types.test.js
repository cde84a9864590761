import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import ts from 'typescript';

import { load } from '../../web/runtime/index.js';
import { constants, examples } from './examples.js';
import { rootPath } from './support.js';

const tsc = (...options) =>
  spawnSync(process.execPath, [join(rootPath, 'node_modules/typescript/bin/tsc'), ...options], {
    cwd: rootPath,
    encoding: 'utf8',
  });

test('the runtime passes the type checker', () => {
  const { status, stdout } = tsc('-p', 'tsconfig.json');
  assert.equal(status, 0, stdout);
});

test('the declarations of the runtime are those of its source', async () => {
  const made = await mkdtemp(join(rootPath, 'node_modules', '.types-'));
  try {
    const { status, stdout } = tsc('-p', 'web/runtime/types', '--outDir', made);
    assert.equal(status, 0, stdout);
    const committed = join(rootPath, 'web', 'runtime', 'types');
    const names = (await readdir(made, { recursive: true }))
      .filter((name) => name.endsWith('.d.ts'))
      .sort();
    assert.ok(names.includes('index.d.ts'));
    for (const name of names) {
      assert.equal(
        await readFile(join(committed, name), 'utf8'),
        await readFile(join(made, name), 'utf8'),
        `${name} is stale: npx tsc -p web/runtime/types --outDir web/runtime/types`,
      );
    }
  } finally {
    await rm(made, { recursive: true });
  }
});

/** The names of the properties of what a call answers, as the declarations of the bindings say. */
function declaredFields() {
  const file = join(rootPath, 'wasm-bindings', 'core.d.ts');
  const program = ts.createProgram([file], { skipLibCheck: true, types: [] });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source.statements.find(ts.isInterfaceDeclaration);
  return Object.fromEntries(
    module.members.map((member) => {
      const answer = checker.getTypeAtLocation(member.type);
      const success = (answer.types ?? []).find((type) => type.getProperty('value'));
      const value = success && checker.getTypeOfSymbol(success.getProperty('value'));
      return [member.name.getText(), value];
    }),
  );
}

test('every field of every answer is declared, and every declared field is answered', async () => {
  const core = await load('core');
  const declared = declaredFields();
  assert.deepEqual(
    Object.keys(declared).sort(),
    [...Object.keys(examples), ...Object.keys(constants)].sort(),
  );
  for (const [name, example] of Object.entries(examples)) {
    const answer = core[name](example());
    if (ArrayBuffer.isView(answer)) {
      assert.equal(declared[name].symbol.name, answer.constructor.name, name);
      continue;
    }
    const fields = declared[name].getProperties().map((property) => property.name);
    assert.deepEqual(Object.keys(answer).sort(), fields.sort(), name);
  }
});

test('a program that uses the runtime is checked: right calls pass, wrong ones do not', async () => {
  const folder = await mkdtemp(join(rootPath, 'node_modules', '.use-'));
  const check = async (body) => {
    const source = `
      import { load, AttentionDeckError } from '../../web/runtime/types/index.js';
      const core = await load('core', { variant: 'simd', onProgress: ({ loaded }) => void loaded });
      const options = { Q: [1, 2], K: [1, 2], V: [1], n_q: 1, n_k: 1, d_k: 2, d_v: 1 };
      ${body}`;
    const file = join(folder, 'use.ts');
    await writeFile(file, source);
    return tsc(
      ...['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'],
      ...['--moduleResolution', 'bundler', '--types', 'node'],
      file,
    );
  };
  try {
    const right = await check(`
      const { weights, allowed, divisor } = core.attention(options);
      const sum: number = weights[0] + divisor;
      const mark: Uint8Array = allowed;
      try { core.softmax({ x: [1], n: 1, m: 1 }); }
      catch (error) { if (error instanceof AttentionDeckError && error.code === 'aborted') void sum; }
      void mark;`);
    assert.equal(right.status, 0, right.stdout);
    for (const wrong of [
      'core.attention({ ...options, n_q: "1" });',
      'core.attention({ Q: [1] });',
      'core.attention({ ...options, mask: { causal: "yes" } });',
      'core.attention(options).weight;',
      'load("corn");',
      'load("core", { variant: "fast" });',
    ]) {
      const { status, stdout } = await check(wrong);
      assert.notEqual(status, 0, wrong);
      assert.match(stdout, /use\.ts/);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
