/** What the sections ask of the model, in their own words. Every number in the answers is a module's; times are measured. */
import { load } from '../../runtime/index.js';
import { readable } from '../../shared/piece-text.js';

/**
 * @typedef {import('../../runtime/running-model.js').ModelSizes} About
 *
 * @typedef {object} Token
 * @property {number} id
 * @property {string} text  With its white space visible.
 * @property {string} raw  As it is.
 *
 * @typedef {Token & { probability: number }} Candidate
 *
 * @typedef {object} Cut  What is taken out of the model.
 * @property {[number, number][]} heads  Layer and head.
 * @property {number[]} positions
 *
 * @typedef {object} Read
 * @property {Token[]} tokens
 * @property {Float64Array} losses  [n] In nats; the first token has none.
 * @property {number} [mean_loss]
 * @property {Candidate[]} candidates
 * @property {Float64Array} distribution  The probability of each id as the next.
 * @property {number} ms
 *
 * @typedef {Read & { maps: import('../../runtime/reading.js').Reading }} Reading  With what every head looked at.
 *
 * @typedef {Read & { rows: { id: number, text: string, before: number, after: number }[] }} Compared
 */

const encoder = new TextEncoder();
const SHOWN = 8;
const COMPARED = 5;
/** A bill names one; the bytes do not depend on it. */
const ANY_ACCELERATOR = { memory_bytes: 1, bandwidth_bytes_s: 1, flops_s: 1 };

export class ModelCalls {
  #remote;
  #about;

  /**
   * @param {import('../../runtime/remote-model.js').RemoteModel} remote
   * @param {About} about
   */
  constructor(remote, about) {
    this.#remote = remote;
    this.#about = about;
  }

  /** @param {string} text @returns {Promise<Token[]>} */
  async tokens(text) {
    return this.#named(await this.#remote.ask('encode', text));
  }

  /** The first token of a text that goes on. @param {string} text */
  async #firstOf(text) {
    const ids = await this.#remote.ask('encode', text, { begin: false });
    return (await this.#named(ids.subarray(0, 1)))[0];
  }

  /** @param {ArrayLike<number>} ids @returns {Promise<Token[]>} */
  async #named(ids) {
    return (await this.#remote.ask('pieces', ids)).map(shown);
  }

  /** @param {Token[]} tokens @returns {Promise<Reading>} */
  async read(tokens) {
    const wanted = { weights: 'floats', value_lengths: true };
    const { weights, value_lengths, ...read } = await this.#take(tokens, wanted);
    const asItIs = ({ id, raw }) => ({ id, text: raw });
    const maps = {
      model: this.#about,
      tokens: tokens.map(asItIs),
      weights,
      value_lengths,
      losses: read.losses.subarray(1),
      candidates: read.candidates.map((one) => ({ ...asItIs(one), probability: one.probability })),
    };
    return { ...read, maps };
  }

  /**
   * The same tokens through what is left of the model.
   * @param {Read} whole
   * @param {Cut} cut
   * @returns {Promise<Compared>}
   */
  async compare(whole, { heads, positions }) {
    const after = await this.#take(whole.tokens, { ablation: { heads: heads.flat(), positions } });
    const first = [whole, after].flatMap(({ candidates }) => candidates.slice(0, COMPARED));
    const unique = [...new Map(first.map((one) => [one.id, one])).values()];
    const rows = unique.map(({ id, text }) => ({
      id,
      text,
      before: whole.distribution[id],
      after: after.distribution[id],
    }));
    return { ...after, rows };
  }

  /**
   * @param {Token[]} tokens
   * @param {object} options
   */
  async #take(tokens, options) {
    await this.#remote.ask('reset');
    const ids = tokens.map(({ id }) => id);
    const { value, ms } = await this.#remote.timed('take', ids, { losses: true, ...options });
    const candidates = (await this.#remote.ask('candidates', SHOWN)).map(shown);
    const distribution = await this.#remote.distribution();
    const means = await runningMeans(value.losses.subarray(1));
    return { ...value, tokens, ms, candidates, distribution, mean_loss: means.at(-1) };
  }

