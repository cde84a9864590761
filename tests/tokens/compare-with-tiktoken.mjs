#!/usr/bin/env node
// Encodes generated texts, and real ones found on this machine, with the C++ of this project and with npm's tiktoken
// and compares every id, for GPT-2, cl100k and o200k.
//
//   node tests/tokens/compare-with-tiktoken.mjs [--strings 100000] [--seed 1] [--peers <folder with tiktoken>]
//
// tiktoken is installed into a temporary folder by this script, and by nothing else. It needs a C++ compiler ($CXX or
// g++) that knows C++23.

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { randomNumbers, text } from './texts.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    strings: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    peers: { type: 'string' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'attention-deck-tokens-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const encodings = [
  { name: 'gpt2', pretokenizer: 'gpt2' },
  { name: 'cl100k_base', pretokenizer: 'cl100k' },
  { name: 'o200k_base', pretokenizer: 'o200k' },
];

function installPeers() {
  if (values.peers) return values.peers;
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', 'tiktoken@1.0.22'], {
    cwd: folder,
    stdio: 'inherit',
  });
  return folder;
}

function buildEncoder() {
  const program = join(folder, 'encode_records');
  const sources = ['src/tokenizer', 'src/tokenizer/unicode']
    .flatMap((path) => readdirSync(join(root, path)).map((name) => join(root, path, name)))
    .filter((path) => path.endsWith('.cpp'));
  execFileSync(
    process.env.CXX ?? 'g++',
    [
      ...['-std=c++23', '-O2', `-I${join(root, 'src')}`, ...sources],
      ...['core/error.cpp', 'core/limits.cpp'].map((path) => join(root, 'src', path)),
      ...[join(root, 'tests/tokens/encode_records.cpp'), '-o', program],
    ],
    { stdio: 'inherit' },
  );
  return program;
}

/** Real texts in many languages: what programs on a Linux machine say in their translations. */
function realTexts() {
  const texts = [];
  const languages = new Set();
  const base = '/usr/share/locale';
  for (const language of existsSync(base) ? readdirSync(base) : []) {
    const messages = join(base, language, 'LC_MESSAGES');
    if (!existsSync(messages)) continue;
    for (const name of readdirSync(messages)
      .filter((file) => file.endsWith('.mo'))
      .slice(0, 4)) {
      const path = join(messages, name);
      if (statSync(path).size > 400_000) continue;
      const strings = readFileSync(path).toString('utf8').split('\0').slice(1);
      // The first half is English, and the same in every language.
      const translated = strings.slice(Math.floor(strings.length / 2)).join('\n');
      if (translated.length < 500) continue;
      texts.push(translated);
      languages.add(language);
    }
  }
  return { texts, languages };
}

function tiktokenFile(peers, name) {
  const { bpe_ranks: ranks } = JSON.parse(
    readFileSync(join(peers, `node_modules/tiktoken/encoders/${name}.json`), 'utf8'),
  );
  let file = '';
  for (const line of ranks.split('\n')) {
    const [, first, ...tokens] = line.split(' ');
    tokens.forEach((token, index) => (file += `${token} ${Number(first) + index}\n`));
  }
  const path = join(folder, `${name}.tiktoken`);
  writeFileSync(path, file);
  return path;
}

const peers = installPeers();
const program = buildEncoder();
const random = randomNumbers(Number(values.seed));
const real = realTexts();
const texts = [
  ...Array.from({ length: Number(values.strings) }, () => text(random)),
  ...real.texts,
];
const encoder = new TextEncoder();
const records = texts.flatMap((string) => {
  const bytes = encoder.encode(string);
  return [Buffer.from(Uint32Array.of(bytes.length).buffer), Buffer.from(bytes)];
});
writeFileSync(join(folder, 'records'), Buffer.concat(records));
const { get_encoding: getEncoding } = createRequire(join(peers, 'x.js'))('tiktoken');
console.log(
  `${values.strings} generated texts, ${real.texts.length} real ones in ${real.languages.size} languages (${[...real.languages].slice(0, 40).join(' ')})`,
);

let wrong = 0;
for (const { name, pretokenizer } of encodings) {
  const out = join(folder, `${name}.ids`);
  execFileSync(program, [tiktokenFile(peers, name), pretokenizer, join(folder, 'records'), out], {
    stdio: 'inherit',
  });
  const bytes = readFileSync(out);
  const ours = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const peer = getEncoding(name);
  let at = 0;
  let different = 0;
  let tokens = 0;
  for (const string of texts) {
    const ids = ours.subarray(at + 1, at + 1 + ours[at]);
    at += 1 + ours[at];
    const theirs = peer.encode_ordinary(string);
    tokens += theirs.length;
    if (ids.length === theirs.length && ids.every((id, index) => id === theirs[index])) continue;
    different += 1;
    if (different <= 5) {
      console.log(
        `${name}: ${JSON.stringify(string.slice(0, 300))}\n  ours   ${ids.slice(0, 60)}\n  theirs ${theirs.slice(0, 60)}`,
      );
    }
  }
  peer.free();
  console.log(`${name}: ${texts.length} texts, ${tokens} tokens, ${different} differ`);
  wrong += different;
}
process.exitCode = wrong === 0 ? 0 : 1;
