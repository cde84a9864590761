#!/usr/bin/env python3
"""The figures of our own: definition beside value, in float64 and the standard library alone, so that
they are independent of the C++ they test. Run it to write deck.json; it fails when a printed digit
is not the rounded value. The row format is lecture.json's."""
import json
import math
import re
import struct
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

ROWS = []


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


def softmax(scores):
    top = max(scores)
    powers = [math.exp(s - top) for s in scores]
    return [p / math.fsum(powers) for p in powers]


def attend(q, K, V, d_k=None):
    """weights and output of one query; rows are lists."""
    weights = softmax([dot(q, k) / math.sqrt(d_k or len(q)) for k in K])
    return weights, [dot(weights, column) for column in zip(*V)]


def half_unit(text):
    return 0.5 * 10.0 ** -len(text.partition('.')[2])


def printed_tolerance(printed, value):
    if isinstance(printed, list):
        return [printed_tolerance(p, v) for p, v in zip(printed, value, strict=True)]
    if not re.fullmatch(r'-?[\d.,]+', printed):
        raise SystemExit(f'{printed} is not a number')
    tolerance = half_unit(printed)
    if abs(float(printed.replace(',', '')) - value) > tolerance * (1 + 1e-9):
        raise SystemExit(f'{value} does not print as {printed}')
    return tolerance


def row(id, slide, what, definition, inputs, printed, computed, role='shown', tolerance=1e-12):
    ROWS.append({
        'id': id, 'document': 'deck', 'line': None, 'what': what, 'definition': definition,
        'inputs': inputs, 'printed': printed, 'computed': computed,
        'status': 'text' if printed is None else 'ok',
        'tolerance_printed': None if printed is None else printed_tolerance(printed, computed),
        'tolerance_computed': tolerance, 'note': '', 'slide': slide, 'role': role,
        'tolerance_kind': 'relative'})


# ---------- slide 1: a row of weights that follows its query ----------
row_inputs = {'q': [1, 2], 'K': [[2, 0], [-1, 1], [-2, 0], [0, 2], [1, 1]], 'd_k': 2,
              'tokens': ['sat', 'on', 'the', 'river', 'bank']}
row('deck.row.scores', 1, 'scores of the row that the title slide opens with', 'q.k', row_inputs,
    ['2', '1', '-2', '4', '3'], [dot(row_inputs['q'], k) for k in row_inputs['K']])
row('deck.row.weights', 1, 'its weights', 'softmax(q.k / sqrt(2))', row_inputs,
    ['0.13', '0.06', '0.01', '0.53', '0.26'], attend(row_inputs['q'], row_inputs['K'], [[0]] * 5)[0])

# ---------- slide 2: the middle number of five, by attention ----------
for name, x in (('a', [2, 0, 1, 0, 0]), ('b', [0, 0, 1, 0, 2])):
    printed = ['0.56', '0.08', '0.21', '0.08', '0.08'] if name == 'a' else ['0.08', '0.08', '0.21', '0.08', '0.56']
    row(f'deck.middle.{name}', 2, f'attention of the middle number of input {name.upper()} to each of the five',
        'softmax(x[2] * x), query = key = the number itself, d_k = 1', {'x': x, 'd_k': 1}, printed,
        softmax([x[2] * v for v in x]))

# ---------- slide 10: one "bank", two sentences ----------
two = {'river': {'q': [1, 2], 'K': [[1, 0], [1, 1], [0, 2]], 'V': [[1, 0], [0.5, 0.5], [1, 0]],
                 'd_k': 2, 'tokens': ['sat', 'bank', 'river'], 'axes': ['river', 'money']},
       'cash': {'q': [1, 2], 'K': [[1, 0], [1, 1], [0, 2]], 'V': [[0.5, 0.5], [0.5, 0.5], [0, 1]],
                'd_k': 2, 'tokens': ['went', 'bank', 'cash'], 'axes': ['river', 'money']}}
for name, out in (('river', ['0.85', '0.15']), ('cash', ['0.19', '0.81'])):
    weights, output = attend(two[name]['q'], two[name]['K'], two[name]['V'])
    row(f'deck.two.{name}.w', 10, f'weights of "bank" in the sentence about {name}', 'softmax(q.k / sqrt(2))',
        two[name], ['0.07', '0.31', '0.62'], weights)
    row(f'deck.two.{name}.out', 10, '"bank" after re-reading that sentence', 'sum of weight x value',
        two[name], out, output)

# ---------- slide 11: a dictionary that answers softly ----------
soft = {'q': [1, 3], 'K': [[1, 0], [0, 1]], 'V': [[3], [7]], 'd_k': 2, 'tokens': ['apple', 'pear']}
weights, output = attend(soft['q'], soft['K'], soft['V'])
row('deck.soft.w', 11, 'how much each key of the stock answers', 'softmax(q.k / sqrt(2))', soft,
    ['0.20', '0.80'], weights)
row('deck.soft.out', 11, 'the soft answer, beside the exact 7', 'sum of weight x value', soft, ['6.22'], output)
sharp = {**soft, 'q': [0, 100]}
row('deck.soft.sharp', 11, 'a query that means pear and nothing else: the exact answer is its limit',
    'sum of weight x value', sharp, ['7.00'], attend(sharp['q'], soft['K'], soft['V'])[1], role='support')

# ---------- slide 16: "the cat sat" with a pencil ----------
# In decimal arithmetic, so that a half is a half; the exponential alone is rounded from float64.
DECIMALS = 3


