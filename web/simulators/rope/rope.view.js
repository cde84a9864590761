/** How it is drawn: a clock for each pair, the score by offset, and the score before and after both moved on. */
import { html, nothing } from 'lit';
import { clock, longestHand } from '../../shared/clock.js';
import { cell, choice, logSlider, numberIn, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
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
  const name = tone === 'q' ? 'query' : 'key';
  return html`<span class="rope-pair"
    ><span class="rope-pair-name tone-${tone}" aria-hidden="true">${tone}</span>${PAIRS[
      state.pairing
    ][i].map((j) =>
      cell(ui, {
        path: `${tone}.${j}`,
        value: state[tone][j],
        label: `${name}, number ${ordinal(j)}`,
        tone,
        step: 0.5,
      }),
    )}</span
  >`;
}

function oneClock(numbers, i, reach, ui) {
  const { state } = numbers;
  const { max } = model.schema.m;
  const pair = ordinal(i);
  const tokensPerTurn = numbers.tokens_per_turn[i];
  const hand = (tone, path, token, now, start) => ({
    id: `${tone}.${pair}`,
    tone,
    path,
    value: state[path],
    max,
    label: `${tone === 'q' ? 'query' : 'key'} hand of pair ${pair}`,
    says: `token ${count(token)}`,
    pair: now[i],
    start: start[i],
  });
  return html`<div class="rope-clock">
    ${clock(ui, {
      label: `Pair ${pair}`,
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
        ><span class=${wordClass(ui)}>a turn in </span>${numberIn(tokensPerTurn, speed, ui)}<span
          class=${wordClass(ui)}
        >
          tokens</span
        ></span
      >
      <span class="rope-adds"
        ><span class=${wordClass(ui)}>adds </span
        ><strong>${answer(numberIn(numbers.terms[i], adds, ui), ui)}</strong></span
      >
      ${pairCells(numbers, 'q', i, ui)} ${pairCells(numbers, 'k', i, ui)}
    </div>
  </div>`;
}

function plot(numbers, ui) {
  const { state, start_curve: before, curve, plain_curve: plain, offset, score } = numbers;
  const unlike = numbers.change !== 0;
  const series = [
    { values: before, tone: 's', kind: 'before', name: unlike ? 'before' : undefined },
  ];
  // Dynamic NTK begins unscaled: its curve before is that.
  if (state.scaling !== 'none' && state.scaling !== 'dynamic-ntk')
    series.unshift({ values: plain, tone: 'plain', kind: 'plain', name: 'unscaled' });
  if (!ui?.answerHidden)
    series.push({
      values: curve,
      tone: 's',
      kind: 'now',
      name: series.some(({ name }) => name) ? 'now' : undefined,
    });
  return offsetPlot({
    title: 'Score by offset',
    xName: 'm − n',
    from: FROM,
    ticks: [-32, -16, 0, 16, 32],
    series,
    here: ui?.answerHidden ? undefined : { offset, value: score },
  });
}

const readout = (numbers, ui) =>
  html`<p class="rope-scores">
    <span>score at ${placesBefore(numbers)} ${numberIn(numbers.start_score, scoreText, ui)}</span>
    <span>at ${placesNow(numbers)} ${answer(numberIn(numbers.score, scoreText, ui), ui)}</span>
    <span>difference ${answer(numberIn(numbers.difference, differenceText, ui), ui)}</span>
  </p>`;

/** The conventions: both are right, each with weights that were trained for it. */
const PAIRED = {
  interleaved: 'neighbours, as in the paper and Meta’s LLaMA',
  'half-split': 'first half with second, as in GPT-NeoX and Hugging Face’s LLaMA',
  mixed: 'a fault: half-split pairs that turn by the angles of interleaved ones',
};

/** Which quantity a scaling changes, in numbers. */
function changed(numbers, ui) {
  const { state } = numbers;
  const times = (value) => formatNumber(value);
  switch (state.scaling) {
    case 'linear':
      return html`positions ÷ ${numberIn(state.factor, times, ui)}`;
    case 'ntk':
    case 'dynamic-ntk':
      return html`base ${numberIn(numbers.base, count, ui)}`;
    case 'yarn':
      return html`<span>cos, sin × ${numberIn(numbers.rotary_factor, times, ui)}</span>
        <span>softmax scale × ${numberIn(numbers.softmax_factor, times, ui)}</span>
        <span>score × ${numberIn(numbers.score_factor, times, ui)}</span>`;
    default:
      return PAIRED[state.pairing];
  }
}

const places = ({ state }, ui) => {
  const sliderOf = (path, label, name, max, tone) =>
    slider(ui, { path, value: state[path], label, name, min: 0, max, step: 1, tone });
  return html`<div class="rope-places">
    ${sliderOf('m', html`query <i>m</i>`, 'query m', 64, 'q')}
    ${sliderOf('n', html`key <i>n</i>`, 'key n', 64, 'k')}
    <div class="rope-both">
      ${sliderOf('shift', 'both move', 'both move on by', 1000)}
      ${playButton(ui, 'Let both move on')}
    </div>
    ${logSlider(ui, {
      path: 'base',
      value: state.base,
      label: 'base',
      name: 'base',
      stops: BASES,
      say: (value) => `base ${count(value)}`,
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
      legend: 'Scaling',
      options: [
        { value: 'none', label: 'none' },
        { value: 'linear', label: 'interpolation' },
        { value: 'ntk', label: 'NTK-aware' },
        { value: 'dynamic-ntk', label: 'dynamic NTK' },
        { value: 'yarn', label: 'YaRN' },
      ],
    })}
    ${slider(ui, {
      path: 'factor',
      value: state.factor,
      label: html`<i>s</i>`,
      name: 's, times longer',
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
            name: 'L, tokens trained on',
            stops: LENGTHS,
            say: (value) => `trained on ${count(value)} tokens`,
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
      legend: 'Pairs',
      options: [
        { value: 'interleaved', label: 'interleaved' },
        { value: 'half-split', label: 'half-split' },
        { value: 'mixed', label: 'mixed' },
      ],
    })}
    <p class="rope-changed">${changed(numbers, ui)}</p>
    ${
      numbers.state.scaling === 'yarn'
        ? choice(ui, {
            path: 'yarn_on',
            value: numbers.state.yarn_on,
            legend: 'on',
            options: [
              { value: 'rotary', label: 'cos, sin' },
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
