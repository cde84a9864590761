/**
 * Llama from a GGUF file in plain loops and float64, written for comparison alone: it shares no line with the module. Where
 * asked, it rounds activations to 8 bits before each product with quantized weights, as the module and llama.cpp do, so
 * that the error which this alone makes can be measured.
 */
import { closeSync, openSync, readSync } from 'node:fs';

const BLOCK = 32;
/** Bytes of a block (of one number, for F32) by GGUF's number of the format. */
const FORMATS = {
  0: { numbers: 1, bytes: 4 },
  3: { numbers: BLOCK, bytes: 20 },
  8: { numbers: BLOCK, bytes: 34 },
};

/** Of a file's beginning: metadata and where tensors lie. */
class Header {
  #bytes;
  #at = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  get at() {
    return this.#at;
  }

  #take(bytes) {
    this.#at += bytes;
    return this.#at - bytes;
  }

  u32() {
    return this.#bytes.readUInt32LE(this.#take(4));
  }

  u64() {
    return Number(this.#bytes.readBigUInt64LE(this.#take(8)));
  }

  text() {
    const length = this.u64();
    const from = this.#take(length);
    return this.#bytes.toString('utf8', from, from + length);
  }

  value(type = this.u32()) {
    switch (type) {
      case 0:
      case 1:
      case 7:
        return this.#bytes[this.#take(1)];
      case 2:
      case 3:
        return this.#bytes.readUInt16LE(this.#take(2));
      case 4:
      case 5:
        return this.u32();
      case 6:
        return this.#bytes.readFloatLE(this.#take(4));
      case 8:
        return this.text();
      case 9: {
        const of = this.u32();
        return Array.from({ length: this.u64() }, () => this.value(of));
      }
      case 10:
      case 11:
        return this.u64();
      case 12:
        return this.#bytes.readDoubleLE(this.#take(8));
      default:
        throw new Error(`Values of type ${type} are not read here.`);
    }
  }
}

const ofHalf = (bits) => {
  const exponent = (bits >> 10) & 31;
  const rest = bits & 1023;
  const size = exponent === 0 ? rest * 2 ** -24 : (1024 + rest) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -size : size;
};

/** Activations [n, columns] as they are when each 32 are whole numbers of -levels to levels times a scale. */
function rounded(x, levels) {
  const made = new Float64Array(x.length);
  for (let from = 0; from < x.length; from += BLOCK) {
    let largest = 0;
    for (let i = from; i < from + BLOCK; i += 1) largest = Math.max(largest, Math.abs(x[i]));
    if (largest === 0) continue;
    const scale = largest / levels;
    for (let i = from; i < from + BLOCK; i += 1) made[i] = scale * Math.round(x[i] / scale);
  }
  return made;
}

/**
 * Root of the mean square of differences of logits, but for what all have in common, which changes no probability.
 * @param {ArrayLike<number>} made
 * @param {ArrayLike<number>} exact
 */
export function errorOf(made, exact) {
  const differences = Array.from(made, (logit, i) => logit - exact[i]);
  const mean = differences.reduce((sum, each) => sum + each, 0) / differences.length;
  const squares = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return Math.sqrt(squares / differences.length);
}

export class Reference {
  #file;
  #tensors = new Map();
  #meta = {};

