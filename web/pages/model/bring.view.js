/** Where a model comes from: names, an address, files; how far it is; what the device keeps. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { msg, str } from '../../shared/language.js';
import { formatDecimalBytes } from '../../shared/number.js';
import { problemView, section } from './parts.js';
import { publicModels } from './public-models.js';

const nameOf = (address) => decodeURIComponent(address.slice(address.lastIndexOf('/') + 1));

const choices = (bring) =>
  html`<ul class="model-choices">
    ${publicModels().map(
      ({ name, what, bytes, address }) =>
        html`<li>
          <button type="button" class="page-button" @click=${() => bring.fetch(address)}>
            ${name} · ${formatDecimalBytes(bytes)}
          </button>
          <span class="model-hint">${what} · ${new URL(address).host}</span>
        </li>`,
    )}
  </ul>`;

const addressField = (bring) =>
  html`<form
    class="model-address"
    @submit=${(event) => {
      event.preventDefault();
      bring.fetch(bring.typed);
    }}
  >
    <label for="model-address">${msg('Or any address of a GGUF or safetensors file')}</label>
    <span class="model-line">
      <input
        id="model-address"
        class="model-field"
        type="text"
        inputmode="url"
        autocomplete="off"
        spellcheck="false"
        placeholder="https://…/model.gguf"
        .value=${live(bring.typed)}
        @input=${(event) => bring.type(event.target.value)}
      />
      <button type="submit" class="page-button">${msg('Fetch')}</button>
    </span>
  </form>`;

function filePicker(bring) {
  const take = (event) => {
    const files = [...event.target.files];
    // The same files once more are a change too.
    event.target.value = '';
    bring.choose(files);
  };
  const drop = (event) => {
    event.preventDefault();
    event.currentTarget.classList.remove('over');
    bring.choose([...event.dataTransfer.files]);
  };
  const over = (event) => {
    event.preventDefault();
    event.currentTarget.classList.add('over');
  };
  return html`<label
    class="model-files"
    @drop=${drop}
    @dragover=${over}
    @dragleave=${(event) => event.currentTarget.classList.remove('over')}
    ><input type="file" multiple accept=".gguf,.safetensors,.json" @change=${take} /><span
      class="page-button model-files-button"
      >${msg('Choose files')}</span
    >
    <span class="model-hint"
      >${msg('or drop them here: one GGUF file, or safetensors with their config.json and tokenizer.json. They are read here and sent nowhere.')}</span
    ></label
  >`;
}

const keepBox = (bring) =>
  bring.canKeep
    ? html`<label class="model-check"
        ><input
          type="checkbox"
          .checked=${live(bring.keeps)}
          @change=${(event) => bring.agree(event.target.checked)}
        />${msg('Keep what is fetched on this device, so that the next visit needs no network')}</label
      >`
    : nothing;

function keptItem(bring, { address, kept, bytes }) {
  const name = nameOf(address);
  const [here, whole] = [kept, bytes].map(formatDecimalBytes);
  const size = kept < bytes ? msg(str`${here} of ${whole} is here`) : whole;
  return html`<li>
    <button type="button" class="page-button" @click=${() => bring.fetch(address)}>
      ${kept < bytes ? msg(str`Bring the rest of ${name}`) : msg(str`Use ${name}`)}
    </button>
    <span class="model-hint">${size}</span>
    <button
      type="button"
      class="page-button"
      aria-label=${msg(str`Forget ${name}`)}
      @click=${() => bring.forget(address)}
    >
      ${msg('Forget it')}
    </button>
  </li>`;
}

const keptList = (bring) =>
  bring.kept.length > 0
    ? html`<div class="model-kept">
        <h3>${msg('On this device')}</h3>
        <ul class="model-choices">
          ${bring.kept.map((one) => keptItem(bring, one))}
        </ul>
      </div>`
    : nothing;

/** A link that the browser itself follows, where no page may read what is behind it. */
const download = ({ address }) =>
  address
    ? html`<a class="model-download" href=${address} rel="noreferrer" download
        >${msg(str`Download ${nameOf(address)}`)}</a
      >`
    : nothing;

function moving(bring) {
  const { phase, progress, canGoOn } = bring;
  if (phase === 'idle') return nothing;
  return html`<div class="model-moving">
    <progress
      aria-label=${msg('How much of the model is here')}
      max=${progress.total || 1}
      value=${progress.total ? progress.loaded : nothing}
    ></progress>
    ${
      canGoOn
        ? html`<button
            type="button"
            class="page-button page-button-main"
            @click=${() => bring.goOn()}
          >
            ${msg('Go on')}
          </button>`
        : html`<button type="button" class="page-button" @click=${() => bring.cancel()}>
            ${msg('Cancel')}
          </button>`
    }
  </div>`;
}

function inUse(bring, { about, name }) {
  if (!about) return nothing;
  return html`<div class="model-line model-in-use">
      <p class="model-status">${msg(html`<strong>${name}</strong> is in use.`)}</p>
      <button type="button" class="page-button" @click=${() => bring.letGo()}>
        ${msg('Let go of it')}
      </button>
    </div>
    <p class="model-hint">
      ${msg('Another one takes its place as soon as it is here as a whole. Until then both take memory: on a small device let go of this one first.')}
    </p>`;
}

/**
 * @param {import('./bring.js').Bring} bring
 * @param {import('./app.js').App} app
 */
export const bringView = (bring, app) =>
  section(
    'bring',
    app.about ? msg('Another model') : msg('Bring a model'),
    html`${inUse(bring, app)} ${choices(bring)} ${addressField(bring)} ${filePicker(bring)}
      ${keepBox(bring)} ${problemView(bring.problem)} ${bring.problem ? download(bring) : nothing}
      <p class="model-status" role="status">
        ${bring.message}
        ${app.about && bring.isUnsettled ? msg(str`${app.name} stays in use.`) : nothing}
        ${bring.full ? msg('This device has no more room, so it is not kept.') : nothing}
      </p>
      ${moving(bring)} ${keptList(bring)}`,
  );
