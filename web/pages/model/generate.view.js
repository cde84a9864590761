/** What was written, the time of each step, and the bytes of the cache beside their formula. */
import { html, nothing } from 'lit';
import { linePlot } from '../../shared/line-plot.js';
import { msg, str } from '../../shared/language.js';
import { formatCount, formatTime } from '../../shared/number.js';
import { pieceInline } from '../../shared/pieces.js';
import { numberFields, problemView, runLine, section, staleNote } from './parts.js';

/** Who takes the prompt in; the processor is the back end that the model was opened with. */
const backendField = (generate, { backend }) =>
  html`<div class="model-number">
    <label for="generate-backend">${msg('The prompt is read by')}</label>
    <select
      id="generate-backend"
      class="model-field"
      @change=${({ target }) => generate.choose(target.value)}
    >
      ${[
        ['auto', msg('automatic')],
        [backend, msg('the processor')],
        ['webgpu', 'WebGPU'],
      ].map(
        ([value, name]) =>
          html`<option value=${value} ?selected=${value === generate.backend}>${name}</option>`,
      )}
    </select>
  </div>`;

const settings = (generate, about) =>
  html`<div class="model-settings">
    ${numberFields(generate.numbers)} ${backendField(generate, about)}
  </div>`;

const textOf = (tokens) => tokens.map(({ raw }) => raw).join('');

const points = ({ times }) => times.map((y, at) => ({ x: at + 1, y }));

function plot({ cached, uncached }) {
  const series = [
    { name: msg('without cache'), tone: 's', points: points(uncached) },
    { name: msg('with cache'), tone: 'q', points: points(cached) },
  ];
  return html`<div class="simulator model-plot">
    ${linePlot({
      title: msg('Time of each step'),
      series: series.filter((one) => one.points.length > 0),
      sayX: formatCount,
      sayY: formatTime,
      xName: msg('token that was written'),
    })}
  </div>`;
}

const times = ({ cached, uncached }) =>
  html`<details class="model-details">
    <summary>${msg('The times as a table')}</summary>
    <table class="model-table">
      <thead>
        <tr>
          <th scope="col">${msg('Token')}</th>
          <th scope="col">${msg('With the cache')}</th>
          <th scope="col">${msg('Without')}</th>
        </tr>
      </thead>
      <tbody>
        ${cached.tokens.map(
          ({ text }, at) =>
            html`<tr>
              <th scope="row">${pieceInline(text)}</th>
              <td>${formatTime(cached.times[at])}</td>
              <td>${uncached.times[at] === undefined ? '–' : formatTime(uncached.times[at])}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;

/** What an adapter calls itself: browsers tell little of it. */
const nameOf = ({ description, vendor, architecture } = {}) =>
  description || [vendor, architecture].filter(Boolean).join(' ') || msg('without a name');

/** Who took the prompt in, how long it took, and what went another way than asked. */
function promptRun(generate) {
  const taken = generate.cached?.prompt;
  if (!taken) return nothing;
  const { backend, adapter, notice, compute_ms } = taken;
  const count = formatCount(generate.prompt.length);
  const time = formatTime(compute_ms);
  const name = nameOf(adapter);
  const isSoftware = adapter?.is_software;
  return html`<p class="model-soft model-prompt">
    ${
      backend !== 'webgpu'
        ? msg(str`The processor read the prompt’s ${count} tokens in ${time}.`)
        : isSoftware
          ? msg(
              str`WebGPU read the prompt’s ${count} tokens in ${time}, on a software adapter, which is the processor once more: ${name}.`,
            )
          : msg(str`WebGPU read the prompt’s ${count} tokens in ${time}, on this GPU: ${name}.`)
    }
    ${notice ? html`<span lang="en">${notice}</span>` : nothing}
  </p>`;
}

function sameness(generate) {
  const { cached, uncached } = generate;
  if (!uncached || uncached.tokens.length < cached.tokens.length) return nothing;
  const count = formatCount(cached.tokens.length);
  return html`<p class="model-answer">
    ${
      generate.areSame
        ? msg(str`The same ${count} tokens both ways: the cache saves work and changes nothing.`)
        : cached.prompt?.backend === 'webgpu'
          ? msg(
              'The two ways wrote different tokens: WebGPU read the prompt and rounds otherwise than the processor, which decides between tokens that are nearly as probable.',
            )
          : msg(
              'The two ways wrote different tokens: that is a defect of this page, please report it.',
            )
    }
  </p>`;
}

/** Bytes of a number of the cache as it is kept here. */
const NUMBER_BYTES = { f32: 4, f16: 2 };

function cacheBytes({ cache }, { n_layers, n_kv_heads, head_dim, cache_format }) {
  if (!cache) return nothing;
  const [layers, heads, width, perNumber, each, tokens, formula, held] = [
    n_layers,
    n_kv_heads,
    head_dim,
    NUMBER_BYTES[cache_format],
    cache.token_bytes,
    cache.length,
    cache.formula_bytes,
    cache.cache_bytes,
  ].map(formatCount);
  return html`<p class="model-hint">
    ${msg(html`One token in the cache: 2 × ${layers} layers × ${heads} heads × ${width} numbers × ${perNumber} bytes = <strong>${each} bytes</strong>. After ${tokens} tokens that makes ${formula} bytes; the cache itself counts ${held}.`)}
  </p>`;
}

/**
 * @param {import('./generate.js').Generate} generate
 * @param {import('./app.js').App} app
 */
export function generateView(generate, app) {
  const { prompt, cached, uncached } = generate;
  if (prompt.length === 0) return nothing;
  return section(
    'generate',
    msg('Write on, with the cache and without'),
    html`${staleNote(app)} ${settings(generate, app.about)}
    ${runLine(app, generate, msg('Write both ways'), () => generate.run())}
    ${problemView(generate.problem)}
    ${
      cached?.tokens.length
        ? html`<p class="model-text" lang="">
              <span class="model-soft">${textOf(prompt)}</span><span>${textOf(cached.tokens)}</span>
            </p>
            ${promptRun(generate)} ${sameness(generate)}
            <div class="model-columns">
              ${uncached ? plot(generate) : nothing}
              <div>${cacheBytes(generate, app.about)} ${uncached ? times(generate) : nothing}</div>
            </div>`
        : nothing
    }`,
  );
}
