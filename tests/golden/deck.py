#!/usr/bin/env python3
"""The figures of our own: definition beside value, in float64 and the standard library alone, so that
they are independent of the C++ they test. Run it to write deck.json; it fails when a printed digit
is not the rounded value. The row format is lecture.json's."""
import json
import math
import re
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
    if not re.fullmatch(r'-?[\d.]+', printed):
        raise SystemExit(f'{printed} is not a number')
    tolerance = half_unit(printed)
    if abs(float(printed) - value) > tolerance * (1 + 1e-9):
        raise SystemExit(f'{value} does not print as {printed}')
    return tolerance


def row(id, slide, what, definition, inputs, printed, computed, role='shown'):
    ROWS.append({
        'id': id, 'document': 'deck', 'line': None, 'what': what, 'definition': definition,
        'inputs': inputs, 'printed': printed, 'computed': computed,
        'status': 'text' if printed is None else 'ok',
        'tolerance_printed': None if printed is None else printed_tolerance(printed, computed),
        'tolerance_computed': 1e-12, 'note': '', 'slide': slide, 'role': role,
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

Path(__file__).with_name('deck.json').write_text(
    json.dumps({'documents': ['deck'], 'figures': ROWS}, indent=1, ensure_ascii=False) + '\n', encoding='utf-8')
