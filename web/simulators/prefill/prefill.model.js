/**
 * What reading a prompt costs (slide 36): work that grows with its tokens, work that grows with their pairs, and where
 * the two cross. State in, numbers out, by the module `cache`.
 */
import { logStops } from '../../shared/controls.js';
import { formatCount as count, formatOperations, formatTimes, many } from '../../shared/number.js';
import { accelerator, publishedModel } from '../../shared/published.js';

export const MODELS = [
  { id: '8B', label: 'Llama 3 8B', published: 'llama-3-8b' },
  { id: '70B', label: 'Llama 3 70B', published: 'llama-3-70b' },
  { id: 'windows', label: 'Gemma 3 27B', published: 'gemma-3-27b' },
];

const [LEAST, MOST] = [256, 1048576];
export const STOPS = logStops(LEAST, MOST, 4);
export const TICKS = logStops(LEAST, MOST, 1).filter((_, i) => [0, 2, 4, 6, 8, 10, 12].includes(i));

const prompt = (name) => ({
  kind: 'number',
  min: 1,
  max: 16777216,
  integer: true,
  name: () => name,
});

const schema = {
  model: { kind: 'choice', options: MODELS.map(({ id }) => id), name: () => 'The model' },
  tokens: prompt('tokens of the prompt'),
  kept: prompt('tokens retrieved instead'),
};

const defaults = { model: '8B', tokens: 40000, kept: 2000 };

function compute(cache, state) {
  const { published } = MODELS.find(({ id }) => id === state.model);
  const model = publishedModel(cache, published);
  // Of the machine nothing is shown: the work is the same on any.
  const machine = accelerator(cache, 'h100-sxm');
  const billOf = (tokens) => cache.bill({ model, tokens, ...machine });
  const bill = billOf(state.tokens);
  const crossing = bill.crossing_tokens;
  const series = cache.billSeries({ model, tokens: 1, at: TICKS, ...machine });
  const row = (id, tokens, prefill, growth) => ({
    id,
    tokens,
    linear: prefill.linear_flops,
    attention: prefill.attention_flops,
    total: prefill.roof.flops,
    linear_percent: prefill.linear_percent,
    attention_percent: prefill.attention_percent,
    growth,
  });
  return {
    state,
    prompts: [
      row(
        'kept',
        state.kept,
        billOf(state.kept).prefill,
        cache.promptGrowth({ model, tokens: state.tokens, against: state.kept }),
      ),
      row('this', state.tokens, bill.prefill),
      row('doubled', bill.doubled_tokens, bill.prefill_doubled, bill.prefill_growth),
    ],
    growth: bill.prefill_growth,
    crossing: crossing > 0 && { tokens: crossing, flops: billOf(crossing).prefill.linear_flops },
    series: {
      linear: [...series.linear_flops],
      attention: [...series.attention_flops],
    },
  };
}

const meeting = (crossing) =>
  crossing ? `they are equal at ${many(crossing.tokens, 'token')}` : 'attention never catches up';

function sentence({ growth, crossing }) {
  return `Twice the prompt, ${formatTimes(growth.total)} times the work: linear × ${formatTimes(growth.linear)}, attention × ${formatTimes(growth.attention)}; ${meeting(crossing)}.`;
}

/** Upper ends of what the answers stand for; the last has none. */
const BOUNDS = [2.25, 2.75, 3.25, 3.75, Number.POSITIVE_INFINITY];
const ANSWERS = ['twice', '2½ times', '3 times', '3½ times', 'four times'];
const answerOf = ({ growth }) => BOUNDS.findIndex((bound) => growth.total < bound);

export const NAMES = { kept: 'retrieved instead', this: 'this prompt', doubled: 'twice as long' };

export const model = {
  tag: 'attn-prefill',
  title: 'What reading a prompt costs',
  summary: 'Double the prompt: which part of the work doubles, and which quadruples?',
  module: 'cache',
  wholeNumbers: true,
  schema,
  defaults,
  cases: [
    { id: 'slide', label: '40,000 tokens', state: {} },
    { id: 'short', label: '4,096', state: { tokens: 4096 } },
    { id: 'crossing', label: 'Where they cross', state: { tokens: 61266 } },
    { id: 'long', label: 'A million', state: { tokens: 1048576 } },
    { id: 'larger', label: 'A larger model', state: { model: '70B' } },
    { id: 'windows', label: 'With windows', state: { model: 'windows' } },
  ],
  predict: {
    question: 'How does the total grow when this prompt doubles?',
    options: () => ANSWERS,
    isRight: (numbers, choice) => choice === answerOf(numbers),
    tell: ({ growth }) => `It grows ${formatTimes(growth.total)} times.`,
  },
  figures: [
    'recap.prompt',
    'deck.prompt.linear',
    'deck.prompt.attention',
    'deck.prompt.double',
    'deck.prompt.crossing',
  ],
  compute,
  sentence,
  picture: ({ prompts }) => ({
    head: ['prompt', 'tokens', 'linear', 'attention', 'total'],
    rows: prompts.map(({ id, tokens, linear, attention, total }) => [
      NAMES[id],
      count(tokens),
      formatOperations(linear),
      formatOperations(attention),
      formatOperations(total),
    ]),
  }),
  rows: ({ prompts, series, crossing }) => [
    ['prompt', 'tokens', 'linear_flops', 'attention_flops', 'total_flops'],
    ...prompts.map(({ id, tokens, linear, attention, total }) => [
      NAMES[id],
      tokens,
      linear,
      attention,
      total,
    ]),
    ...TICKS.map((tokens, i) => ['plot', tokens, series.linear[i], series.attention[i]]),
    ...(crossing ? [['crossing', crossing.tokens, crossing.flops, crossing.flops]] : []),
  ],
};