def pencil(value):
    return Decimal(value).quantize(Decimal(1).scaleb(-DECIMALS), ROUND_HALF_UP)


def decimals(rows):
    return [decimals(r) if isinstance(r, list) else Decimal(str(r)) for r in rows]


hand = {'q': [1.2, 0.4], 'K': [[0.2, 0.1], [0.9, 0.3], [0.1, 0.8]], 'V': [[0.0, 0.1], [0.8, 0.6], [0.2, 0.9]],
        'd_k': 2, 'tokens': ['the', 'cat', 'sat'], 'decimals': DECIMALS}
q, K, V = (decimals(hand[name]) for name in 'qKV')
scores = [sum(a * b for a, b in zip(q, k)) for k in K]
root = pencil(math.sqrt(2))
scaled = [pencil(s / root) for s in scores]
powers = [pencil(math.exp(s)) for s in scaled]
total = pencil(sum(powers))
shares = [pencil(p / total) for p in powers]
parts = [[pencil(w * v) for v in values] for w, values in zip(shares, V)]
output = [pencil(sum(column)) for column in zip(*parts)]
rule = 'each step rounded to 3 places, halves away from zero, before the next one uses it'


def hand_row(id, what, value, role='support'):
    def texts(v):
        return [texts(x) for x in v] if isinstance(v, list) else str(v)

    def floats(v):
        return [floats(x) for x in v] if isinstance(v, list) else float(v)

    row(f'deck.hand.{id}', 16, f'by hand: {what}', rule, hand, texts(value), floats(value), role)


hand_row('root', 'sqrt 2', root)
hand_row('scaled', 'scores over sqrt 2', scaled)
hand_row('exp', 'exponentials', powers)
hand_row('exp.cat', 'exponential of "cat"; exactly it prints 2.336', powers[1], 'shown')
hand_row('sum', 'their sum; exactly it prints 4.920', total, 'shown')
hand_row('w', 'weights', shares)
hand_row('contrib', 'weight x value', parts)
hand_row('contrib.sat', 'contribution of "sat", second component; exactly it prints 0.250', parts[2][1], 'shown')
hand_row('out', 'output', output)

# ---------- slide 9: the rows of the short vocabulary that the lecture leaves open ----------
table = [[-0.5, -0.5, 0, 1], [-0.5, 0, -0.5, 1], [1, -0.5, 0, -0.5], [1, 0, -0.5, -0.5], [-0.5, 1, 0, -0.5],
         [0, 0.5, -0.5, 0], [0.5, -1, 0, 0.5], [0, 0, 1, -0.5], [-1, 0.5, 0.5, 0], [0.5, -0.5, -0.5, 0.5],
         [-0.5, 0.5, 0.5, 0], [0, 0, -0.5, 0.5]]
places = [[0, 0, 0, 0], [0.5, 0, -0.5, 0], [0, 0.5, 0, -0.5], [-0.5, 0, 0.5, 0], [0, -0.5, 0, 0.5]]
dog_ids = [0, 3, 10, 8, 1]
dog = [[e + q for e, q in zip(table[i], place)] for i, place in zip(dog_ids, places)]
row('deck.emb.dog', 9, 'X of "the dog sat on the"', 'E[ids] + P; rows 3 and 6 to 11 of E are chosen here',
    {'ids': dog_ids, 'E': table, 'P': places}, [[f'{v:g}' for v in x] for x in dog], dog)

# ---------- slides 30, 32 and 36: how big the cache is, which term shrinks, what a prompt costs ----------
def kv_parameters(layers, d_model, kv, d_k, d_v):
    return layers * d_model * kv * (d_k + d_v)


eight = {'layers': 32, 'kv': 8, 'd_head': 128, 'bytes': 2}
eight_token = 2 * eight['layers'] * eight['kv'] * eight['d_head'] * eight['bytes']
row('deck.kv.8b.steps', 30, 'Llama 3 8B, one token: numbers of a layer, numbers of all layers, bytes',
    '2 kv d_head; times layers; times bytes', eight, ['2,048', '65,536', '131,072'],
    [2 * eight['kv'] * eight['d_head'], 2 * eight['layers'] * eight['kv'] * eight['d_head'], eight_token])
row('deck.kv.8b.gb', 30, 'Llama 3 8B, 131,072 tokens, in GB; the 16 GiB of kv.8b.128k', '131,072 x 131,072 / 1e9',
    {**eight, 'tokens': 131072}, '17.2', eight_token * 131072 / 1e9)
eighty = {'layers': 80, 'heads': 64, 'd_head': 128, 'd_model': 8192, 'bytes': 2, 'tokens': 4096}
row('deck.kv.80.shape', 30, "the recap's model: layers, heads, dimensions of a head, bytes of a number, tokens", 'given', eighty,
    ['80', '64', '128', '2', '4,096'], [80, 64, 128, 2, 4096])
eighty_token = 2 * 80 * 64 * 128 * 2
row('deck.kv.80.gib', 30, 'the cache of recap.kv.gb in GiB', 'bytes / 2^30', eighty, '10', eighty_token * 4096 / 2**30)
row('deck.kv.80.mib', 30, 'the bytes of recap.kv.mb in MiB', 'bytes / 2^20', eighty, '2.5', eighty_token / 2**20)

