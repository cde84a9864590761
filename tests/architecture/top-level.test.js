import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { ROOT } from './files.js';

const FOLDERS = ['src', 'web', 'wasm-bindings', 'tests', 'slides', 'cmake', '.github', '.ci'];
const FILES = [
  'CMakeLists.txt',
  'CMakePresets.json',
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'DECISIONS.md',
  'LICENSE',
  'package.json',
  'package-lock.json',
  '.npmrc',
  '.gitignore',
  '.gitattributes',
  '.editorconfig',
  '.nvmrc',
  '.clang-format',
  '.clang-tidy',
  '.prettierrc.json',
  '.prettierignore',
  '.stylelintrc.json',
  '.htmlvalidate.json',
  'eslint.config.js',
  'vite.config.js',
  'tsconfig.json',
  'custom-elements.json',
];

/** Entries that belong to nobody. `ignored` says what git leaves out. */
export const strangers = (entries, ignored) =>
  entries.filter(
    (name) => name !== '.git' && !FOLDERS.includes(name) && !FILES.includes(name) && !ignored(name),
  );

function ignoredByGit(name) {
  try {
    execFileSync('git', ['check-ignore', '-q', name], { cwd: ROOT, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('the top level holds the fixed folders and the files that tools demand there', () => {
  assert.deepEqual(strangers(readdirSync(ROOT), ignoredByGit), []);
});

test('a new folder or file at the top is caught', () => {
  assert.deepEqual(
    strangers(['src', 'lib', 'notes.txt', 'build'], (name) => name === 'build'),
    ['lib', 'notes.txt'],
  );
});
