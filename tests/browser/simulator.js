/** One simulator in a page, as a check drives it; and what the same model says in Node. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { render } from '@lit-labs/ssr';
import { collectResult } from '@lit-labs/ssr/lib/render-result.js';
import { parseFragment } from 'parse5';
import { valueAt, withValue } from '../../web/shared/schema.js';
import { ROOT } from '../architecture/files.js';
import { attribute, elementsBelow } from '../architecture/slides.js';

const at = (file) => import(pathToFileURL(path.join(ROOT, file)).href);

/** Every simulator: its scenario, model and view; `slide` is where the deck shows it. */
export async function allSimulators() {
  const names = readdirSync(path.join(ROOT, 'web/simulators'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  return Promise.all(
    names.map(async (name) => {
      const [{ model }, { view }, { scenario }] = await Promise.all([
        at(`web/simulators/${name}/${name}.model.js`),
        at(`web/simulators/${name}/${name}.view.js`),
        at(`tests/browser/simulators/${name}.js`),
      ]);
      return { name, model, view, scenario, tag: model.tag, slide: scenario.slide };
    }),
  );
}

const textBelow = (node) =>
  node.nodeName === '#text' ? node.value : (node.childNodes ?? []).map(textBelow).join('');

/** What the model makes of a state, by the module in Node that it names. */
export const computed = ({ model }, modules, state) =>
  model.compute(modules[model.module ?? 'core'], state);

/** The path of the first cell of a field: "q.0" of a vector, "K.0.0" of a matrix, "d_k" of a number. */
const firstCell = (key, { kind }) => key + ({ vector: '.0', matrix: '.0.0' }[kind] ?? '');

/** A value that is allowed at a path and differs from the one there. */
export function another(schema, path, value) {
  const field = schema[path.split('.')[0]];
  if (field.kind === 'text') return value.length < field.longest ? `${value}x` : value.slice(1);
  if (field.kind === 'choice') return field.options.find((option) => option !== value);
  if (field.max === undefined || value + 1 <= field.max) return value + 1;
  if (field.min === undefined || value - 1 >= field.min) return value - 1;
  return value === field.min ? field.max : field.min;
}

/** The opening state with one field changed, and the field; a single number when the model has one. */
export function changedState({ schema, defaults }) {
  const fields = Object.entries(schema);
  const [key, field] = fields.find(([, { kind }]) => kind === 'number') ?? fields[0];
  const path = firstCell(key, field);
  const value = another(schema, path, valueAt(defaults, path));
  return { field: key, state: withValue(structuredClone(defaults), path, value) };
}

/** The numbers that the view shows for a state, drawn in Node with numbers that Node's module computed. */
export async function expectedNumbers(entry, modules, state) {
  const html = await collectResult(render(entry.view(computed(entry, modules, state))));
  return elementsBelow(
    parseFragment(html),
    (node) => attribute(node, 'data-num') !== undefined,
  ).map((node) => textBelow(node).replace(/\s+/g, ' ').trim());
}

export class Simulator {
  constructor(page, { tag, slide, model }) {
    this.page = page;
    this.tag = tag;
    this.slide = slide;
    this.model = model;
    this.host = page.locator(slide === undefined ? tag : `[data-slide="${slide}"] ${tag}`).first();
    // The opening figure of the built page stays in the element, unseen.
    this.inside = this.host.locator('[part~=simulator]:not(.attn-static *)');
  }

  async ready() {
    if (this.slide !== undefined)
      await this.page.evaluate((slide) => deckTest.show(slide), this.slide);
    else {
      await this.host.scrollIntoViewIfNeeded();
      await this.host.evaluate(async (element) => void (await deckTest.ready(element)));
    }
    return this;
  }

  /**
   * The state, every number shown in order, the answer, and which choices do not show what the state says, once the element
   * has drawn what it was asked for.
   */
  snapshot() {
    return this.host.evaluate(async (element) => {
      await deckTest.drawn(element);
      const sentence = element.shadowRoot.querySelector('[part~=sentence]')?.cloneNode(true);
      for (const verdict of sentence?.querySelectorAll('.verdict') ?? []) verdict.remove();
      const state = element.getState();
      const radios = [...element.shadowRoot.querySelectorAll('input[type=radio]')].filter(
        ({ name }) => name in state,
      );
      const wrong = radios.filter(
        ({ name, value, checked }) => checked !== (value === String(state[name])),
      );
      return {
        state,
        misled: [...new Set(wrong.map(({ name }) => name))],
        numbers: deckTest.numberTexts(element),
        sentence: sentence ? sentence.textContent.replace(/\s+/g, ' ').trim() : null,
      };
    });
  }

  state() {
    return this.host.evaluate((element) => element.getState());
  }

  /** The state in which a fresh element with the same attributes opens. */
  opening() {
    return this.host.evaluate((element) => {
      const fresh = document.createElement(element.localName);
      for (const { name, value } of element.attributes) {
        if (name !== 'class' && name !== 'id') fresh.setAttribute(name, value);
      }
      return fresh.getState();
    });
  }

  async numbers() {
    return (await this.snapshot()).numbers;
  }

  async sentence() {
    return (await this.snapshot()).sentence;
  }

  text(selector) {
    return this.host.evaluate(async (element, wanted) => {
      await deckTest.drawn(element);
      const node = element.shadowRoot.querySelector(wanted);
      return node ? node.textContent.replace(/\s+/g, ' ').trim() : null;
    }, selector);
  }

  allText() {
    return this.host.evaluate(async (element) => {
      await deckTest.drawn(element);
      return element.shadowRoot.textContent.replace(/\s+/g, ' ').trim();
    });
  }

  /** A field to type into; the first, where a value stands in several places. */
  field(fieldPath) {
    return this.inside.locator(`[data-path="${fieldPath}"]`).first();
  }

  /** Types a value and settles it: by Enter, except where Enter begins a new line. */
  async enter(fieldPath, value) {
    const field = this.field(fieldPath);
    await field.fill(String(value));
    if (await field.evaluate((node) => node.localName === 'textarea')) await field.blur();
    else await field.press('Enter');
  }

  slider(fieldPath) {
    return this.inside.locator(`input[data-slider="${fieldPath}"]`);
  }

  button(name) {
    return this.inside.getByRole('button', { name });
  }

  async fieldPaths() {
    const paths = await this.host.evaluate((element) =>
      [...element.shadowRoot.querySelectorAll('[data-path]')].map((input) => input.dataset.path),
    );
    return [...new Set(paths)];
  }

  async numberPaths() {
    const paths = await this.fieldPaths();
    return paths.filter((path) => this.model.schema[path.split('.')[0]].kind !== 'text');
  }

  async textPaths() {
    const paths = await this.fieldPaths();
    return paths.filter((path) => this.model.schema[path.split('.')[0]].kind === 'text');
  }

  /** The names of the groups of radio buttons that choose a field's value. */
  choicePaths() {
    return this.host.evaluate((element, schema) => {
      const names = [...element.shadowRoot.querySelectorAll('input[type=radio]')].map(
        ({ name }) => name,
      );
      return [...new Set(names)].filter((name) => schema.includes(name));
    }, Object.keys(this.model.schema));
  }

  option(fieldPath, value) {
    return this.inside.locator(`input[type=radio][name="${fieldPath}"][value="${value}"]`);
  }

  sliderPaths() {
    return this.host.evaluate((element) =>
      [...element.shadowRoot.querySelectorAll('input[data-slider]')].map(
        (input) => input.dataset.slider,
      ),
    );
  }
}
