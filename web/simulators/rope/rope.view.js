/** How it is drawn: a clock for each pair, the score by offset, and the score before and after both moved on. */
import { html, nothing } from 'lit';
import { clock, longestHand } from '../../shared/clock.js';
import { cell, choice, logSlider, numberIn, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { formatNumber } from '../../shared/number.js';
import { offsetPlot } from '../../shared/offset-plot.js';
import { indices, ordinal } from '../../shared/pick.js';
import { playButton } from '../../shared/transport.js';
import {
  BASES,
  CLOCKS,
  LENGTHS,
  PAIRS,
  FROM,
  count,
  differenceText,
  model,
  numberName,
  placesBefore,
  placesNow,
  scoreText,
  speed,
} from './rope.model.js';

const answer = (template, ui) => (ui?.answerHidden ? withheld : template);
const adds = (value) => formatNumber(value, { decimals: 3 });

const signOf = (term, ui) => {
  if (ui?.answerHidden || term === 0) return 'none';
  return term > 0 ? 'plus' : 'minus';
};

/** Beside every digit there is no room for words: only a screen reader says them. */
const wordClass = (ui) => (ui?.exact ? 'spoken' : 'rope-word');

/** The two numbers of a pair, where they stand in their row. */
function pairCells(numbers, tone, i, ui) {
  const { state } = numbers;
  return html`<span class="rope-pair"
    ><span class="rope-pair-name tone-${tone}" aria-hidden="true">${tone}</span>${PAIRS[
      state.pairing
    ][i].map((j) =>
      cell(ui, {
        path: `${tone}.${j}`,
        value: state[tone][j],
        label: numberName[tone](j),
        tone,
        step: 0.5,
      }),
    )}</span
  >`;
}

const handName = {
  q: (pair) => msg(str`query hand of pair ${pair}`),
  k: (pair) => msg(str`key hand of pair ${pair}`),
};

const tokenSaid = (position) => {
  const token = count(position);
  return msg(str`token ${token}`);
};

function oneClock(numbers, i, reach, ui) {
  const { state } = numbers;
  const { max } = model.schema.m;
  const pair = ordinal(i);
  const tokensPerTurn = numbers.tokens_per_turn[i];
  const word = wordClass(ui);
  const turn = numberIn(tokensPerTurn, speed, ui);
  const term = answer(numberIn(numbers.terms[i], adds, ui), ui);
  const hand = (tone, path, token, now, start) => ({
    id: `${tone}.${pair}`,
    tone,
    path,
    value: state[path],
    max,
    label: handName[tone](pair),
    says: tokenSaid(token),
    pair: now[i],
    start: start[i],
  });
  return html`<div class="rope-clock">
    ${clock(ui, {
      label: msg(str`Pair ${pair}`),
      reach,
      tokensPerTurn,
      sign: signOf(numbers.terms[i], ui),
      moved: state.shift > 0,
      hands: [
        hand('k', 'n', numbers.key_at, numbers.key, numbers.keyStart),
        hand('q', 'm', numbers.query_at, numbers.query, numbers.queryStart),
      ],
    })}
    <div class="rope-caption">
      <span class="rope-speed"
        >${msg(html`<span class=${word}>a turn in </span>${turn}<span class=${word}> tokens</span>`)}</span
      >
      <span class="rope-adds"
        >${msg(html`<span class=${word}>adds </span><strong>${term}</strong>`)}</span
      >
      ${pairCells(numbers, 'q', i, ui)} ${pairCells(numbers, 'k', i, ui)}
    </div>
  </div>`;
}

function plot(numbers, ui) {
  const { state, start_curve: before, curve, plain_curve: plain, offset, score } = numbers;
  const unlike = numbers.change !== 0;
  const series = [
    { values: before, tone: 's', kind: 'before', name: unlike ? msg('before') : undefined },
  ];
  // Dynamic NTK begins unscaled: its curve before is that.
  if (state.scaling !== 'none' && state.scaling !== 'dynamic-ntk')
    series.unshift({ values: plain, tone: 'plain', kind: 'plain', name: msg('unscaled') });
  if (!ui?.answerHidden)
    series.push({
      values: curve,
      tone: 's',
      kind: 'now',
      name: series.some(({ name }) => name) ? msg('now') : undefined,
    });
  return offsetPlot({
    title: msg('Score by offset'),
    xName: 'm − n',
    from: FROM,
    ticks: [-32, -16, 0, 16, 32],
    series,
    here: ui?.answerHidden ? undefined : { offset, value: score },
  });
}

function readout(numbers, ui) {
  const [before, now] = [placesBefore(numbers), placesNow(numbers)];
  const start = numberIn(numbers.start_score, scoreText, ui);
  const score = answer(numberIn(numbers.score, scoreText, ui), ui);
  const difference = answer(numberIn(numbers.difference, differenceText, ui), ui);
  return html`<p class="rope-scores">
    <span>${msg(html`score at ${before} ${start}`)}</span>
    <span>${msg(html`at ${now} ${score}`)}</span>
    <span>${msg(html`difference ${difference}`)}</span>
  </p>`;
}

/** The conventions: both are right, each with weights that were trained for it. */
const paired = {
  interleaved: () => msg('neighbours, as in the paper and Meta’s LLaMA'),
  'half-split': () => msg('first half with second, as in GPT-NeoX and Hugging Face’s LLaMA'),
  mixed: () => msg('a fault: half-split pairs that turn by the angles of interleaved ones'),
};

/** Which quantity a scaling changes, in numbers. */
function changed(numbers, ui) {
  const { state } = numbers;
  const times = (value) => numberIn(value, (factor) => formatNumber(factor), ui);
  switch (state.scaling) {
    case 'linear': {
      const factor = times(state.factor);
      return msg(html`positions ÷ ${factor}`);
    }
    case 'ntk':
    case 'dynamic-ntk': {
      const base = numberIn(numbers.base, count, ui);
      return msg(html`base ${base}`);
    }
    case 'yarn': {
      const [rotary, softmax] = [times(numbers.rotary_factor), times(numbers.softmax_factor)];
      const score = times(numbers.score_factor);
      return html`<span>${msg(html`cos, sin × ${rotary}`)}</span>
        <span>${msg(html`softmax scale × ${softmax}`)}</span>
        <span>${msg(html`score × ${score}`)}</span>`;
    }
    default:
      return paired[state.pairing]();
  }
}

const baseSaid = (value) => {
  const base = count(value);
  return msg(str`base ${base}`);
};

const lengthSaid = (value) => {
  const tokens = count(value);
  return msg(str`trained on ${tokens} tokens`);
};

const places = ({ state }, ui) => {
  const sliderOf = (path, label, name, max, tone) =>
    slider(ui, { path, value: state[path], label, name, min: 0, max, step: 1, tone });
  return html`<div class="rope-places">
    ${sliderOf('m', msg(html`query <i>m</i>`), msg('query m'), 64, 'q')}
    ${sliderOf('n', msg(html`key <i>n</i>`), msg('key n'), 64, 'k')}
    <div class="rope-both">
      ${sliderOf('shift', msg('both move'), msg('both move on by'), 1000)}
      ${playButton(ui, msg('Let both move on'))}
    </div>
    ${logSlider(ui, {
      path: 'base',
      value: state.base,
      label: msg('base'),
      name: msg('base'),
      stops: BASES,
      say: baseSaid,
    })}
  </div>`;
};

/** How speeds are changed for longer texts, and what belongs to that way. */
function scaling({ state }, ui) {
  const usesLength = state.scaling === 'yarn' || state.scaling === 'dynamic-ntk';
  return html`<div class="rope-settings">
    ${choice(ui, {
      path: 'scaling',
      value: state.scaling,
      legend: msg('Scaling'),
      options: [
        { value: 'none', label: msg('none', { id: 'scaling-none' }) },
        { value: 'linear', label: msg('interpolation') },
        { value: 'ntk', label: 'NTK-aware' },
        { value: 'dynamic-ntk', label: msg('dynamic NTK') },
        { value: 'yarn', label: 'YaRN' },
      ],
    })}
    ${slider(ui, {
      path: 'factor',
      value: state.factor,
      label: html`<i>s</i>`,
      name: msg('s, times longer'),
      min: 1,
      max: 16,
      step: 0.5,
    })}
    ${
      usesLength
        ? logSlider(ui, {
            path: 'original_length',
            value: state.original_length,
            label: html`<i>L</i>`,
            name: msg('L, tokens trained on'),
            stops: LENGTHS,
            say: lengthSaid,
          })
        : nothing
    }
  </div>`;
}

const pairs = (numbers, ui) =>
  html`<div class="rope-settings">
    ${choice(ui, {
      path: 'pairing',
      value: numbers.state.pairing,
      legend: msg('Pairs'),
      options: [
        { value: 'interleaved', label: msg('interleaved') },
        { value: 'half-split', label: msg('half-split') },
        { value: 'mixed', label: msg('mixed') },
      ],
    })}
    <p class="rope-changed">${changed(numbers, ui)}</p>
    ${
      numbers.state.scaling === 'yarn'
        ? choice(ui, {
            path: 'yarn_on',
            value: numbers.state.yarn_on,
            legend: msg('on', { id: 'yarn-on' }),
            options: [
              { value: 'rotary', label: msg('cos, sin') },
              { value: 'softmax', label: 'softmax' },
            ],
          })
        : nothing
    }
  </div>`;

function body(numbers, ui) {
  const reach = longestHand([...numbers.query, ...numbers.key]);
  return html`<div class="main rope ${ui?.exact ? 'rope-exact' : ''}">
    <div class="rope-top">
      <div class="rope-clocks">${indices(CLOCKS).map((i) => oneClock(numbers, i, reach, ui))}</div>
      <div class="rope-side">${plot(numbers, ui)} ${readout(numbers, ui)}</div>
    </div>
    ${places(numbers, ui)} ${scaling(numbers, ui)} ${pairs(numbers, ui)}
  </div>`;
}

export const view = (numbers, ui) => frame({ model, numbers, ui, body: body(numbers, ui) });