SCHEMES = [64, 8, 1]
row('deck.kv.scheme.kv', 32, 'KV heads of MHA, GQA and MQA with 64 query heads', 'given', eighty, ['64', '8', '1'], SCHEMES)
latent_token = 80 * (512 + 64) * 2
row('deck.kv.scheme.mb', 32, 'MB a token of MHA, GQA, MQA and MLA (512 + 64) at 80 layers', '2 layers kv d_head bytes; layers (512 + 64) bytes',
    eighty, ['2.62', '0.33', '0.04', '0.09'], [2 * 80 * kv * 128 * 2 / 1e6 for kv in SCHEMES] + [latent_token / 1e6])
row('deck.kv.scheme.gb', 32, 'GB of 4,096 tokens, the same four', 'x 4,096', eighty, ['10.7', '1.34', '0.17', '0.38'],
    [2 * 80 * kv * 128 * 2 * 4096 / 1e9 for kv in SCHEMES] + [latent_token * 4096 / 1e9])
row('deck.kv.scheme.times', 32, 'how many times smaller than the cache of MHA, the same four', 'bytes of MHA / bytes', eighty,
    ['1', '8', '64', '28.4'], [64 / kv for kv in SCHEMES] + [eighty_token / latent_token])
projections = [kv_parameters(80, 8192, kv, 128, 128) for kv in SCHEMES]
# From the token to latent and rotary key; from the latent to the content of every key (128 of it) and to every value.
latent_projections = 80 * (8192 * (512 + 64) + 512 * 64 * (128 + 128))
row('deck.kv.scheme.kvparams', 32, 'billion weights of the K and V projections, the same four',
    'layers d_model kv (d_k + d_v); MLA: layers (d_model (512 + 64) + 512 heads (128 + 128))', eighty,
    ['10.74', '1.34', '0.17', '1.05'], [p / 1e9 for p in projections] + [latent_projections / 1e9])
# Llama 3 70B as published: 80 layers, d_model 8,192, 8 KV heads, feed-forward 28,672, two embeddings of 128,256 rows.
seventy = 80 * (2 * 8192 * 8192 + 2 * 8192 * 1024 + 3 * 8192 * 28672 + 2 * 8192) + 2 * 128256 * 8192 + 8192
row('deck.kv.scheme.params', 32, 'billion weights of the whole model with 64, 8 and 1 KV heads, all else as in Llama 3 70B',
    '70,553,706,496 - kvparams(8) + kvparams(kv)', {**eighty, 'parameters': seventy}, ['79.9', '70.6', '69.4'],
    [(seventy - projections[1] + p) / 1e9 for p in projections])
row('deck.kv.mla.heads', 32, 'how many times smaller MLA (512 + 64) is than MHA with 32, 64 and 128 heads of 128',
    '2 heads 128 / (512 + 64)', {'heads': [32, 64, 128]}, ['14.2', '28.4', '56.9'], [2 * h * 128 / 576 for h in (32, 64, 128)])
row('deck.kv.mla.rope', 32, 'the same for 128 heads whose keys carry the rotary part too, as those that DeepSeek-V3 computes do',
    '128 (192 + 128) / (512 + 64)', {'heads': 128}, '71', 128 * (192 + 128) / 576)
row('deck.kv.decode.intensity', 32, 'operations for each byte of a decoding step: Llama 3 8B, one sequence of 131,072 tokens, 16 bits',
    '(2 P + 2 layers heads 256 tokens) / (2 P + cache), P = 8,030,261,248', {**eight, 'heads': 32, 'tokens': 131072, 'parameters': 8030261248},
    '2.6', (2 * 8030261248 + 2 * 32 * 32 * 256 * 131072) / (2 * 8030261248 + eight_token * 131072))
row('deck.kv.ridge', 32, 'operations for each byte at which the roofs of an H100 SXM meet', '989.4e12 / 3.35e12',
    {'flops_s': 989.4e12, 'bandwidth_bytes_s': 3.35e12}, '295', 989.4e12 / 3.35e12)

PARAMETERS = {'8B': 8030261248, '70B': seventy}
SHAPES = {'8B': (32, 32), '70B': (80, 64)}


def linear(model, n):
    return 2 * PARAMETERS[model] * n


def pairs_work(model, n):
    layers, heads = SHAPES[model]
    return 2 * layers * heads * 256 * n * (n + 1) // 2


def crossing(model):
    n = 1
    while pairs_work(model, n) < linear(model, n):
        n += 1
    return n


prompt = {'tokens': 40000, 'against': 2000, 'parameters': PARAMETERS, 'layers, heads': SHAPES}
row('deck.prompt.linear', 36, '40,000 tokens against 2,000: how many times the linear work', '40000 / 2000', prompt, '20', 20.0)
row('deck.prompt.attention', 36, 'the same of the attention under a causal mask; 400 (recap.prompt) to three digits',
    'n (n + 1) / 2 pairs', prompt, '400', 40000 * 40001 / (2000 * 2001))
row('deck.prompt.double', 36, 'twice the 40,000 tokens: linear, attention and total work of Llama 3 8B, times',
    'work(80,000) / work(40,000); linear 2 P n, attention 2 layers heads 256 n (n + 1) / 2', prompt, ['2', '4.00', '2.79'],
    [2.0, pairs_work('8B', 80000) / pairs_work('8B', 40000),
     (linear('8B', 80000) + pairs_work('8B', 80000)) / (linear('8B', 40000) + pairs_work('8B', 40000))])
row('deck.prompt.crossing', 36, 'the prompt at which attention has caught up: Llama 3 8B and 70B', 'least n with attention >= linear', prompt,
    ['61,266', '107,656'], [crossing('8B'), crossing('70B')])

# ---------- slide 29: token passes ----------
row('deck.kv.passes.n', 29, 'tokens written in kv.nocache', 'given', {'n': 80}, '80', 80)