  constructor(path) {
    this.#file = openSync(path);
    const bytes = Buffer.alloc(1 << 23);
    readSync(this.#file, bytes, 0, bytes.length, 0);
    const header = new Header(bytes);
    if (header.u32() !== 0x46554747 || header.u32() !== 3) throw new Error('This is no GGUF file.');
    const [tensors, values] = [header.u64(), header.u64()];
    for (let i = 0; i < values; i += 1) {
      const key = header.text();
      this.#meta[key] = header.value();
    }
    for (let i = 0; i < tensors; i += 1) {
      const name = header.text();
      const sizes = Array.from({ length: header.u32() }, () => header.u64());
      const format = header.u32();
      this.#tensors.set(name, { sizes, format, from: header.u64() });
    }
    const begin = Math.ceil(header.at / 32) * 32;
    for (const tensor of this.#tensors.values()) tensor.from += begin;
  }

  close() {
    closeSync(this.#file);
  }

  #of(key) {
    return this.#meta[`llama.${key}`];
  }

  #rows(name, first = 0, count = undefined) {
    const { sizes, format, from } = this.#tensors.get(name);
    const [columns, rows = 1] = sizes;
    if (!FORMATS[format])
      throw new Error(`${name} is in format ${format}, which is not read here.`);
    const { numbers, bytes } = FORMATS[format];
    const rowBytes = (columns / numbers) * bytes;
    const read = Buffer.alloc(rowBytes * (count ?? rows));
    readSync(this.#file, read, 0, read.length, from + first * rowBytes);
    return { read, rowBytes, columns, rows: count ?? rows, format };
  }

  #unpack({ read, rowBytes, columns, format }, row, to) {
    for (let c = 0, at = row * rowBytes; c < columns;) {
      if (format === 0) {
        to[c] = read.readFloatLE(at);
        at += 4;
        c += 1;
        continue;
      }
      const d = ofHalf(read.readUInt16LE(at));
      if (format === 3) {
        const m = ofHalf(read.readUInt16LE(at + 2));
        for (let i = 0; i < 16; i += 1) {
          to[c + i] = d * (read[at + 4 + i] & 15) + m;
          to[c + i + 16] = d * (read[at + 4 + i] >> 4) + m;
        }
      } else {
        for (let i = 0; i < BLOCK; i += 1) to[c + i] = d * read.readInt8(at + 2 + i);
      }
      at += FORMATS[format].bytes;
      c += BLOCK;
    }
  }

  #vector(name) {
    const made = this.#rows(name);
    const to = new Float64Array(made.columns);
    this.#unpack(made, 0, to);
    return to;
  }

