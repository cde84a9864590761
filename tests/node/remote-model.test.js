/** A model in another thread: calls, arrays, errors and the way of its bytes, with a stand-in for the module. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';

import { AttentionDeckError } from '../../web/runtime/errors.js';
import { answerCalls } from '../../web/runtime/model-calls.js';
import { partsOfFiles } from '../../web/runtime/model-files/parts.js';
import { RemoteModel, canGoOn } from '../../web/runtime/remote-model.js';
import { golden, tinySafetensors } from './tiny-model.js';
import { tinyTokenizerJson, tinyTokens } from './tiny-vocabulary.js';

/** What the module would be: it keeps what it is given and refuses a file that begins with 255. */
function standIn() {
  const closed = [];
  const model = {
    config: { name: 'stand-in' },
    double: (numbers) => ({ numbers: Float32Array.from(numbers, (x) => 2 * x), count: 3 }),
    refuse() {
      throw new AttentionDeckError('out_of_range', 'tokens must be there.', { field: 'tokens' });
    },
    slowly: () => new Promise((resolve) => setTimeout(resolve, 5)),
    quickly: () => undefined,
    close: () => closed.push('model'),
  };
  const gguf = ({ file_bytes }) => {
    const given = [];
    let count = 0;
    return {
      progress: () => ({ weight_bytes: file_bytes, given_bytes: count }),
      wanted: () => (count < file_bytes ? { file: 0, begin: count, bytes: 1000 } : undefined),
      give(bytes) {
        if (bytes[0] === 255) {
          throw new AttentionDeckError('bad_argument', 'This is no GGUF.', { field: 'file' });
        }
        given.push(...bytes);
        count += bytes.length;
      },
      finish: () => ({ ...model, given: () => Uint8Array.from(given) }),
      close: () => closed.push('loader'),
    };
  };
  return { gguf, closed };
}

function connected() {
  const { port1, port2 } = new MessageChannel();
  const { gguf, closed } = standIn();
  answerCalls(port1, async () => ({ gguf }));
  const remote = new RemoteModel(port2);
  return { remote, closed, end: () => port2.close() };
}

const filled = (length, first) => {
  const bytes = new Uint8Array(length).fill(7);
  bytes[0] = first;
  return bytes;
};
const parts = (bytes) => partsOfFiles([new File([bytes], 'model.gguf')]);

test('a file reaches the worker whole, and the model answers with arrays that moved', async () => {
  const { remote, end } = connected();
  const bytes = filled(5500, 1);
  const heard = [];
  const onProgress = ({ loaded }) => heard.push(loaded);
  const about = await remote.bringing(await parts(bytes)).run({ onProgress });
  assert.deepEqual(about, { name: 'stand-in' });
  assert.deepEqual(await remote.ask('given'), bytes);
  assert.deepEqual(heard, [1000, 2000, 3000, 4000, 5000, 5500, 5500]);
  const numbers = Float32Array.from([1, 2]);
  assert.deepEqual(await remote.ask('double', numbers), {
    numbers: Float32Array.from([2, 4]),
    count: 3,
  });
  end();
});

test('errors keep their kind, and what is wrong with one call is not wrong with the next', async () => {
  const { remote, closed, end } = connected();
  const bad = remote.bringing(await parts(filled(2000, 255))).run();
  await assert.rejects(bad, { name: 'AttentionDeckError', code: 'bad_argument', field: 'file' });
  await remote.bringing(await parts(filled(2000, 1))).run();
  assert.deepEqual(closed, ['loader'], 'what came half-way was let go');
  await assert.rejects(remote.ask('refuse'), { code: 'out_of_range', field: 'tokens' });
  await assert.rejects(remote.ask('nothing'), { name: 'TypeError' });
  assert.equal((await remote.ask('double', [1])).count, 3);
  end();
});

test('a call waits for the one before, also where that one waits itself', async () => {
  const { remote, end } = connected();
  await remote.bringing(await parts(filled(2000, 1))).run();
  const done = [];
  await Promise.all([
    remote.ask('slowly').then(() => done.push('slow')),
    remote.ask('quickly').then(() => done.push('quick')),
  ]);
  assert.deepEqual(done, ['slow', 'quick']);
  end();
});

test('what is cancelled goes on where it was', async () => {
  const { remote, end } = connected();
  const bytes = filled(3000, 1);
  const bringing = remote.bringing(await parts(bytes));
  const stop = new AbortController();
  await assert.rejects(
    bringing.run({ signal: stop.signal, onProgress: () => stop.abort() }),
    (error) => error.name === 'AbortError' && canGoOn(error),
  );
  await bringing.run();
  assert.deepEqual(await remote.ask('given'), bytes);
  end();
});

test('a thread that ends is told to whoever waits, and afterwards', async () => {
  const { remote, end } = connected();
  const waiting = remote.ask('double', [1]);
  remote.close();
  await assert.rejects(waiting, { code: 'aborted', message: /ended/ });
  await assert.rejects(remote.ask('double', [1]), { code: 'aborted' });
  assert.ok(!canGoOn(new AttentionDeckError('aborted', '')));
  end();
});

test('the module itself answers in the same way: safetensors with their tokenizer, tokens, a cut, a cache', async () => {
  const { port1, port2 } = new MessageChannel();
  answerCalls(port1);
  const remote = new RemoteModel(port2);
  const of = golden.cases.find(
    ({ file, architecture }) => file === 'safetensors' && architecture === 'gpt2',
  );
  const speaking = { ...of, config: { ...of.config, vocab_size: tinyTokens.length } };
  const { config, files } = tinySafetensors(speaking, 2);
  const chosen = [
    ...files.map((file, i) => new File([file], `model-${i}.safetensors`)),
    new File([config], 'config.json'),
    new File([tinyTokenizerJson], 'tokenizer.json'),
  ];
  const about = await remote.bringing(await partsOfFiles(chosen)).run();
  assert.deepEqual([about.architecture, about.has_tokenizer], ['gpt2', true]);
  const ids = await remote.ask('encode', 'to be');
  assert.equal(ids.length, 5);
  const whole = await remote.ask('take', ids, { losses: true, weights: 'floats' });
  assert.equal(whole.weights.length, about.n_layers * about.n_heads * 25);
  const probabilities = await remote.distribution();
  assert.ok(Math.abs(probabilities.reduce((sum, p) => sum + p, 0) - 1) < 1e-6);
  await remote.ask('reset');
  const { value, ms } = await remote.timed('take', ids, {
    losses: true,
    ablation: { heads: [0, 0] },
  });
  assert.ok(ms >= 0);
  assert.notDeepEqual(value.losses.slice(1), whole.losses.slice(1));
  await assert.rejects(remote.ask('take', [9999]), { code: 'out_of_range' });
  const nowhere = remote.ask('take', ids, { ablation: { heads: [99, 0] } });
  await assert.rejects(nowhere, { code: 'out_of_range', message: /head/ });
  assert.equal((await remote.ask('state')).cache_bytes, 5 * about.cache_bytes_per_token);
  port2.close();
});