# ---------- slide 18: the whole matrix of one head ----------
# The same numbers as src/core/random.hpp draws, written anew; scores in float64, where the module multiplies in float32.
FLOAT32_SCORES = 3e-5
MASK = 2 ** 64 - 1


def splitmix(seed):
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def normals(seed):
    bits = splitmix(seed)
    while True:
        u1, u2 = ((next(bits) >> 11) + 1) / 2 ** 53, (next(bits) >> 11) / 2 ** 53
        radius, angle = math.sqrt(-2 * math.log(u1)), 2 * math.pi * u2
        yield radius * math.cos(angle)
        yield radius * math.sin(angle)


def vectors(seed, count, width):
    """Row r begins normals(number r of splitmix(seed)); each number rounded to float32."""
    seeds = splitmix(seed)
    rows = [normals(next(seeds)) for _ in range(count)]
    return [[struct.unpack('f', struct.pack('f', next(r)))[0] for _ in range(width)] for r in rows]


def map_weights(Q, K, divisor):
    return [softmax([dot(q, k) / divisor for k in K]) for q in Q]


text = {'tokens': 'the cat sat on the mat'.split(), 'seed': 1, 'd_k': 8}
ids = [text['tokens'].index(word) for word in text['tokens']]
names = sorted(set(ids))
drawn = vectors(text['seed'], len(names), text['d_k'])
Q = [drawn[names.index(i)] for i in ids]
weights = map_weights(Q, Q, math.sqrt(text['d_k']))
row('deck.map.weights', 18, 'all weights of the content head over the sentence, as slide 18 opens',
    'one vector of N(0, 1) numbers for each word, query and key alike: softmax(Q K^T / sqrt(d_k)); vector r begins '
    'the stream normals(number r of SplitMix64(seed)), rounded to float32', text,
    [[f'{w:.2f}' for w in r] for r in weights], weights, tolerance=FLOAT32_SCORES)

# Number 512 + w of SplitMix64(seed) begins the value of word w; 0 is added, for the sign of -0.
seeds = splitmix(text['seed'])
for _ in range(512):
    next(seeds)
streams = [normals(next(seeds)) for _ in names]
tenths = [[math.floor(10 * next(s) + 0.5) / 10 + 0.0 for _ in range(2)] for s in streams]
values = [tenths[names.index(i)] for i in ids]
outputs = [[math.fsum(w * v[c] for w, v in zip(r, values)) for c in range(2)] for r in weights]
row('deck.map.outputs', 18, 'what leaves each row of the same head: the weighted sums of the values',
    'weights times values; the value of a word is two numbers of N(0, 1), rounded to tenths, of the stream normals(number '
    '512 + w of SplitMix64(seed)), w counting the words from 0', {**text, 'd_v': 2},
    [[f'{o:.2f}' for o in r] for r in outputs], outputs, tolerance=FLOAT32_SCORES)
untrained = {**text, 'd_k': [8, 1024], 'divided': [True, False]}
peaks = []
for d_k in untrained['d_k']:
    drawn = vectors(text['seed'], 12, d_k)
    peaks.append([math.fsum(max(r) for r in map_weights(drawn[:6], drawn[6:], divisor)) / 6
                  for divisor in (math.sqrt(d_k), 1)])
row('deck.map.untrained', 18, 'the largest weight of a row, on average over the six rows, of a head whose queries and keys '
    'are drawn apart: d_k 8 and 1024, each with the division by sqrt(d_k) and without',
    'mean over rows of max softmax(q.k / sqrt(d_k)), or of softmax(q.k); vectors 1 to 6 are queries, 7 to 12 keys',
    untrained, [[f'{p:.2f}' for p in r] for r in peaks], peaks, tolerance=FLOAT32_SCORES)

# ---------- slide 27: five heads of one layer, set by hand ----------
WORDS = ['the', 'cat', 'sat', 'the', 'cat']
CLOCK = [(1, 0), (0, 1), (-1, 0), (0, -1)]
COLUMNS = ['one', 'first', 'place', 'clock_x', 'clock_y', 'the', 'cat', 'sat', 'before_the', 'before_cat']
LOUD = 8


def features(words):
    """One row per token: what it is, where it stands, and the word before it."""
    return [[1, int(t == 0), t, *CLOCK[t % 4], *(int(word == w) for w in ('the', 'cat', 'sat')),
             *(int(t > 0 and words[t - 1] == w) for w in ('the', 'cat'))] for t, word in enumerate(words)]


# Head by head: what query, key and value read, as (column, number of the two, factor).
HEADS = {
    'previous': ([('clock_x', 0, LOUD), ('clock_y', 1, LOUD)], [('clock_y', 0, -1), ('clock_x', 1, 1)], [('the', 0, 1), ('cat', 1, 1)]),
    'induction': ([('the', 0, LOUD), ('cat', 1, LOUD)], [('before_the', 0, 1), ('before_cat', 1, 1)], [('cat', 0, 1), ('sat', 1, 1)]),
    'sink': ([('one', 0, LOUD)], [('first', 0, 1)], [('before_the', 0, 1), ('before_cat', 1, 1)]),
    'content': ([('the', 0, LOUD), ('cat', 1, LOUD)], [('the', 0, 1), ('cat', 1, 1)], [('the', 0, 1), ('cat', 1, 1)]),
    'distance': ([('one', 0, LOUD)], [('place', 0, 0.125)], [('the', 0, 1), ('cat', 1, 1)]),
}
# The same as the matrices of one layer of five heads of two: [row, column, value] of what is not 0.
gallery = {'tokens': WORDS, 'columns': COLUMNS, 'X': features(WORDS), 'n_heads': 5, 'mask': 'causal',
           **{f'W_{name}': [[COLUMNS.index(column), 2 * h + c, factor]
                            for h, reads in enumerate(HEADS.values()) for column, c, factor in reads[part]]
              for part, name in enumerate('QKV')}}


