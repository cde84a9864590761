/** The loss along a text with all of the cache, with its last tokens, and with the first ones pinned. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { linePlot, seriesMark } from '../../shared/line-plot.js';
import { msg, str } from '../../shared/language.js';
import { formatCount, formatShort } from '../../shared/number.js';
import { nats, numberFields, problemView, runLine, section } from './parts.js';

const TONES = { whole: 'plain', window: 's', sinks: 'q' };

function nameOf({ kind, kept, sinks }) {
  const [count, pinned] = [kept ?? 0, sinks ?? 0].map(formatCount);
  if (kind === 'whole') return msg('everything kept');
  if (kind === 'window') return msg(str`the last ${count}`);
  return msg(str`the first ${pinned} and the last ${count}`);
}

const plot = (runs) =>
  html`<div class="simulator model-plot">
    ${linePlot({
      title: msg('Mean loss while forgetting (nats)'),
      series: runs.map((run) => ({
        name: nameOf(run),
        tone: TONES[run.kind],
        points: Array.from(run.running_loss, (y, at) => ({ x: run.from + at + 1, y })),
      })),
      every: 24,
      names: false,
      sayX: formatCount,
      sayY: formatShort,
      xName: msg('token'),
    })}
  </div>`;

const table = (runs) =>
  html`<table class="model-table">
    <caption>
      ${msg('What forgetting costs')}
    </caption>
    <thead>
      <tr>
        <th scope="col">${msg('The cache keeps')}</th>
        <th scope="col">${msg('Tokens at most')}</th>
        <th scope="col">${msg('Mean loss while forgetting (nats)')}</th>
      </tr>
    </thead>
    <tbody>
      ${runs.map(
        (run, at) =>
          html`<tr>
            <th scope="row">${seriesMark(at, TONES[run.kind])}${nameOf(run)}</th>
            <td>${formatCount(run.visible)}</td>
            <td>${nats(run.mean_loss)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

/**
 * @param {import('./evict.js').Evict} evict
 * @param {import('./app.js').App} app
 */
export const evictView = (evict, app) =>
  section(
    'evict',
    msg('Forget the first tokens, or pin them'),
    html`<p class="model-hint">
        ${msg('Heads put the weight that they have no use for on the first token. A cache that forgets it takes that place away. Both windows keep the same number of tokens; one of them keeps the first ones.')}
      </p>
      <label for="evict-text">${msg('A longer text, in the model’s language')}</label>
      <textarea
        id="evict-text"
        class="model-field"
        rows="4"
        spellcheck="false"
        .value=${live(evict.text)}
        @input=${(event) => evict.type(event.target.value)}
      ></textarea>
      <div class="model-settings">${numberFields(evict.numbers)}</div>
      ${runLine(app, evict, msg('Measure the three'), () => evict.run())}
      ${problemView(evict.problem)}
      ${evict.runs.length > 0 ? html`<div class="model-columns">${plot(evict.runs)}${table(evict.runs)}</div>` : nothing}`,
  );
