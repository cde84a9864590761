/** How the stages are drawn: a row for each number of merges, the sentence in pieces, and how many there are. */
import { html } from 'lit';
import { cell, number, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { formatCount } from '../../shared/number.js';
import { pairInline, piecesRow } from '../../shared/pieces.js';
import { ordinal } from '../../shared/pick.js';
import { textField } from '../../shared/text-field.js';
import { mergesOf, model } from './stages.model.js';

const lastMerge = ({ last }) =>
  last
    ? html`<span class="merge">${pairInline(last.pair)}</span>
        <span class="times">${number(formatCount(last.count))}×</span>`
    : html`<span class="merge-sign">${msg('only characters')}</span>`;

const after = ({ merges }) => msg(str`The sentence after ${merges} merges`);

const row =
  ({ state, stages }, ui) =>
  (stage, i) =>
    html`<tr>
      <th scope="row">
        ${cell(ui, {
          path: `merges.${i}`,
          value: state.merges[i],
          label: mergesOf(ordinal(i)),
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
                label: after(stage),
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
        label: msg('Sentence'),
        hint: msg('Type a sentence'),
      })}
      <div class="stages-room">
        <table class="list stages">
          <caption class="spoken">
            ${msg('The sentence in pieces after some of the merges learnt from the corpus')}
          </caption>
          <thead>
            <tr>
              <th scope="col">${msg('merges')}</th>
              <th scope="col">${msg('the last one joined')}</th>
              <th scope="col">${msg('the sentence')}</th>
              <th scope="col" class="n">${msg('pieces')}</th>
            </tr>
          </thead>
          <tbody>
            ${numbers.stages.map(row(numbers, ui))}
          </tbody>
        </table>
      </div>
    </div>`,
  });
