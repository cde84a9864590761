/**
 * The controls that simulators are made of: a cell edited where it stands, a slider with its number box,
 * a choice. Each takes the element's `ui`, or nothing when the opening figure is drawn at build time; both
 * have the same size, so that nothing moves when the page turns live.
 */
import { html, nothing } from 'lit';
import { Directive, directive } from 'lit/directive.js';
import { keyed } from 'lit/directives/keyed.js';
import { live } from 'lit/directives/live.js';
import { msg, str } from './language.js';
import { canChange, hides } from './limits.js';
import { formatExact, formatNumber, formatPlain } from './number.js';
import { radioName } from './radio-name.js';

// The keypad that `decimal` brings up on iOS has no minus sign, so fields that may be negative ask for text.
const keyboardFor = (min) => (min !== undefined && min >= 0 ? 'decimal' : 'text');

/** A field is as wide as its style says, and wider when its text is longer: a cut −100 reads as −10. */
const LONGEST = 12;
const widthFor = (text) => Math.min(LONGEST, Math.max(1, text.length));

const NUDGE = { ArrowUp: 1, ArrowDown: -1 };

/** The message of a field, beside it; the field points to it by `aria-describedby`. */
function problemOf(ui, path) {
  const problem = ui.problems.get(path);
  return problem
    ? html`<span class="problem" id="problem-${path}" part="problem">${problem}</span>`
    : nothing;
}

/**
 * A number edited where it stands.
 * @param {object|undefined} ui the element's side, or nothing for the static figure
 * @param {{path: string, value: number, label: string, tone?: string, step?: number, min?: number}} cell
 */
