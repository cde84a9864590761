/**
 * What reading a prompt costs (slide 36): work that grows with its tokens, work that grows with their pairs, and where
 * the two cross. State in, numbers out, by the module `bill`.
 */
import { logStops } from '../../shared/controls.js';
import { msg, str } from '../../shared/language.js';
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
  name,
});

const schema = {
  model: { kind: 'choice', options: MODELS.map(({ id }) => id), name: () => msg('The model') },
  tokens: prompt(() => msg('tokens of the prompt')),
  kept: prompt(() => msg('tokens retrieved instead')),
};

const defaults = { model: '8B', tokens: 40000, kept: 2000 };

function compute(bills, state) {
  const { published } = MODELS.find(({ id }) => id === state.model);
  const model = publishedModel(bills, published);
  // Of the machine nothing is shown: the work is the same on any.
  const machine = accelerator(bills, 'h100-sxm');
  const billOf = (tokens) => bills.bill({ model, tokens, ...machine });
  const bill = billOf(state.tokens);
  const crossing = bill.crossing_tokens;
  const series = bills.billSeries({ model, tokens: 1, at: TICKS, ...machine });
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
        bills.promptGrowth({ model, tokens: state.tokens, against: state.kept }),
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

function sentence({ growth, crossing }) {
  const [total, linear, attention] = [growth.total, growth.linear, growth.attention].map(
    formatTimes,
  );
  if (!crossing) {
    return msg(
      str`Twice the prompt, ${total} times the work: linear × ${linear}, attention × ${attention}; attention never catches up.`,
    );
  }
  const tokens = many(crossing.tokens, msg('token'), msg('tokens'));
  return msg(
    str`Twice the prompt, ${total} times the work: linear × ${linear}, attention × ${attention}; they are equal at ${tokens}.`,
  );
}

/** Upper ends of what the answers stand for; the last has none. */
const BOUNDS = [2.25, 2.75, 3.25, 3.75, Number.POSITIVE_INFINITY];
const answers = () => [
  msg('twice'),
  msg('2½ times'),
  msg('3 times'),
  msg('3½ times'),
  msg('four times'),
];
const answerOf = ({ growth }) => BOUNDS.findIndex((bound) => growth.total < bound);

export const names = () => ({
  kept: msg('retrieved instead'),
  this: msg('this prompt'),
  doubled: msg('twice as long'),
});

export const model = {
  tag: 'attn-prefill',
  get title() {
    return msg('What reading a prompt costs');
  },
  get summary() {
    return msg('Double the prompt: which part of the work doubles, and which quadruples?');
  },
  module: 'bill',
  wholeNumbers: true,
  schema,
  defaults,
  cases: [
    {
      id: 'slide',
      get label() {
        return many(40000, msg('token'), msg('tokens'));
      },
      state: {},
    },
    {
      id: 'short',
      get label() {
        return count(4096);
      },
      state: { tokens: 4096 },
    },
    {
      id: 'crossing',
      get label() {
        return msg('Where they cross');
      },
      state: { tokens: 61266 },
    },
    {
      id: 'long',
      get label() {
        return msg('A million');
      },
      state: { tokens: 1048576 },
    },
    {
      id: 'larger',
      get label() {
        return msg('A larger model');
      },
      state: { model: '70B' },
    },
    {
      id: 'windows',
      get label() {
        return msg('With windows');
      },
      state: { model: 'windows' },
    },
  ],
  predict: {
    get question() {
      return msg('How does the total grow when this prompt doubles?');
    },
    options: answers,
    isRight: (numbers, choice) => choice === answerOf(numbers),
    tell: ({ growth }) => {
      const total = formatTimes(growth.total);
      return msg(str`It grows ${total} times.`);
    },
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
    head: [msg('prompt'), msg('tokens'), msg('linear'), msg('attention'), msg('total')],
    rows: prompts.map(({ id, tokens, linear, attention, total }) => [
      names()[id],
      count(tokens),
      formatOperations(linear),
      formatOperations(attention),
      formatOperations(total),
    ]),
  }),
  rows: ({ prompts, series, crossing }) => [
    ['prompt', 'tokens', 'linear_flops', 'attention_flops', 'total_flops'],
    ...prompts.map(({ id, tokens, linear, attention, total }) => [
      names()[id],
      tokens,
      linear,
      attention,
      total,
    ]),
    ...TICKS.map((tokens, i) => ['plot', tokens, series.linear[i], series.attention[i]]),
    ...(crossing ? [['crossing', crossing.tokens, crossing.flops, crossing.flops]] : []),
  ],
};
