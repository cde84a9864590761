/**
 * Opening figures: what a simulator shows before its module is there. They are drawn by the simulator's own
 * model and view, with numbers from the same C++ module, so that the live figure takes over without a jump.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { render } from '@lit-labs/ssr';
import { collectResult } from '@lit-labs/ssr/lib/render-result.js';
import {
  append,
  attributeOf,
  createElement,
  elements,
  parse,
  setAttribute,
  tidy,
} from './tree.mjs';

const PREFIX = 'attn-';

export class Figures {
  #root;
  #modules = new Map();
  #parts = new Map();
  #count = 0;

  /** @param {string} root the repository */
  constructor(root) {
    this.#root = root;
  }

  get count() {
    return this.#count;
  }

  /** The model and the view of a simulator. */
  async parts(name) {
    if (!this.#parts.has(name)) this.#parts.set(name, await this.#import(name));
    return this.#parts.get(name);
  }

  async #import(name) {
    const folder = path.join(this.#root, 'web/simulators', name);
    const file = (role) => path.join(folder, `${name}.${role}.js`);
    for (const role of ['model', 'view']) {
      if (!existsSync(file(role)))
        throw new Error(`<${PREFIX}${name}> needs ${path.relative(this.#root, file(role))}`);
    }
    const { model } = await import(pathToFileURL(file('model')));
    const { view } = await import(pathToFileURL(file('view')));
    return { model, view };
  }

  /** The module that a model computes with, and what a state of it needs. */
  async #module(model, state) {
    const name = model.module ?? 'core';
    if (!this.#modules.has(name)) {
      const { load } = await import(pathToFileURL(path.join(this.#root, 'web/runtime/index.js')));
      this.#modules.set(name, await load(name));
    }
    const module = this.#modules.get(name);
    const { bring, wantedBy } = await import(
      pathToFileURL(path.join(this.#root, 'web/shared/wanted.js'))
    );
    for (const wanted of wantedBy(model, state)) await bring(model, module, wanted);
    return module;
  }

  /** Puts the opening figure into each simulator's tag below a node. */
  async drawAll(root) {
    for (const node of elements(root, ({ tagName }) => tagName.startsWith(PREFIX))) {
      await this.#draw(node);
    }
  }

  async #draw(node) {
    const name = node.tagName.slice(PREFIX.length);
    const { model, view } = await this.parts(name);
    const attributes = Object.fromEntries(node.attrs.map((item) => [item.name, item.value]));
    const { openingState } = await import(
      pathToFileURL(path.join(this.#root, 'web/shared/opening.js'))
    );
    const { state, problems } = openingState(model, attributes);
    if (problems.length > 0) throw new Error(`<${node.tagName}>: ${problems.join(' ')}`);
    const numbers = model.compute(await this.#module(model, state), state);
    const markup = await collectResult(render(view(numbers, undefined)));
    const figure = tidy(parse(markup));
    this.#count += 1;
    this.#separate(figure);
    this.#brighten(figure);
    const holder = createElement('div', { class: 'attn-static', inert: '' });
    for (const child of figure.childNodes) append(holder, child);
    node.childNodes = [];
    append(node, holder);
    setAttribute(node, 'data-simulator', name);
    // A finger that moves a slider or a matrix must not turn the page under it.
    setAttribute(node, 'data-prevent-swipe', '');
  }

  /** A disabled slider is drawn grey; `inert` already stops it, and the live one should not change colour. */
  #brighten(figure) {
    for (const node of elements(figure, ({ tagName }) => tagName === 'input')) {
      if (attributeOf(node, 'type') === 'range') setAttribute(node, 'disabled', undefined);
    }
  }

  /** Figures share the page with each other, so a name or an id may not mean two things. */
  #separate(figure) {
    const mine = (value) => `figure-${this.#count}-${value}`;
    for (const node of elements(figure)) {
      for (const name of [
        'name',
        'id',
        'for',
        'aria-labelledby',
        'aria-describedby',
        'aria-controls',
        'list',
      ]) {
        const value = attributeOf(node, name);
        if (value) setAttribute(node, name, value.split(/\s+/).map(mine).join(' '));
      }
      for (const name of [
        'fill',
        'stroke',
        'href',
        'clip-path',
        'mask',
        'marker-end',
        'marker-start',
      ]) {
        const value = attributeOf(node, name);
        if (value)
          setAttribute(
            node,
            name,
            value.replace(/^(url\(#|#)([\w-]+)/, (_, lead, id) => `${lead}${mine(id)}`),
          );
      }
    }
  }
}