def read_rows(X, reads):
    made = [[0, 0] for _ in X]
    for t, x in enumerate(X):
        for column, c, factor in reads:
            made[t][c] += factor * x[COLUMNS.index(column)]
    return made


def causal_head(Q, K, V):
    """Weights with zeros where masked, and outputs."""
    weights, outputs = [], []
    for t, q in enumerate(Q):
        w, out = attend(q, K[:t + 1], V[:t + 1])
        weights.append(w + [0.0] * (len(Q) - t - 1))
        outputs.append(out)
    return weights, outputs


set_by_hand = [causal_head(*(read_rows(gallery['X'], reads) for reads in parts)) for parts in HEADS.values()]
row('deck.heads.A', 27, 'weights [head, query, key] of five heads set by hand: previous token, induction, sink, content, distance',
    'causal softmax(Q K^T / sqrt(2)) of each head; X, and W_Q, W_K, W_V as [row, column, value] of what is not 0', gallery, None,
    [weights for weights, _ in set_by_hand])
row('deck.heads.out', 27, 'outputs [head, token, 2] of the same heads', 'A V', gallery, None, [out for _, out in set_by_hand])
row('deck.heads.decay', 27, 'how many times the weight of the distance head falls with each step back', 'e^(8/8 / sqrt(2))', {},
    '2.03', math.exp(1 / math.sqrt(2)))

# ---------- slide 35: weight against influence, on the lecture's two heads ----------
mha = {'X': [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]],
       'W_Q': [[1, 0, 0, 1], [1, 2, 2, 0], [0, 1, 1, 0], [0, 0, 0, 0]],
       'W_K': [[1, 0, 2, 0], [1, 1, 1, 1], [0, 2, 0, 2], [0, 0, 0, 0]],
       'W_V': [[1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5], [1, 0, 0, 1], [0, 0, 0, 0]],
       'W_O': 'identity', 'rows': ['sat', 'bank', 'river'], 'n_heads': 2}


def norm(vector):
    return math.hypot(*vector)


def influence(inputs):
    """X is the identity's first rows, so the first three rows of each W are Q, K and V."""
    n, heads = 3, []
    for h in range(2):
        Q, K, V = ([r[2 * h:2 * h + 2] for r in inputs[f'W_{name}'][:n]] for name in 'QKV')
        ways = [attend(q, K, V) for q in Q]
        hidden = [[attend(q, K[:j] + K[j + 1:], V[:j] + V[j + 1:])[1] for j in range(n)] for q in Q]
        moved = [[[a - b for a, b in zip(hidden[i][j], ways[i][1])] for j in range(n)] for i in range(n)]
        heads.append({'norms': [norm(v) for v in V], 'A': [w for w, _ in ways],
                      'weighted': [[a * norm(v) for a, v in zip(w, V)] for w, _ in ways],
                      'without': [norm(out) for _, out in ways], 'moved': moved})
    return {'norms': [h['norms'] for h in heads], 'weighted': [h['weighted'] for h in heads],
            'hidden': [[[norm(m) for m in r] for r in h['moved']] for h in heads],
            'without': [h['without'] for h in heads],
            'everywhere': [[norm(heads[0]['moved'][i][j] + heads[1]['moved'][i][j]) for j in range(n)] for i in range(n)]}


found = influence(mha)
silent = {**mha, 'W_V': [[0, 0, 0, 0], *mha['W_V'][1:]]}
row('deck.influence.norms', 35, 'lengths of the values [head, token]', '|v_j|, W_O being the identity', mha, None, found['norms'])
row('deck.influence.weighted', 35, 'weight times length [head, query, key]', 'A_ij |v_j| (Kobayashi et al. 2020)', mha, None, found['weighted'])
row('deck.influence.hidden', 35, 'how far output i moves when head h may not see key j [head, query, key]',
    '|o_i without key j, the softmax done anew, - o_i|', mha, None, found['hidden'])
row('deck.influence.everywhere', 35, 'the same when no head may see key j [query, key]', 'over all four numbers of the output', mha, None,
    found['everywhere'])
row('deck.influence.without', 35, 'how far output i moves without head h [head, query]', '|o_i^h|, the output of head h being 0', mha, None,
    found['without'])
row('deck.influence.silent', 35, 'head 2 with a value of sat that is 0: weighted and hidden, query bank', 'as above', silent, None,
    [influence(silent)['weighted'][1][1], influence(silent)['hidden'][1][1]])
# ---------- slide 33b: the answers to the square of n ----------
answers = {'n': 64, 'window': 16, 'layers': 32, 'heads': 32, 'kv_heads': 8, 'd': 128, 'state': 16, 'bytes': 2}
row('deck.answers.pairs', '33b', 'pairs of 64 tokens that full attention and a window of 16 see', 'n (n + 1) / 2; w (w + 1) / 2 + (n - w) w',
    answers, ['2,080', '904'], [64 * 65 / 2, 16 * 17 / 2 + 48 * 16])
