/** How BPE is drawn: the sentence in pieces, the steps to walk through, and below them where the merges come from. */
import { html, nothing } from 'lit';
import { choice, number, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { formatCount, plural } from '../../shared/number.js';
import { indices, lastOf, ordinal } from '../../shared/pick.js';
import { pairInline, pieceInline, piecesRow } from '../../shared/pieces.js';
import { textField } from '../../shared/text-field.js';
import { transport } from '../../shared/transport.js';
import { model } from './bpe.model.js';

const count = (value) => number(formatCount(value));
/** An id or a rank is a name: it has no commas. */

/** Two pieces and what becomes of them. */
const merged = ({ pair, result }) =>
  html`<span class="merge"
    >${pairInline(pair)}<span class="merge-sign">→</span
    >${pieceInline(result, 'piece-result')}</span
  >`;

const inputs = ({ state }, ui) =>
  html`<div class="bpe-inputs">
    ${textField(ui, {
      path: 'sentence',
      value: state.sentence,
      label: 'Sentence',
      hint: 'Type a sentence',
    })}
    ${choice(ui, {
      path: 'view',
      value: state.view,
      legend: 'Merges of',
      options: [
        { value: 'corpus', label: 'this corpus' },
        { value: 'gpt2', label: 'GPT-2' },
      ],
    })}
  </div>`;

function piecesOf(numbers, ui) {
  const { state, shown, start, pieces } = numbers;
  return html`<div class="bpe-pieces">
    ${piecesRow({
      label: 'The sentence in pieces, each with its id',
      moment: `${state.view} ${shown}`,
      still: !ui?.canUndo && !ui?.playing,
      scrolls: Boolean(ui),
      pieces: pieces.map((piece) => ({ ...piece, id: piece.unknown ? 'no id' : piece.id })),
    })}
    <p class="bpe-count">
      <span class="bpe-from">${count(start)} ${plural(start, 'symbol')} →</span>
      <strong class="num" data-num>${formatCount(pieces.length)}</strong>
      ${pieces.length === 1 ? 'piece' : 'pieces'}
    </p>
  </div>`;
}

/** What a corpus is made of before its first merge. */
const beginning = ({ state, baseCount }) =>
  baseCount === undefined
    ? nothing
    : html`: ${count(baseCount)} ${baseCount === 1 ? 'character' : state.alphabet} to begin with`;

/** What the step that was just done did, and what the next one will do. */
function stepLine(numbers, ui) {
  const { state, shown, total, steps } = numbers;
  const [done, next] = [steps[lastOf(shown)], steps[shown]];
  const rank = (step) =>
    state.view === 'gpt2'
      ? html`rank ${number(step.rank)}`
      : html`merge ${count(ordinal(step.rank))}`;
  const counted = (step) =>
    step.count === undefined
      ? nothing
      : html`, counted
        ${count(step.count)}×${
          step.replaced === step.count ? nothing : html`, replaced ${count(step.replaced)}×`
        }`;
  const line = (step) => html`${merged(step)}${counted(step)}`;
  return html`<p class="bpe-step">
    <span
      >${
        done
          ? html`<span class="bpe-when">Done: ${rank(done)}</span> ${line(done)}`
          : html`<span class="bpe-when">Nothing is merged yet${beginning(numbers)}.</span>`
      }</span
    >
    <span
      >${
        shown < total
          ? html`<span class="bpe-when">Next:</span> ${ui?.answerHidden ? withheld : line(next)}`
          : html`<span class="bpe-when">No further pair.</span>`
      }</span
    >
  </p>`;
}

/** A list that scrolls in its own box, reachable by keyboard. */
const box = (label, ui, body) =>
  html`<div class="bpe-box">
    <p class="bpe-title">${label}</p>
    <div class="scroll" role="region" aria-label=${label} tabindex=${ui ? '0' : nothing}>
      ${body}
    </div>
  </div>`;

const pairsTable = ({ candidates }, ui) =>
  box(
    'Most frequent pairs',
    ui,
    html`<table class="list">
      <thead class="spoken">
        <tr>
          <th scope="col">pair</th>
          <th scope="col">count</th>
        </tr>
      </thead>
      <tbody>
        ${
          ui?.answerHidden
            ? html`<tr>
                <td>${withheld}</td>
              </tr>`
            : candidates.map(
                ({ pair, count: times }, i) =>
                  html`<tr class=${i === 0 ? 'list-first' : nothing}>
                    <td>
                      <span class="merge">${pairInline(pair)}</span>
                    </td>
                    <td class="n">${count(times)}×</td>
                  </tr>`,
              )
        }
      </tbody>
    </table>`,
  );

const wordsTable = ({ words, wordCount }, ui) =>
  box(
    'Words of the corpus',
    ui,
    html`<ul class="words">
        ${words.map(
          ({ frequency, pieces }) =>
            html`<li>
              ${pieces.map((text) => pieceInline(text))}<span class="times"
                >${formatCount(frequency)}×</span
              >
            </li>`,
        )}
      </ul>
      ${
        wordCount > words.length
          ? html`<p class="words-more">
              the first ${count(words.length)} of ${count(wordCount)} distinct words
            </p>`
          : nothing
      }`,
  );

const corpusBox = ({ state }, ui) =>
  html`<div class="bpe-box bpe-corpus">
    ${textField(ui, {
      path: 'corpus',
      value: state.corpus,
      label: 'Corpus, a sentence a line',
      lines: 4,
      hint: 'Type or paste a text',
    })}
    ${choice(ui, {
      path: 'tie',
      value: state.tie,
      legend: 'Equal counts',
      options: [
        { value: 'first-seen', label: 'first seen' },
        { value: 'lowest-bytes', label: 'lowest bytes' },
      ],
    })}
    ${choice(ui, {
      path: 'alphabet',
      value: state.alphabet,
      legend: 'Begin with',
      options: [
        { value: 'characters', label: 'characters' },
        { value: 'bytes', label: 'bytes' },
      ],
    })}
  </div>`;

const tokensTable = ({ pieces, bytes, offsets }, ui) =>
  box(
    'Tokens',
    ui,
    html`<table class="list list-wide">
      <thead>
        <tr>
          <th scope="col">piece</th>
          <th scope="col" class="n">id</th>
          <th scope="col">bytes</th>
          <th scope="col" class="n">at byte</th>
          <th scope="col" class="n">at UTF-16 unit</th>
        </tr>
      </thead>
      <tbody>
        ${pieces.map(
          ({ text, id }, i) =>
            html`<tr>
              <td>${pieceInline(text)}</td>
              <td class="n">${number(id)}</td>
              <td class="hex">${bytes[i]}</td>
              <td class="n">${count(offsets.byte_begin[i])}–${count(offsets.byte_end[i])}</td>
              <td class="n">${count(offsets.utf16_begin[i])}–${count(offsets.utf16_end[i])}</td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  );

const replayTable = ({ steps, shown }, ui) =>
  box(
    'Merges of GPT-2 that this text uses',
    ui,
    html`<table class="list">
      <thead class="spoken">
        <tr>
          <th scope="col">rank</th>
          <th scope="col">merge</th>
        </tr>
      </thead>
      <tbody>
        ${indices(steps.length).map(
          (i) =>
            html`<tr
              class=${i < shown ? 'list-done' : nothing}
              aria-current=${i === lastOf(shown) ? 'step' : nothing}
            >
              <td class="n">${number(steps[i].rank)}</td>
              <td>${merged(steps[i])}</td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  );

export const view = (numbers, ui) => {
  const { state, shown, total } = numbers;
  const gpt2 = state.view === 'gpt2';
  return frame({
    model,
    numbers,
    ui,
    body: html`<div class="main bpe">
      ${inputs(numbers, ui)} ${piecesOf(numbers, ui)}
      <div class="bpe-walk">
        ${transport(ui, {
          path: gpt2 ? 'replayed' : 'merges',
          value: shown,
          last: total,
          what: 'merge',
        })}
        ${stepLine(numbers, ui)}
      </div>
      <div class="bpe-boxes ${gpt2 ? 'bpe-boxes-two' : ''}">
        ${
          gpt2
            ? [replayTable(numbers, ui), tokensTable(numbers, ui)]
            : [corpusBox(numbers, ui), wordsTable(numbers, ui), pairsTable(numbers, ui)]
        }
      </div>
    </div>`,
  });
};
