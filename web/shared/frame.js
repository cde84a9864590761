/**
 * What stands around every simulator's figure: its named cases and one quiet bar above, and below it the
 * answer in one sentence, or the guess that comes first. Drawn the same at build time (no `ui`, everything at rest) and live.
 */
import { html, nothing, svg } from 'lit';
import { site } from './embed-site.js';
import { msg, str } from './language.js';
import { hides } from './limits.js';

const ICONS = {
  undo: svg`<path d="M9 7H16a5 5 0 0 1 0 10H8M9 7l4-4M9 7l4 4"></path>`,
  redo: svg`<path d="M15 7H8a5 5 0 0 0 0 10h8M15 7l-4-4M15 7l-4 4"></path>`,
  reset: svg`<path d="M5 12a7 7 0 1 0 2.2-5.1M7.5 3v4h4"></path>`,
  link: svg`<path d="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.4 1.4M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.4-1.4"></path>`,
  save: svg`<path d="M12 4v11M7.5 10.5 12 15l4.5-4.5M5 20h14"></path>`,
};

const icon = (name) =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${ICONS[name]}</svg>`;

/** `idle`: there is nothing to do now. Such a button keeps the focus, which a disabled one would lose. */
const button = (label, { onClick, pressed, idle, title, drawn } = {}) =>
  html`<button
    type="button"
    class=${drawn ? 'quiet drawn' : 'quiet'}
    title=${title ?? (drawn ? label : nothing)}
    aria-label=${drawn ? label : nothing}
    aria-pressed=${pressed === undefined ? nothing : String(pressed)}
    aria-disabled=${idle && onClick ? 'true' : nothing}
    ?disabled=${!onClick}
    @click=${onClick ?? nothing}
  >
    ${drawn ? icon(drawn) : label}
  </button>`;

function casesRow(model, ui) {
  if (model.cases.length === 0 || hides(ui, 'cases')) return nothing;
  return html`<div
    class="cases ${ui?.locksCases ? 'locked' : ''}"
    role="group"
    aria-label=${msg('Cases')}
    part="cases"
  >
    ${model.cases.map(
      (item) =>
        html`<button
          type="button"
          class="case"
          ?disabled=${!ui || ui.locksCases}
          aria-pressed=${String(ui ? ui.currentCase === item.id : item === model.cases[0])}
          @click=${ui ? () => ui.showCase(item.id) : nothing}
        >
          ${item.label}
        </button>`,
    )}
  </div>`;
}

/** The question that stands where the answer will be, until a guess is made. */
const guessForm = (model, numbers, ui) =>
  html`<form
    class="guess"
    part="guess"
    @submit=${(event) => {
      event.preventDefault();
      ui.commitGuess();
    }}
  >
    <fieldset class="choice">
      <legend>${model.predict.question}</legend>
      ${model.predict
        .options(numbers)
        .map(
          (label, value) =>
            html`<label
              ><input
                type="radio"
                name="guess"
                value=${value}
                .checked=${ui.guess.choice === value}
                ?disabled=${ui.guessDisabled}
                @change=${() => ui.chooseGuess(value)}
              /><span>${label}</span></label
            >`,
        )}
    </fieldset>
    <button
      type="submit"
      class="case"
      ?disabled=${ui.guess.choice === undefined || ui.guessDisabled}
    >
      ${msg('Show the answer')}
    </button>
  </form>`;

function verdict(model, numbers, ui) {
  if (!ui?.guess.committed) return nothing;
  const { choice } = ui.guess;
  const { isRight, options, tell, aboutNext } = model.predict;
  const right = isRight(numbers, choice);
  const guessed = options(numbers)[choice];
  return html`<span class="verdict"
    >${right ? msg(str`You said “${guessed}”: right.`) : msg(str`You said “${guessed}”: not this time.`)}
    ${right && !aboutNext ? nothing : (tell?.(numbers) ?? nothing)}</span
  > `;
}

function saveMenu(ui) {
  const label = msg('Save as picture or table, or put in your slides');
  return html`<details class="save">
    <summary title=${label} aria-label=${label}>${icon('save')}</summary>
    <div class="save-list">
      ${button(msg('Picture (SVG)'), { onClick: ui && (() => ui.save('svg')) })}
      ${button(msg('Picture (PNG)'), { onClick: ui && (() => ui.save('png')) })}
      ${button(msg('Table (CSV)'), { onClick: ui && (() => ui.save('csv')) })}
      ${
        site && !hides(ui, 'embed')
          ? button(msg('Put this in your slides …'), { onClick: ui && (() => ui.openEmbed()) })
          : nothing
      }
    </div>
  </details>`;
}

/** Whether a model has no digits beyond those shown: always, or in a state. */
const hasWholeNumbers = ({ wholeNumbers }, numbers) =>
  typeof wholeNumbers === 'function' ? wholeNumbers(numbers) : Boolean(wholeNumbers);

/** Whether there is something to guess at this moment. */
export const canPredict = (model, numbers) =>
  Boolean(model.predict) && (model.predict.possible?.(numbers) ?? true);

function toolbar(model, numbers, ui) {
  if (hides(ui, 'toolbar')) return nothing;
  return html`<div class="toolbar" role="group" aria-label=${msg('Simulator')} part="toolbar">
    ${
      canPredict(model, numbers)
        ? button(msg('Predict first'), {
            onClick: ui && (() => ui.togglePredict()),
            pressed: Boolean(ui?.guess.on),
            title: msg('Hide the answer until a guess is made'),
          })
        : nothing
    }
    ${
      hasWholeNumbers(model, numbers)
        ? nothing
        : button(msg('Exact values'), {
            onClick: ui && (() => ui.toggleExact()),
            pressed: Boolean(ui?.exact),
            title: msg('Show every digit that was computed'),
          })
    }
    ${button(msg('Undo'), { onClick: ui && (() => ui.undo()), idle: !ui?.canUndo, drawn: 'undo' })}
    ${button(msg('Redo'), { onClick: ui && (() => ui.redo()), idle: !ui?.canRedo, drawn: 'redo' })}
    ${button(msg('Reset'), { onClick: ui && (() => ui.reset()), idle: ui?.locksAll, drawn: 'reset' })}
    ${button(msg('Copy a link to this state'), { onClick: ui && (() => ui.copyLink()), drawn: 'link' })}
    ${ui?.answerHidden ? nothing : saveMenu(ui)}
  </div>`;
}

/** The answer in one sentence, after what was guessed. */
function answer(model, numbers, ui) {
  const { committed } = ui?.guess ?? {};
  const without = hides(ui, 'sentence');
  if (without && !committed) return nothing;
  return html`<p class="sentence" part="sentence" tabindex=${ui ? '-1' : nothing}>
    ${verdict(model, numbers, ui)}${
      // Of what comes next the sentence says nothing yet.
      without || (committed && model.predict.aboutNext)
        ? nothing
        : model.sentence(numbers, ui?.measured)
    }
  </p>`;
}

/** The row above the figure, where anything stands in it. */
function top(model, numbers, ui) {
  const [cases, tools] = [casesRow(model, ui), toolbar(model, numbers, ui)];
  return cases === nothing && tools === nothing
    ? nothing
    : html`<div class="top">${cases} ${tools} ${ui?.embed ?? nothing}</div>`;
}

/** What the simulator has to say about itself: a link that cannot be used, a file that was saved. */
export const noticeOf = (ui) =>
  ui?.notice
    ? html`<p
        class="notice notice-${ui.notice.kind}"
        role=${ui.notice.kind === 'error' ? 'alert' : 'status'}
        part="notice"
        lang=${ui.notice.lang ?? nothing}
      >
        ${ui.notice.text}
        ${
          ui.notice.kind === 'wait'
            ? html`<progress max="1" .value=${ui.notice.share ?? 0} aria-hidden="true"></progress>`
            : nothing
        }
      </p>`
    : nothing;

/**
 * @param {object} parts
 * @param {object} parts.model the simulator's model
 * @param {object} parts.numbers what its `compute` returned
 * @param {object} [parts.ui] the live element's side; absent at build time
 * @param {unknown} parts.body the figure
 */
export function frame({ model, numbers, ui, body }) {
  return html`<div class="simulator" part="simulator">
    ${top(model, numbers, ui)}
    <div class="figure" part="figure">${body}</div>
    ${ui?.answerHidden ? guessForm(model, numbers, ui) : answer(model, numbers, ui)} ${noticeOf(ui)}
  </div>`;
}
