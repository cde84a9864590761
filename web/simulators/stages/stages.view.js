/** How the stages are drawn: a row for each number of merges, the sentence in pieces, and how many there are. */
import { html } from 'lit';
import { cell, number, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { formatCount } from '../../shared/number.js';
import { pairInline, piecesRow } from '../../shared/pieces.js';
import { ordinal } from '../../shared/pick.js';
import { textField } from '../../shared/text-field.js';
import { model } from './stages.model.js';

const lastMerge = ({ last }) =>
  last
    ? html`<span class="merge">${pairInline(last.pair)}</span>
        <span class="times">${number(formatCount(last.count))}×</span>`
    : html`<span class="merge-sign">only characters</span>`;

const row =
  ({ state, stages }, ui) =>
  (stage, i) =>
    html`<tr>
      <th scope="row">
        ${cell(ui, {
          path: `merges.${i}`,
          value: state.merges[i],
          label: `merges of row ${ordinal(i)}`,
          step: 1,
          min: 0,
        })}
      </th>
      <td class="stage-last">${lastMerge(stage)}</td>
      <td>
        ${
          ui?.answerHidden && i > 0
            ? withheld
            : piecesRow({
                label: `The sentence after ${stage.merges} merges`,
                moment: stage.merges,
                pieces: stage.pieces,
              })
        }
      </td>
      <td class="n stage-count">
        ${
          ui?.answerHidden && i > 0
            ? withheld
            : html`<strong class="num" data-num>${formatCount(stages[i].pieces.length)}</strong>`
        }
      </td>
    </tr>`;

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html`<div class="main">
      ${textField(ui, {
        path: 'sentence',
        value: numbers.state.sentence,
        label: 'Sentence',
        hint: 'Type a sentence',
      })}
      <div class="stages-room">
        <table class="list stages">
          <caption class="spoken">
            The sentence in pieces after some of the merges learnt from the corpus
          </caption>
          <thead>
            <tr>
              <th scope="col">merges</th>
              <th scope="col">the last one joined</th>
              <th scope="col">the sentence</th>
              <th scope="col" class="n">pieces</th>
            </tr>
          </thead>
          <tbody>
            ${numbers.stages.map(row(numbers, ui))}
          </tbody>
        </table>
      </div>
    </div>`,
  });