row('deck.answers.tokens', '33b', 'tokens of full attention whose keys and values take as many bytes as a linear state with its sums, a gated one, and a state space',
    '(d d + d) / 2 d, d d / 2 d, heads d state / (2 kv_heads d)', answers, ['64.5', '64', '32'],
    [(128 * 128 + 128) / 256, 128 * 128 / 256, 32 * 128 * 16 / (2 * 8 * 128)])

# ---------- slides 24 and 25: positions ----------
row('deck.alibi.slopes', 24, 'slopes of ALiBi for 8 heads, the first and the last', '2^(-8 h / n_heads), h = 1 and 8', {'n_heads': 8},
    ['0.5', '0.003906'], [2.0 ** -1, 2.0 ** -8])

rope = {'q': [-1.5, 0, -2, 0, -3.5, 1, -3.5, -0.5], 'k': [0.5, 0.5, -2, -1.5, 1.5, 1.5, 0.5, -3], 'base': 10000}


def turned_mixed(x, position):
    """half-split pairs, of which each number turns by the angle that interleaved pairs give its place."""
    half = len(x) // 2
    angle = [position * rope['base'] ** (-2 * (j // 2) / len(x)) for j in range(len(x))]
    other = [-y for y in x[half:]] + x[:half]
    return [a * math.cos(t) + b * math.sin(t) for a, b, t in zip(x, other, angle)]


row('deck.rope.turn', 25, 'tokens that one turn of each of the four pairs takes', '2 pi 10000^(2i/8)', {'d': 8, 'base': 10000},
    ['6.28', '62.8', '628', '6283'], [2 * math.pi * 10000 ** (i / 4) for i in range(4)])
row('deck.rope.yarn', 25, "YaRN's factor of cosine and sine for texts 4 times longer, and its square, which the score grows by",
    '0.1 ln s + 1 and its square', {'s': 4}, ['1.139', '1.296'], [0.1 * math.log(4) + 1, (0.1 * math.log(4) + 1) ** 2])
row('deck.rope.mixed', 25, 'score at (3,1) and (10,8) with angles of interleaved pairs on half-split ones',
    'x_j cos a_j + rotate_half(x)_j sin a_j, a_j = p 10000^(-2 floor(j/2)/8); undivided', rope, ['-4.285', '-6.889'],
    [dot(turned_mixed(rope['q'], m), turned_mixed(rope['k'], n)) for m, n in ((3, 1), (10, 8))])

# ---------- slide 34: a real model, as it was recorded ----------
class Recorded:
    """The file that src/model/recording.hpp describes."""

    def __init__(self, path):
        self.file, self.at = path.read_bytes(), 16
        for name in ('model', 'form', 'machine', 'date'):
            setattr(self, name, self.text())
        self.layers, self.heads, self.kv_heads, self.head_dim, self.d_model = (self.number('H') for _ in range(5))
        self.token_bytes = self.number('I')
        self.prompt, self.same = self.text(), self.number('B')
        steps = self.number('H')
        self.cached, self.uncached = self.reals(steps), self.reals(steps)
        self.long_text, self.long_n = self.text(), self.number('H')
        self.previous, self.first = self.reals(self.layers * self.heads), self.reals(self.layers)
        self.texts = {text['id']: text for text in (self.one() for _ in range(self.number('B')))}

    def number(self, form):
        value, = struct.unpack_from('<' + form, self.file, self.at)
        self.at += struct.calcsize(form)
        return value

    def reals(self, count):
        values = struct.unpack_from(f'<{count}f', self.file, self.at)
        self.at += 4 * count
        return list(values)

    def text(self):
        length = self.number('H')
        self.at += length
        return self.file[self.at - length:self.at].decode()

    def token(self):
        return self.number('I'), self.text()

    def one(self):
        text = {'id': self.text(), 'text': self.text()}
        n = self.number('H')
        text['ids'] = [self.token()[0] for _ in range(n)]
        self.reals(n - 1)
        for _ in range(self.number('B')):
            self.token(), self.number('f')
        longest = self.number('f')
        text['lengths'] = [[longest * self.number('H') / 65535 for _ in range(n)] for _ in range(self.layers * self.kv_heads)]
        text['maps'] = []
        for _ in range(self.layers * self.heads):
            triangle = self.file[self.at:self.at + n * (n + 1) // 2]
            self.at += len(triangle)
            # In float32, as the model has them.
            weights = [struct.unpack('f', struct.pack('f', part / 255))[0] for part in triangle]
            text['maps'].append([weights[i * (i + 1) // 2:(i + 1) * (i + 2) // 2] for i in range(n)])
        return text


def splitmix64(seed):
    mask = 2 ** 64 - 1
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        z = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)


def pattern_targets(ids):
    """[row, key] pairs of: the token before, the first token, what followed this token before."""
    rows = range(1, len(ids))
    return [[(i, i - 1) for i in rows], [(i, 0) for i in rows],
            [(i, j + 1) for i in rows for j in range(i - 1) if ids[j] == ids[i]]]


def pattern_score(weights, targets):
    rows = len({i for i, _ in targets})
    return math.fsum(weights[i][j] for i, j in targets) / rows if rows else 0


def shuffled(text, targets, shuffles=100, seed=1):
    """The best score of any head in each shuffle of the keys that each row sees, for each pattern."""
    bits, best = splitmix64(seed), [[] for _ in targets]
    for _ in range(shuffles):
        keys = []
        for i in range(len(text['ids'])):
            order = list(range(i + 1))
            for k in range(i, 0, -1):
                other = next(bits) % (k + 1)
                order[k], order[other] = order[other], order[k]
            keys.append(order)
        moved = [[(i, keys[i][j]) for i, j in pattern] for pattern in targets]
        for p, pattern in enumerate(targets):
            # A shuffle keeps a row's places, so that the rows that count stay the same.
            rows = len({i for i, _ in pattern})
            best[p].append(max(math.fsum(weights[i][j] for i, j in moved[p]) / rows for weights in text['maps']) if rows else 0)
    return best


def by_luck(text):
    return [max(each) for each in shuffled(text, pattern_targets(text['ids']))]


smol = Recorded(Path(__file__).parents[2] / 'web/runtime/recordings/smollm2.maps')
fox, names = smol.texts['fox'], smol.texts['names']
luck = {'fox': by_luck(fox), 'names': by_luck(names)}
scores_of = {key: [[pattern_score(m, t) for m in smol.texts[key]['maps']] for t in pattern_targets(smol.texts[key]['ids'])]
             for key in luck}
at = {'recording': 'smollm2', 'layer_and_head': [16, 0], 'shuffles': 100, 'seed': 1}
row('deck.smol.long', 34, 'head 16.0 on the token before, and all heads on the first token, over a text of 45 tokens',
    'means over the rows of the weights, all rows of the first token and all but the first of the one before; recorded',
    at, ['0.73', '0.43'], [smol.previous[16 * 9], math.fsum(smol.first) / smol.layers], tolerance=1e-6)
row('deck.smol.bytes', 34, 'bytes of the cache for a token in float32, as the cache counted them', 'recorded', at, '46,080',
    smol.token_bytes)
for name, key, p, head, printed in (('previous', 'fox', 0, 16 * 9, ['0.79', '0.35']), ('sink', 'fox', 1, 18 * 9 + 8, ['1.00', '0.37']),
                                    ('induction', 'names', 2, 18 * 9 + 6, ['0.87', '0.50'])):
    row(f'deck.smol.{name}', 34, f'score of head {head // 9}.{head % 9} for its pattern, and the best of any head by luck',
        'mean over the rows that count of the weight on the keys of the pattern; the largest of 270 heads in 100 shuffles of keys',
        {**at, 'text': key, 'pattern': p, 'layer_and_head': [head // 9, head % 9]}, printed, [scores_of[key][p][head], luck[key][p]],
        tolerance=1e-6)
row('deck.smol.above', 34, 'heads above the best by luck: previous token, first token (both of fox), induction (of names)',
    'count of 270', at, ['8', '219', '4'],
    [sum(s > luck[key][p] for s in scores_of[key][p]) for key, p in (('fox', 0), ('fox', 1), ('names', 2))])
row('deck.smol.first', 34, 'mean weight on the first token from row 4 on, and if all were shared equally',
    'over 30 layers, 9 heads and rows 4 to 17; the mean of 1/(i + 1) over these rows', at, ['0.51', '0.10'],
    [math.fsum(m[i][0] for m in fox['maps'] for i in range(4, 18)) / (270 * 14), math.fsum(1 / (i + 1) for i in range(4, 18)) / 14],
    tolerance=1e-6)
row('deck.smol.steps', 34, 'milliseconds of a step, the first and the last of 80: with the cache, and without',
    'recorded: processor time of one thread, native', at, None,
    [smol.cached[0], smol.cached[-1], smol.uncached[0], smol.uncached[-1]], tolerance=1e-6)

# ---------- slides 27b and 35: what grammar names in the sentence of the trophy ----------
small = smol.texts['small']
for name, pairs, head, printed in (('syntax', [(6, 5), (7, 5), (8, 5), (9, 5)], (10, 1), ['0.82', '0.78', '0.34']),
                                   ('coreference', [(11, 1)], (13, 8), ['0.51', '1.00', '0.57'])):
    luck_of = shuffled(small, [pairs])[0]
    row(f'deck.trained.{name}', '27b', f'mean weight of head {head[0]}.{head[1]} on named keys; the best of any head in any shuffle, and on average',
        'mean over the pairs (query, key); the largest of 270 heads in each of 100 shuffles of the keys of every row',
        {**at, 'text': 'small', 'pairs': pairs, 'layer_and_head': list(head)}, printed,
        [pattern_score(small['maps'][head[0] * 9 + head[1]], pairs), max(luck_of), math.fsum(luck_of) / 100], tolerance=1e-6)
row('deck.trained.cells', '27b', 'weights in head 13.8: of "fit", "was" and "it" on "trophy"', 'recorded', {**at, 'text': 'small',
    'layer_and_head': [13, 8], 'cells': [[4, 1], [12, 1], [11, 1]]}, ['0.71', '0.61', '0.51'],
    [small['maps'][13 * 9 + 8][i][1] for i in (4, 12, 11)], tolerance=1e-6)
it = small['maps'][13 * 9 + 8][11]
arrives = [weight * length for weight, length in zip(it, small['lengths'][13 * 3 + 8 // 3])]
row('deck.trained.it', 35, 'row "it" of head 13.8: weight and share by weight times length of the value, on "trophy" and on the first token',
    'w_j |v_j| / sum over the row', {**at, 'text': 'small', 'layer_and_head': [13, 8], 'row': 11, 'keys': [1, 0]},
    [['0.51', '0.55'], ['0.12', '0.04']], [[it[j], arrives[j] / math.fsum(arrives)] for j in (1, 0)], tolerance=1e-6)

# ---------- slide 33b: what small trained layers give back of the pairs that they have read ----------
def recall_layers(name, kinds, d=16, tokens=72, width=16):
    """The layers of a packed model and its last matrix: a letter is a level from -9 to 9 of its matrix's scale."""
    source = (Path(__file__).parents[2] / 'src/efficient/recall_numbers.cpp').read_text()
    scales = [float(x) for x in re.search(rf'double {name}_scales\[\] = {{(.*?)}}', source, re.DOTALL)[1].split(',')]
    letters = iter(''.join(re.findall('"([A-S]+)"', re.search(rf'view {name}_letters =(.*?);', source, re.DOTALL)[1])))

    def matrix(rows, columns):
        scale = scales.pop(0)
        return [[(ord(next(letters)) - ord('J')) * scale for _ in range(columns)] for _ in range(rows)]

    layers = []
    for kind in kinds:
        layer = {'kind': kind, 'Q': matrix(64, d), 'K': matrix(tokens, d), 'V': matrix(40, width)}
        if kind in ('gated', 'selective'):
            layer['steps'] = matrix(1, tokens)[0]
        if kind == 'selective':
            layer |= {'bias': matrix(1, width)[0], 'rates': matrix(width, d)}
        layers.append(layer)
    return layers, matrix(width, 32)


def recall_text(bits, n, pairs):
    """[key, value] of each token, fillers counted on from the last key and value, and the places of the pairs."""
    def below(count):
        return (next(bits) >> 32) * count >> 32

    unused, text, places = list(range(64)), [], []
    for t in range(n):
        given = len(places)
        if below(n - t) < pairs - given:
            other = given + below(64 - given)
            unused[given], unused[other] = unused[other], unused[given]
            text.append((unused[given], below(32)))
            places.append(t)
        else:
            filler = below(8)
            text.append((64 + filler, 32 + filler))
    return text, places


def recall_seen(layer, text, key, sight):
    n, product = len(text), lambda t: dot(layer['Q'][key], layer['K'][text[t][0]])
    if 'window' in sight:
        return range(max(n - sight['window'], 0), n)
    if 'block' in sight:
        block, own = sight['block'], (n - 1) // sight['block']
        sums = [math.fsum(product(b * block + t) for t in range(block)) for b in range(own)]
        others = sorted(range(own), key=lambda b: (-sums[b], b))[:sight['top_k'] - 1]
        return [t for t in range(n) if t // block in {own, *others}]
    return range(n)


def recall_answer(layer, text, key, sight):
    """The sum over tokens of a weight for each of the 16 numbers of its value."""
    def feature(row):
        return [x + 1 if x >= 0 else math.exp(x) for x in row]

    kind, q, n = layer['kind'], layer['Q'][key], len(text)
    values = [layer['V'][v] for _, v in text]
    keys = [layer['K'][k] for k, _ in text]
    if kind == 'softmax':
        seen = recall_seen(layer, text, key, sight)
        return attend(q, [keys[t] for t in seen], [values[t] for t in seen])[1]
    if kind == 'linear':
        weights = [dot(feature(q), feature(k)) for k in keys]
        return [dot(weights, column) / math.fsum(weights) for column in zip(*values)]
    if kind == 'gated':
        weights, left = [0] * n, 1
        for t in reversed(range(n)):
            weights[t] = left * dot(q, keys[t])
            left /= 1 + math.exp(-layer['steps'][text[t][0]])
        return [dot(weights, column) for column in zip(*values)]
    answer = []
    for c, (bias, rates) in enumerate(zip(layer['bias'], layer['rates'])):
        state = [0] * len(rates)
        for t in range(n):
            delta = math.log1p(math.exp(layer['steps'][text[t][0]] + bias))
            state = [math.exp(-delta * math.exp(rate)) * x + delta * values[t][c] * k for rate, x, k in zip(rates, state, keys[t])]
        answer.append(dot(q, state))
    return answer


RECALLS = {'full': ('softmax_16', ['softmax'], {}), 'window': ('softmax_16', ['softmax'], {'window': 16}),
           'block_sparse': ('softmax_16', ['softmax'], {'block': 4, 'top_k': 4}), 'linear': ('linear_16', ['linear'], {}),
           'gated_linear': ('gated_16', ['gated'], {}), 'selective_state': ('selective_16', ['selective'], {}),
           'hybrid': ('linear_softmax_16', ['linear', 'softmax'], {})}


def recalled(answer, pairs, n, texts, seed):
    """Questions that an answer gives the right value to; of equal logits the first counts."""
    name, kinds, sight = RECALLS[answer]
    layers, U = recall_layers(name, kinds)
    bits, right = splitmix64(seed), 0
    for _ in range(texts):
        text, places = recall_text(bits, n, pairs)
        for place in places:
            made = [math.fsum(x) for x in zip(*(recall_answer(layer, text, text[place][0], sight) for layer in layers))]
            logits = [dot(made, column) for column in zip(*U)]
            right += logits.index(max(logits)) == text[place][1]
    return right


told = {'n': 64, 'texts': 12, 'seed': 1, 'window': 16, 'block': 4, 'top_k': 4, 'state': 16}
for pairs in (16, 48):
    row(f'deck.answers.recall{pairs}', '33b', f'questions of {12 * pairs} that each answer gives back, {pairs} pairs in 64 tokens',
        'full, window, block_sparse, linear, gated_linear, selective_state, hybrid: texts drawn and models read anew, pair by pair',
        {**told, 'pairs': pairs}, None, [recalled(answer, pairs, 64, 12, 1) for answer in RECALLS], role='support', tolerance=0)

Path(__file__).with_name('deck.json').write_text(
    json.dumps({'documents': ['deck'], 'figures': ROWS}, indent=1, ensure_ascii=False) + '\n', encoding='utf-8')
