/** The controls of a simulator that goes step by step: to the start, back, play, on, to the end, and a slider. */
import { html, nothing, svg } from 'lit';
import { slider } from './controls.js';
import { msg, str } from './language.js';
import { canChange, hides } from './limits.js';
import { PACES } from './player.js';

const SIGNS = {
  start: svg`<path d="M5 6v12M12 6l-5 6 5 6M19 6l-5 6 5 6"></path>`,
  back: svg`<path d="M15 5.5 9 12l6 6.5"></path>`,
  play: svg`<path class="icon-filled" d="M8 5.5 18 12 8 18.5Z"></path>`,
  pause: svg`<path d="M8.5 5.5v13M15.5 5.5v13"></path>`,
  on: svg`<path d="m9 5.5 6 6.5-6 6.5"></path>`,
  end: svg`<path d="M19 6v12m-7-12 5 6-5 6M5 6l5 6-5 6"></path>`,
};

const PACE_NAMES = {
  slow: () => msg('slow'),
  normal: () => msg('normal'),
  fast: () => msg('fast'),
};

/** One that can do nothing now keeps the focus: lost at the end of a walk, the next key would turn the page. */
const button = (sign, label, onClick, rests) =>
  html`<button
    type="button"
    class="quiet drawn"
    aria-label=${label}
    title=${label}
    ?disabled=${!onClick}
    aria-disabled=${rests ? 'true' : nothing}
    @click=${rests ? nothing : (onClick ?? nothing)}
  >
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${SIGNS[sign]}</svg>
  </button>`;

/** Play and pause alone, for what runs without an end worth a button. @param {string} label what playing does */
export const playButton = (ui, label) =>
  hides(ui, 'controls')
    ? nothing
    : button(
        ui?.playing ? 'pause' : 'play',
        ui?.playing ? msg('Pause') : label,
        ui && !ui.playLocked && (() => ui.togglePlay()),
        ui?.answerHidden,
      );

/**
 * @param {object|undefined} ui
 * @param {{path: string, value: number, last: number, what: string}} transport `what`: the name of a step, as
 *   in “merge”
 */
export function transport(ui, { path, value, last, what }) {
  if (hides(ui, 'controls')) return nothing;
  const open = canChange(ui, path);
  const go = (to) => open && (() => ui.settle(path, to));
  const [atStart, atEnd] = [value === 0, value >= last];
  return html`<div class="transport" role="group" aria-label=${msg('Step by step')}>
    <span class="transport-buttons">
      ${button('start', msg(str`Before the first ${what}`), go(0), atStart)}
      ${button('back', msg(str`One ${what} back`), go(value - 1), atStart)}
      ${button(
        ui?.playing ? 'pause' : 'play',
        ui?.playing ? msg('Pause') : msg('Play'),
        open && (() => ui.togglePlay()),
        last === 0 || ui?.answerHidden,
      )}
      ${button('on', msg(str`One ${what} on`), go(value + 1), atEnd || ui?.answerHidden)}
      ${button('end', msg(str`After the last ${what}`), go(last), atEnd)}
    </span>
    ${slider(ui, {
      path,
      value,
      label: what,
      name: msg(str`${what}, number done`),
      min: 0,
      max: last,
      step: 1,
    })}
    <span class="paces" role="group" aria-label=${msg('Speed')}>
      ${Object.keys(PACES).map(
        (pace) =>
          html`<button
            type="button"
            class="quiet"
            aria-pressed=${String((ui?.pace ?? 'normal') === pace)}
            ?disabled=${!ui}
            @click=${ui ? () => ui.setPace(pace) : nothing}
          >
            ${PACE_NAMES[pace]()}
          </button>`,
      )}
    </span>
  </div>`;
}