  /** Activations [n, columns] times weights: [n, rows]. */
  #linear(name, x, parts) {
    const weights = this.#rows(name);
    const { columns, rows } = weights;
    const n = x.length / columns;
    const at = new Float64Array(x);
    if (weights.format !== 0) {
      for (const { first, count, levels } of parts) {
        const [from, to] = [first * columns, (first + count) * columns];
        if (levels) at.set(rounded(x.subarray(from, to), levels), from);
      }
    }
    const row = new Float64Array(columns);
    const out = new Float64Array(n * rows);
    for (let r = 0; r < rows; r += 1) {
      this.#unpack(weights, r, row);
      for (let i = 0; i < n; i += 1) {
        let [even, odd] = [0, 0];
        for (let c = 0, k = i * columns; c < columns; c += 2, k += 2) {
          even += row[c] * at[k];
          odd += row[c + 1] * at[k + 1];
        }
        out[i * rows + r] = even + odd;
      }
    }
    return out;
  }

  #norm(x, gain, epsilon) {
    const d = gain.length;
    const made = new Float64Array(x.length);
    for (let from = 0; from < x.length; from += d) {
      let squares = 0;
      for (let i = 0; i < d; i += 1) squares += x[from + i] ** 2;
      const scale = 1 / Math.sqrt(squares / d + epsilon);
      for (let i = 0; i < d; i += 1) made[from + i] = x[from + i] * scale * gain[i];
    }
    return made;
  }

  /** Turns pairs that lie side by side. */
  #turn(x, width, positions, base, heads) {
    for (let i = 0; i < positions.length; i += 1) {
      for (let h = 0; h < heads; h += 1) {
        for (let c = 0; c < width; c += 2) {
          const angle = positions[i] * base ** (-c / width);
          const at = (i * heads + h) * width + c;
          const [a, b] = [x[at], x[at + 1]];
          x[at] = a * Math.cos(angle) - b * Math.sin(angle);
          x[at + 1] = a * Math.sin(angle) + b * Math.cos(angle);
        }
      }
    }
  }

  #attend(q, k, v, { first, count }, heads, kvHeads, width, out) {
    const scores = new Float64Array(count);
    for (let h = 0; h < heads; h += 1) {
      const of = Math.floor(h / (heads / kvHeads));
      for (let i = 0; i < count; i += 1) {
        const to = ((first + i) * heads + h) * width;
        let most = -Infinity;
        for (let j = 0; j <= i; j += 1) {
          const from = ((first + j) * kvHeads + of) * width;
          let score = 0;
          for (let c = 0; c < width; c += 1) score += q[to + c] * k[from + c];
          scores[j] = score / Math.sqrt(width);
          most = Math.max(most, scores[j]);
        }
        let sum = 0;
        for (let j = 0; j <= i; j += 1) {
          scores[j] = Math.exp(scores[j] - most);
          sum += scores[j];
        }
        for (let j = 0; j <= i; j += 1) {
          const from = ((first + j) * kvHeads + of) * width;
          for (let c = 0; c < width; c += 1) out[to + c] += (scores[j] / sum) * v[from + c];
        }
      }
    }
  }

  /**
   * The logits after the last token of each sequence. All go through the weights together. With `levels`, activations are
   * rounded to whole numbers from -levels to levels: 127 for 8 bits.
   * @param {{ ids: number[], levels?: number }[]} sequences
   * @returns {Float64Array[]}
   */
  logits(sequences) {
    const d = this.#of('embedding_length');
    const heads = this.#of('attention.head_count');
    const kvHeads = this.#of('attention.head_count_kv');
    const width = d / heads;
    const epsilon = this.#of('attention.layer_norm_rms_epsilon');
    let n = 0;
    const parts = sequences.map(({ ids, levels }) => {
      n += ids.length;
      return { first: n - ids.length, count: ids.length, levels };
    });
    const positions = sequences.flatMap(({ ids }) => ids.map((_, i) => i));
    const x = new Float64Array(n * d);
    for (const [i, id] of sequences.flatMap(({ ids }) => ids).entries()) {
      this.#unpack(this.#rows('token_embd.weight', id, 1), 0, x.subarray(i * d, (i + 1) * d));
    }
    const add = (part) => part.forEach((number, i) => (x[i] += number));
    for (let layer = 0; layer < this.#of('block_count'); layer += 1) {
      const at = (name) => `blk.${layer}.${name}.weight`;
      const normed = this.#norm(x, this.#vector(at('attn_norm')), epsilon);
      const [q, k, v] = ['attn_q', 'attn_k', 'attn_v'].map((name) =>
        this.#linear(at(name), normed, parts),
      );
      this.#turn(q, width, positions, this.#of('rope.freq_base'), heads);
      this.#turn(k, width, positions, this.#of('rope.freq_base'), kvHeads);
      const mixed = new Float64Array(n * d);
      for (const part of parts) this.#attend(q, k, v, part, heads, kvHeads, width, mixed);
      add(this.#linear(at('attn_output'), mixed, parts));
      const before = this.#norm(x, this.#vector(at('ffn_norm')), epsilon);
      const gate = this.#linear(at('ffn_gate'), before, parts);
      const up = this.#linear(at('ffn_up'), before, parts);
      add(
        this.#linear(
          at('ffn_down'),
          up.map((number, i) => (number * gate[i]) / (1 + Math.exp(-gate[i]))),
          parts,
        ),
      );
    }
    const last = new Float64Array(sequences.length * d);
    parts.forEach(({ first, count }, i) => {
      const from = (first + count - 1) * d;
      last.set(x.subarray(from, from + d), i * d);
    });
    const lastParts = sequences.map(({ levels }, first) => ({ first, count: 1, levels }));
    const output = this.#tensors.has('output.weight') ? 'output.weight' : 'token_embd.weight';
    const logits = this.#linear(
      output,
      this.#norm(last, this.#vector('output_norm.weight'), epsilon),
      lastParts,
    );
    const vocabulary = logits.length / sequences.length;
    return sequences.map((_, i) => logits.slice(i * vocabulary, (i + 1) * vocabulary));
  }
}