  /**
   * Writes on, one token after another.
   * @param {Token[]} prompt
   * @param {{ count: number, sampling: object, cached: boolean, backend?: string }} options  Without the cache all tokens go
   *   through the model again for each new one, on the processor; `backend` is who takes the prompt in with it.
   * @returns {AsyncGenerator<{ token: Token, ms: number, prompt?: import('../../runtime/running-model.js').TakeRun }>}
   *   `prompt` with the first token, of who took the prompt in.
   */
  async *generate(prompt, { count, sampling, cached, backend = this.#about.backend }) {
    const remote = this.#remote;
    const ids = prompt.map(({ id }) => id);
    await remote.ask('reset');
    for (let step = 0; step < count; step += 1) {
      if (!cached) await remote.ask('reset');
      const isPrompt = cached && step === 0;
      const taken = isPrompt
        ? await remote.timed('takeAnywhere', ids, { backend })
        : await remote.timed('take', cached ? ids.slice(-1) : ids);
      const next = await remote.timed('next', sampling);
      if (next.value === this.#about.end_id) return;
      ids.push(next.value);
      const [token] = await this.#named([next.value]);
      // Without what comes once: an adapter that is asked for, kernels that are compiled.
      const ms = isPrompt ? taken.value.compute_ms : taken.ms;
      yield { token, ms: ms + next.ms, prompt: isPrompt ? taken.value : undefined };
    }
  }

  /** What the cache holds, counted there, and what the lecture's bill says of the same model. */
  async cacheSize() {
    const { n_layers, n_heads, n_kv_heads, head_dim, cache_format } = this.#about;
    const state = await this.#remote.ask('state');
    const bills = await load('bill');
    const bill = bills.bill({
      model: { n_layers, full_layers: n_layers, n_heads, n_kv_heads, d_k: head_dim, d_v: head_dim },
      cache_format,
      tokens: state.length,
      ...ANY_ACCELERATOR,
    });
    return { ...state, token_bytes: bill.token_bytes, formula_bytes: bill.needed_bytes };
  }

  /**
   * Reads token by token with a cache that forgets after each.
   * @param {Token[]} tokens
   * @param {{ kept?: number, sinks?: number }} way  Nothing is forgotten without `kept`.
   * @param {{ from: number, onToken: (at: number) => void, signal: AbortSignal }} options  Losses count after token `from`:
   *   before, nothing is forgotten in any way.
   */
  async evicting(tokens, { kept, sinks = 0 }, { from, onToken, signal }) {
    const remote = this.#remote;
    await remote.ask('reset', { pinned: sinks });
    const losses = [];
    let visible = 0;
    for (const [at, { id }] of tokens.entries()) {
      if (signal.aborted) break;
      const taken = await remote.ask('take', [id], { losses: true });
      if (at > from) losses.push(taken.losses[0]);
      const left = kept === undefined ? taken : await remote.ask('evict', kept);
      visible = left.visible_tokens;
      if (at % 8 === 0) onToken(at);
    }
    await remote.ask('reset');
    const running_loss = await runningMeans(losses);
    return { losses, from, running_loss, mean_loss: running_loss.at(-1), visible };
  }

  /**
   * How probable each answer is after a text.
   * @param {string} text
   * @param {string[]} answers  Of each, its first token counts.
   */
  async ask(text, answers) {
    const read = await this.#take(await this.tokens(text), {});
    const firsts = await Promise.all(answers.map((one) => this.#firstOf(one)));
    return {
      text,
      candidates: read.candidates.slice(0, 3),
      answers: firsts.map((one) => ({ ...one, probability: read.distribution[one.id] })),
    };
  }
}

/** @template {{ text: string }} T @param {T} piece @returns {T} */
const shown = (piece) => ({
  ...piece,
  raw: piece.text,
  text: readable(encoder.encode(piece.text)),
});

/**
 * The mean of the first, of the first two, and so on. Queries and keys of zeros make every weight of a row the same: causal
 * attention over the numbers is their running mean.
 * @param {ArrayLike<number>} numbers
 * @returns {Promise<Float64Array>}
 */
async function runningMeans(numbers) {
  const n = numbers.length;
  if (n === 0) return new Float64Array(0);
  const core = await load('core');
  const zeros = new Float64Array(n);
  const { output } = core.attention({
    Q: zeros,
    K: zeros,
    V: numbers,
    n_q: n,
    n_k: n,
    d_k: 1,
    d_v: 1,
    mask: { causal: true },
  });
  return output;
}
