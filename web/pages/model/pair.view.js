/** Both adjectives side by side. */
import { html, nothing } from 'lit';
import { msg, str } from '../../shared/language.js';
import { between } from '../../shared/number.js';
import { pieceInline } from '../../shared/pieces.js';
import { bar, percent, problemView, runLine, section } from './parts.js';

const column = ({ adjective, text, answers, candidates }) =>
  html`<div class="model-column">
    <h3>“${adjective}”</h3>
    <p class="model-hint" lang="en">${text}</p>
    <table class="model-table">
      <caption>
        ${msg(str`With “${adjective}”: how probable the first token of each answer is`)}
      </caption>
      <tbody>
        ${answers.map(
          (answer) =>
            html`<tr>
              <th scope="row">${pieceInline(answer.text)}</th>
              <td>${percent(answer.probability)}</td>
              <td>${bar(answer.probability)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="model-hint">
      ${msg('Most probable of all:')}
      ${candidates.map(
        ({ text: piece, probability }, at) =>
          html`${at > 0 ? between() : nothing}${pieceInline(piece)} ${percent(probability)}`,
      )}
    </p>
  </div>`;

/**
 * @param {import('./pair.js').Pair} pair
 * @param {import('./app.js').App} app
 */
export const pairView = (pair, app) =>
  section(
    'pair',
    msg('The trophy and the suitcase'),
    html`<p class="model-hint">
        ${msg('A decoder sees only what is before: at “it” the adjective is not there yet, and the row of “it” is the same in both sentences. What the adjective changed shows later, when the model is asked. A small model need not solve the riddle: the adjective counts as far as the two answers differ.')}
      </p>
      ${runLine(app, pair, msg('Ask with both adjectives'), () => pair.run())}
      ${problemView(pair.problem)}
      ${pair.asked.length > 0 ? html`<div class="model-columns">${pair.asked.map(column)}</div>` : nothing}`,
  );
