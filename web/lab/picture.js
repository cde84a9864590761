/** What a training run shows: how its loss fell, and where each word looked at the step that is chosen. */
import { html } from 'lit';
import { linePlot } from '../shared/line-plot.js';
import { matrixTable } from '../shared/matrix-table.js';
import { formatNumber, formatWholePercent } from '../shared/number.js';
import { words } from './words.js';

const whole = (number) => formatNumber(number, { decimals: 0 });

/**
 * @param {{ losses: number[], maps: number[][][] }} run  As the check found it right.
 * @param {number[]} targets
 * @param {number} step
 * @param {(step: number) => void} choose
 */
export function trainingPicture({ losses, maps }, targets, step, choose) {
  const last = losses.length - 1;
  const names = targets.map((_, j) => whole(j + 1));
  return html`<div class="simulator lab-picture">
    <div class="lab-plot">
      ${linePlot({
        title: words.losses,
        series: [{ name: '', tone: 's', points: losses.map((y, x) => ({ x, y })) }],
        sayX: whole,
        sayY: (loss) => formatNumber(loss, { decimals: 1 }),
        xName: words.lossUnit,
        names: false,
        every: losses.length,
        here: step,
      })}
      <p class="lab-at">
        <label for="lab-step">${words.at(whole(step), formatNumber(losses[step]))}</label>
        <input
          id="lab-step"
          type="range"
          min="0"
          max=${last}
          .value=${String(step)}
          @input=${({ target }) => choose(target.valueAsNumber)}
        />
      </p>
    </div>
    <div class="lab-map">
      ${matrixTable({
        name: words.map(whole(step)),
        tone: 'w',
        rows: maps[step],
        rowNames: names.map((name) => words.mapColumn(name)),
        columnNames: names,
        full: 1,
        cell: (weight, i, j) =>
          html`<span class=${j === targets[i] ? 'lab-target' : ''}
            >${formatWholePercent(weight)}</span
          >`,
      })}
      <p class="lab-note">${words.outlined}</p>
    </div>
  </div>`;
}
