/** The shape of every matrix, for any n, d_model, d_k and d_v (slide 17), by `core.attentionShapes`. */
import { msg, str } from '../../shared/language.js';
import { formatNumber } from '../../shared/number.js';

const whole = (value) => formatNumber(value, { decimals: 0, trim: true });

const size = (name, max) => ({ kind: 'number', min: 1, max, integer: true, name: () => name });

const schema = {
  n: size('n', 1048576),
  d_model: size('d', 65536),
  d_k: size('d_k', 65536),
  d_v: size('d_v', 65536),
};

const defaults = { n: 6, d_model: 16, d_k: 8, d_v: 4 };

/** The tensors in the order in which they arise, with their tone and what each holds. */
export const TENSORS = [
  { name: 'X', tone: 'plain', what: () => msg('one vector per token') },
  { name: 'W_Q', tone: 'q', what: () => msg('learned') },
  { name: 'W_K', tone: 'k', what: () => msg('learned') },
  { name: 'W_V', tone: 'v', what: () => msg('learned') },
  { name: 'Q', tone: 'q', what: () => msg('a query per token') },
  { name: 'K', tone: 'k', what: () => msg('a key per token') },
  { name: 'V', tone: 'v', what: () => msg('a value per token') },
  { name: 'S', tone: 's', what: () => msg('a score for every pair') },
  { name: 'A', tone: 'w', what: () => msg('a weight for every pair; each row sums to one') },
  { name: 'O', tone: 'v', what: () => msg('a new vector per token, now with context') },
];

const compute = (core, state) => ({ state, shapes: core.attentionShapes(state) });

const shapeText = ([rows, columns]) => `${whole(rows)} × ${whole(columns)}`;

function sentence({ shapes, state }) {
  const [parameters, n] = [shapes.parameters, state.n].map(whole);
  return msg(
    str`The three learned matrices hold ${parameters} parameters, whatever n is; here n = ${n}.`,
  );
}

export const model = {
  tag: 'attn-shapes',
  get title() {
    return msg('The shape of every matrix');
  },
  get summary() {
    return msg('Choose the sizes: which matrices grow with the text, and which never do?');
  },
  schema,
  defaults,
  cases: [
    {
      id: 'lab',
      get label() {
        return msg('As in the lab');
      },
      state: {},
    },
    {
      id: 'twice',
      get label() {
        return msg('Twice the tokens');
      },
      state: { n: 12 },
    },
    {
      id: 'gpt2',
      get label() {
        return msg('One head of GPT-2');
      },
      state: { n: 1024, d_model: 768, d_k: 64, d_v: 64 },
    },
  ],
  wholeNumbers: true,
  figures: ['lab2.params', 'lab2.shapes'],
  compute,
  sentence,
  shapeText,
  whole,
  picture: ({ shapes }) => ({
    head: [msg('tensor'), msg('shape'), msg('what it is')],
    rows: TENSORS.map(({ name, what }) => [name, shapeText(shapes[name]), what()]),
  }),
  rows: ({ shapes }) => [
    ['tensor', 'rows', 'columns'],
    ...TENSORS.map(({ name }) => [name, ...shapes[name]]),
    ['parameters', shapes.parameters],
  ],
};
