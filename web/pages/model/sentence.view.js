/** The sentence and what was read of it. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { ref } from 'lit/directives/ref.js';
import { msg, str } from '../../shared/language.js';
import { formatCount, formatDecimalBytes, formatTime } from '../../shared/number.js';
import { piecesRow } from '../../shared/pieces.js';
import { candidatesTable, nats, problemView, runLine, section, staleNote } from './parts.js';

const fact = (name, value) =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

function facts({ about, name }) {
  const [layers, heads, shared, width] = [
    about.n_layers,
    about.n_heads,
    about.n_kv_heads,
    about.head_dim,
  ].map(formatCount);
  return html`<dl class="page-facts">
    ${fact(msg('File'), name)} ${fact(msg('Architecture'), about.architecture)}
    ${fact(msg('Layers × heads'), msg(str`${layers} × ${heads}, both counted from 0`))}
    ${fact(msg('Heads with keys and values'), msg(str`${shared}, of ${width} numbers each`))}
    ${fact('d_model', formatCount(about.d_model))}
    ${fact(msg('Vocabulary'), formatCount(about.vocab_size))}
    ${fact(msg('Weights in memory'), formatDecimalBytes(about.weight_bytes))}
  </dl>`;
}

/** Each token, its id, and how little it was expected. */
function lossesTable({ tokens, losses }) {
  return html`<details class="model-details">
    <summary>${msg('The loss of each token')}</summary>
    <table class="model-table">
      <thead>
        <tr>
          <th scope="col">${msg('Position')}</th>
          <th scope="col">${msg('Token')}</th>
          <th scope="col">id</th>
          <th scope="col">${msg('Loss (nats)')}</th>
        </tr>
      </thead>
      <tbody>
        ${tokens.map(
          ({ id, text }, at) =>
            html`<tr>
              <td>${at}</td>
              <th scope="row">${text}</th>
              <td>${id}</td>
              <td>${at === 0 ? '–' : nats(losses[at])}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

/** The recap's row, which any model of enough layers and heads has, and which is the recap's own in GPT-2. */
function recap(sentence, app) {
  const { n_layers, n_heads, architecture } = app.about;
  const [layers, heads] = [n_layers, n_heads].map(formatCount);
  const code = html`<code>attentions[5][0, 3]</code>`;
  return html`<div class="model-recap">
    <button
      type="button"
      class="page-button"
      ?disabled=${Boolean(app.busy) || !sentence.hasRecap}
      @click=${() => sentence.readRecap()}
    >
      ${msg('The recap’s row: what “it” looks at')}
    </button>
    <p class="model-hint">
      ${msg(
        html`The recap reads ${code} of GPT-2, its sixth layer and fourth head: layer 5, head 3, as
        both are counted from 0. The four keys with the most weight are listed under the map.`,
      )}
      ${
        sentence.hasRecap
          ? architecture === 'gpt2'
            ? nothing
            : msg('This model is no GPT-2: the head in the same place is another one.')
          : msg(str`This model has ${layers} layers of ${heads} heads, so there is no such head.`)
      }
    </p>
  </div>`;
}

function result(sentence, app) {
  const { reading } = sentence;
  const count = formatCount(reading.tokens.length);
  const time = formatTime(reading.ms);
  return html`${staleNote(app)}
    <div class="simulator model-figure">
      ${piecesRow({ label: msg('Tokens with their ids'), moment: '', pieces: reading.tokens, still: true })}
    </div>
    <p class="model-hint">${msg(str`${count} tokens, read together in ${time} with all maps.`)}</p>

    <attn-real-model
      hide="cases"
      .reading=${reading.maps}
      ${ref((maps) => {
        sentence.maps = maps;
      })}
    ></attn-real-model>
    ${candidatesTable(msg('What may come next'), reading.candidates)} ${lossesTable(reading)}`;
}

/**
 * @param {import('./sentence.js').Sentence} sentence
 * @param {import('./app.js').App} app
 */
export const sentenceView = (sentence, app) =>
  section(
    'sentence',
    msg('Type a sentence'),
    html`${facts(app)}
      <form
        class="model-form"
        @submit=${(event) => {
          event.preventDefault();
          sentence.read();
        }}
      >
        <label for="model-text">${msg('A sentence, or the beginning of one')}</label>
        <textarea
          id="model-text"
          class="model-field"
          rows="2"
          spellcheck="false"
          .value=${live(sentence.text)}
          @input=${(event) => sentence.type(event.target.value)}
        ></textarea>
        ${runLine(app, sentence, msg('Read it'), () => sentence.read())}
        <div class="model-examples" role="group" aria-label=${msg('Examples')}>
          ${sentence.examples.map(
            (text) =>
              html`<button
                type="button"
                class="page-button"
                lang="en"
                ?disabled=${app.busy}
                @click=${() => sentence.readThis(text)}
              >
                ${text}
              </button>`,
          )}
        </div>
      </form>
      ${recap(sentence, app)} ${problemView(sentence.problem)}
      ${sentence.reading ? result(sentence, app) : nothing}`,
  );