export function cell(ui, { path, value, label, tone = 'plain', step = 0.1, min }) {
  if (!ui || hides(ui, 'controls'))
    return html`<span class="cell-box"
      ><span class="cell cell-${tone}">${formatPlain(value)}</span></span
    >`;
  const invalid = ui.problems.has(path);
  const text = ui.drafts.get(path) ?? formatPlain(value);
  const locked = !canChange(ui, path);
  const nudge = (event) => {
    const direction = NUDGE[event.key];
    if (!direction || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    ui.nudge(path, direction * step * (event.shiftKey ? 10 : 1));
  };
  return html`<span class="cell-box"
    ><input
      class="cell cell-${tone}"
      ?readonly=${locked}
      type="text"
      autocomplete="off"
      spellcheck="false"
      inputmode=${keyboardFor(min)}
      aria-label=${label}
      aria-invalid=${invalid ? 'true' : nothing}
      aria-describedby=${invalid ? `problem-${path}` : nothing}
      data-path=${path}
      size=${widthFor(text)}
      .value=${live(text)}
      @focus=${(event) => event.target.select()}
      @input=${(event) => ui.type(path, event.target.value)}
      @change=${(event) => ui.commit(path, event.target.value)}
      @keydown=${nudge}
    />${problemOf(ui, path)}</span
  >`;
}

/** What a slider is called beside its box, which has the same name. */
const sliderName = (name) => msg(str`${name}, slider`);

/**
 * A slider with its number box, both live.
 * @param {object|undefined} ui
 * @param {{path: string, value: number, label: unknown, name: string, min: number, max: number,
 *   step?: number, tone?: string, valueText?: string}} slider `label` is shown, `name` is spoken and begins with
 *   the words shown; the box may go beyond the slider's ends, as far as the field's own rules allow.
 */
export function slider(
  ui,
  { path, value, label, name, min, max, step = 0.1, tone = 'plain', valueText },
) {
  if (hides(ui, 'controls')) return nothing;
  const box = cell(ui, { path, value, label: name, tone, step, min: min < 0 ? undefined : 0 });
  const track = ui
    ? html`<input
        class="slider slider-${tone}"
        type="range"
        min=${min}
        max=${max}
        step=${step}
        aria-label=${sliderName(name)}
        aria-valuetext=${valueText ?? nothing}
        data-slider=${path}
        ?disabled=${!canChange(ui, path)}
        .value=${live(String(value))}
        @input=${(event) => ui.slide(path, event.target.valueAsNumber)}
        @change=${(event) => ui.settle(path, event.target.valueAsNumber)}
      />`
    : html`<input
        class="slider slider-${tone}"
        type="range"
        min=${min}
        max=${max}
        step=${step}
        value=${value}
        disabled
        aria-label=${sliderName(name)}
      />`;
  return html`<div class="slider-row">
    <span class="slider-label" aria-hidden="true">${label}</span>${track}${box}
  </div>`;
}

/**
 * A field that is on or off, as a choice of the two.
 * @param {object|undefined} ui
 * @param {{path: string, value: string, legend: string, usual?: 'on' | 'off'}} field `usual` stands first
 */
export const onOff = (ui, { usual = 'on', ...field }) => {
  const on = { value: 'on', label: msg('on') };
  const off = { value: 'off', label: msg('off') };
  return choice(ui, { ...field, options: usual === 'on' ? [on, off] : [off, on] });
};

/**
 * One of a few, as a row of radio buttons that look like tabs.
 * @param {object|undefined} ui
 * @param {{path: string, value: number, legend: string, options: {value: number, label: unknown}[]}} choice
 */
export function choice(ui, { path, value, legend, options }) {
  if (hides(ui, 'controls')) return nothing;
  // Another field has radio buttons of its own: one that is renamed while it is chosen unchooses another of its new group.
  return html`<fieldset
    class="choice"
    aria-describedby=${ui?.problems.has(path) ? `problem-${path}` : nothing}
  >
    <legend>${legend}</legend>
    ${keyed(
      path,
      options.map(
        (option) =>
          html`<label
            >${
              ui
                ? html`<input
                    type="radio"
                    name=${radioName(path)}
                    value=${option.value}
                    .checked=${live(option.value === value)}
                    ?disabled=${!canChange(ui, path)}
                    @change=${() => ui.choose(path, option.value)}
                  />`
                : html`<input
                    type="radio"
                    name=${path}
                    value=${option.value}
                    ?checked=${option.value === value}
                    disabled
                  />`
            }<span>${option.label}</span></label
          >`,
      ),
    )}
    ${ui ? problemOf(ui, path) : nothing}
  </fieldset>`;
}

/**
 * One of many, as a list that opens.
 * @param {object|undefined} ui
 * @param {{path: string, value: string, label: unknown, name?: string, options: {value: string, label: string}[],
 *   onChoose?: (value: string) => void}} select `name` is spoken where `label` says too little, and begins with it;
 *   without `onChoose` the value becomes that of the path
 */
export function select(ui, { path, value, label, name, options, onChoose }) {
  if (hides(ui, 'controls')) return nothing;
  const choose = onChoose ?? ((chosen) => ui.choose(path, chosen));
  return html`<label class="select-row"
    ><span class="select-label">${label}</span
    ><select
      class="select ${ui && !canChange(ui, path) ? 'locked' : ''}"
      data-select=${path}
      aria-label=${name ?? nothing}
      ?disabled=${!canChange(ui, path)}
      aria-invalid=${ui?.problems.has(path) ? 'true' : nothing}
      aria-describedby=${ui?.problems.has(path) ? `problem-${path}` : nothing}
      @change=${ui ? (event) => choose(event.target.value) : nothing}
    >
      ${options.map((option) =>
        ui
          ? html`<option value=${option.value} .selected=${live(option.value === value)}>
              ${option.label}
            </option>`
          : html`<option value=${option.value} ?selected=${option.value === value}>
              ${option.label}
            </option>`,
      )}</select
    >${ui ? problemOf(ui, path) : nothing}</label
  >`;
}

/** The stops of a slider from one power of two to another, so many to each doubling; whole numbers all. */
export function logStops(from, to, perDoubling) {
  const stops = [];
  for (let base = from; base < to; base *= 2) {
    for (let part = 0; part < perDoubling; part += 1)
      stops.push(base + Math.round((base * part) / perDoubling));
  }
  return [...stops, to];
}

/** The last stop that is not beyond a value. */
const stopOf = (stops, value) =>
  Math.max(
    0,
    stops.findLastIndex((stop) => stop <= value),
  );

/**
 * A slider over stops that grow by a factor, with its number box, which takes what lies between and beyond.
 * @param {object|undefined} ui
 * @param {{path: string, value: number, label: unknown, name: string, stops: number[], say: (value: number) => string}}
 *   slider `say`: the value in words
 */
export function logSlider(ui, { path, value, label, name, stops, say }) {
  if (hides(ui, 'controls')) return nothing;
  const at = stopOf(stops, value);
  const to = (event) => stops[event.target.valueAsNumber];
  return html`<div class="slider-row">
    <span class="slider-label" aria-hidden="true">${label}</span>${
      ui
        ? html`<input
            class="slider"
            type="range"
            min="0"
            max=${stops.length - 1}
            step="1"
            aria-label=${sliderName(name)}
            aria-valuetext=${say(value)}
            data-log-slider=${path}
            ?disabled=${!canChange(ui, path)}
            .value=${live(String(at))}
            @input=${(event) => ui.slide(path, to(event))}
            @change=${(event) => ui.settle(path, to(event))}
          />`
        : html`<input
            class="slider"
            type="range"
            min="0"
            max=${stops.length - 1}
            step="1"
            value=${at}
            disabled
            aria-label=${sliderName(name)}
          />`
    }${cell(ui, { path, value, label: name, step: 1, min: 0 })}
  </div>`;
}

/** A number as it is printed: it is seen to change. Its exact `value`, where there is one, is one hover away. */
export const number = (text, value) =>
  html`<span class="num" data-num title=${value ?? nothing}>${text}</span>`;

/** A number in the format of its column, or with every digit where those are asked for. */
export const numberIn = (value, format, ui) =>
  ui?.exact ? number(formatExact(value)) : number(format(value), value);

/** A number that the C++ computed: it is seen to change, and its exact value is one hover away. */
export const shown = (value, options) => number(formatNumber(value, options), value);

class Withheld extends Directive {
  render() {
    return html`<span class="num withheld"
      ><span aria-hidden="true">?</span
      ><span class="spoken">${msg('hidden until you guess')}</span></span
    >`;
  }
}

/** A number that waits for a guess. A directive, because its words are those of the language in which it is drawn. */
export const withheld = directive(Withheld)();
