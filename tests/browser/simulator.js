/** One simulator in a page, as a check drives it; and what the same model says in Node. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { render } from '@lit-labs/ssr';
import { collectResult } from '@lit-labs/ssr/lib/render-result.js';
import { parseFragment } from 'parse5';
import { ROOT } from '../architecture/files.js';
import { attribute, elementsBelow } from '../architecture/slides.js';
import { fieldAt, valueAt, withValue } from '../../web/shared/schema.js';

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

/** A value that is allowed at a path and differs from the one there. */
export function another(schema, path, value) {
  const { field, rules } = fieldAt(schema, path);
  if (field.kind === 'text') return `${value}a`;
  if (field.kind === 'choice') return field.options.find((option) => option !== value);
  if (field.kind === 'boolean') return !value;
  const up = value + 1;
  return rules.max === undefined || up <= rules.max ? up : value - 1;
}

/** The field of a single number, if the model has one: an attribute can carry it. */
export const numberField = ({ schema }) =>
  Object.keys(schema).find((key) => schema[key].kind === 'number');

/** The defaults with one number changed. */
export function anotherState(model) {
  const { schema, defaults } = model;
  const down = (key) => ({ vector: `${key}.0`, matrix: `${key}.0.0` })[schema[key].kind] ?? key;
  const path = numberField(model) ?? down(Object.keys(schema)[0]);
  return withValue(defaults, path, another(schema, path, valueAt(defaults, path)));
}

const textBelow = (node) =>
  node.nodeName === '#text' ? node.value : (node.childNodes ?? []).map(textBelow).join('');

/** The numbers that the view shows for a state, drawn in Node with numbers that Node's module computed. */
export async function expectedNumbers({ model, view }, core, state) {
  const html = await collectResult(render(view(model.compute(core, state))));
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

  /** The state, every number shown in order, and the answer, once the element has drawn. */
  snapshot() {
    return this.host.evaluate(async (element) => {
      await element.updateComplete;
      const sentence = element.shadowRoot.querySelector('[part~=sentence]')?.cloneNode(true);
      for (const verdict of sentence?.querySelectorAll('.verdict') ?? []) verdict.remove();
      return {
        state: element.getState(),
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
      await element.updateComplete;
      const node = element.shadowRoot.querySelector(wanted);
      return node ? node.textContent.replace(/\s+/g, ' ').trim() : null;
    }, selector);
  }

  allText() {
    return this.host.evaluate(async (element) => {
      await element.updateComplete;
      return element.shadowRoot.textContent.replace(/\s+/g, ' ').trim();
    });
  }

  field(fieldPath) {
    return this.inside.locator(`input[data-path="${fieldPath}"]`);
  }

  slider(fieldPath) {
    return this.inside.locator(`input[data-slider="${fieldPath}"]`);
  }

  button(name) {
    return this.inside.getByRole('button', { name });
  }

  fieldPaths() {
    return this.host.evaluate((element) =>
      [...element.shadowRoot.querySelectorAll('input[data-path]')].map(
        (input) => input.dataset.path,
      ),
    );
  }

  sliderPaths() {
    return this.host.evaluate((element) =>
      [...element.shadowRoot.querySelectorAll('input[data-slider]')].map(
        (input) => input.dataset.slider,
      ),
    );
  }
}
