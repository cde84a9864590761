/** The pages of the site: templates of web/pages filled with the lecture and with what the bundler made. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { exercises } from '../../lab/exercises/index.js';
import { navigation, sections } from '../../lab/static.js';
import { words as labWords } from '../../lab/words.js';
import { msg } from '../../shared/language.js';
import { collectElements, cssProperties } from '../elements/collect.mjs';
import * as elementPage from './element-page.mjs';
import { fitsMarkup } from './fits.mjs';
import { UNKNOWN_BYTES, WORKER } from './hosting.mjs';
import { MODEL_POLICY, POLICY, sandboxPolicy } from './policy.mjs';
import { LANGUAGES, SOURCE } from './language.mjs';
import { recipeMarkup } from './recipes.mjs';
import { createElement, escapeText, writeWhole } from './tree.mjs';

/**
 * Fills `{{name}}`, escaped, and `{{{name}}}`, markup as it is. `{{= Words to read}}` are in English and become the page's
 * language; in them `{name}` is filled as well. A name that nobody fills, and words that nobody translated, are errors.
 */
export function fill(template, values, file, words) {
  const value = (name) => {
    if (values[name] === undefined) throw new Error(`${file}: nothing fills {{${name}}}`);
    return values[name];
  };
  const spoken = (english) => {
    const key = english.trim().replace(/\s+/g, ' ');
    const text = words ? words[key] : key;
    if (text === undefined) throw new Error(`${file}: nobody translated “${key}”`);
    return escapeText(text.replace(/\{(\w+)\}/g, (_, name) => value(name)));
  };
  return template.replace(
    /\{\{\{(\w+)\}\}\}|\{\{(\w+)\}\}|\{\{=\s+((?:\{\w+\}|[^{}])*)\}\}/g,
    (_, markup, text, english) =>
      markup ? value(markup) : text ? escapeText(value(text)) : spoken(english),
  );
}

const LANGUAGE_NAMES = {
  en: { short: 'EN', name: 'This page in English' },
  'pt-BR': { short: 'PT', name: 'Esta página em português' },
};

/** Where the site keeps a page in a language. */
export const placeOf = (language, file) => (language === SOURCE ? file : `${language}/${file}`);

const policyTag = (policy) =>
  `<meta http-equiv="content-security-policy" content="${escapeText(policy)}" />`;

/** Where the bundler put an entry: its script, the chunks that the script needs at once, its style sheets. */
function builtEntry(manifest, source) {
  const entry = manifest[source];
  if (!entry) throw new Error(`the bundler made nothing of ${source}`);
  const chunks = new Map();
  const visit = (key) => {
    if (chunks.has(key)) return;
    chunks.set(key, manifest[key]);
    for (const next of manifest[key].imports ?? []) visit(next);
  };
  visit(source);
  const list = [...chunks.values()];
  return {
    script: entry.file,
    needs: list.filter((chunk) => chunk !== entry).map(({ file }) => file),
    styles: [...new Set(list.reverse().flatMap(({ css }) => css ?? []))],
  };
}

/** Where there is room for the deck (web/deck/deck.js); a phone's column needs no engine. */
const ROOMY = '(width >= 900px) and (height >= 500px)';

export class Pages {
  #root;
  #lecture;
  #manifest;
  #early;
  #figures;
  #sandbox;
  /** The words of the templates by their English ones; nothing in the language that they are written in. */
  #words;
  /** From a page at the top of this language's folder to the top of the site. */
  #top;

  constructor({ root, lecture, manifest, early, figures, sandbox }) {
    this.#root = root;
    this.#lecture = lecture;
    this.#top = lecture.language === SOURCE ? '' : '../';
    this.#words =
      lecture.language === SOURCE
        ? undefined
        : JSON.parse(readFileSync(path.join(root, `web/pages/${lecture.language}.json`), 'utf8'));
    this.#manifest = manifest;
    this.#early = early;
    this.#figures = figures;
    this.#sandbox = sandbox;
  }

  #render(template, values) {
    const file = `web/pages/${template}`;
    return fill(
      readFileSync(path.join(this.#root, file), 'utf8'),
      { policy: policyTag(POLICY), language: this.#lecture.language, ...values },
      file,
      this.#words,
    );
  }

  /**
   * The head of a page, before its own title and after it: the policy comes first, and before the scripts what they read. `module` is what it computes with from the start, if anything. `ahead` are entries that the script will ask for at once, so that the browser
   * fetches them beside it and not after it; `roomy` the same, for windows with room for the deck. `policy` is the site's unless told.
   */
  #head(source, { page, file, module = 'core', ahead = [], roomy = [], policy = POLICY }) {
    const up = this.#top + '../'.repeat(file.split('/').length - 1);
    const { script, needs, styles } = builtEntry(this.#manifest, source);
    const more = ahead.flatMap((one) => {
      const entry = builtEntry(this.#manifest, one);
      return [entry.script, ...entry.needs];
    });
    const preload = [...new Set([...needs, ...more])].filter((file) => file !== script);
    const links = [
      this.#alternates(up, file),
      `<script src="${up}${this.#early}" data-page="${page}"${module ? this.#module(up, module) : ''}></script>`,
      // No crossorigin on style sheets: opened from a folder, the page would stand there without style.
      ...styles.map((one) => `<link rel="stylesheet" href="${up}${one}" />`),
      ...preload.map((one) => `<link rel="modulepreload" href="${up}${one}" />`),
      ...roomy.map((one) => {
        const { script: later } = builtEntry(this.#manifest, one);
        return `<link rel="modulepreload" href="${up}${later}" media="${ROOMY}" />`;
      }),
      `<script type="module" src="${up}${script}"></script>`,
      `<meta name="attention-deck-worker" content="${up}${WORKER}" />`,
    ];
    return {
      up,
      languages: this.#otherLanguages(up, file),
      headStart: [
        policyTag(policy),
        '<meta charset="utf-8" />',
        '<meta name="viewport" content="width=device-width, initial-scale=1" />',
      ].join('\n    '),
      headEnd: [
        '<meta name="color-scheme" content="light dark" />',
        `<link rel="icon" href="${up}icon.svg" type="image/svg+xml" />`,
        ...links,
      ].join('\n    '),
    };
  }

  /** The same page in each language, for search engines and for the early script, which follows `?lang=`. */
  #alternates(up, file) {
    return LANGUAGES.map(
      (one) => `<link rel="alternate" hreflang="${one}" href="${up}${placeOf(one, file)}" />`,
    ).join('\n    ');
  }

  /** Links to the same page in the other languages, each in its own words. */
  #otherLanguages(up, file) {
    return LANGUAGES.filter((one) => one !== this.#lecture.language)
      .map((one) => {
        const { short, name } = LANGUAGE_NAMES[one];
        return `<a class="bar-button language" data-language href="${up}${placeOf(one, file)}" hreflang="${one}" lang="${one}" title="${name}" aria-label="${short}: ${name}">${short}</a>`;
      })
      .join('');
  }

  /** Where each build of the module is, for the early script to send for the one that this browser runs. */
  #module(up, module) {
    return Object.entries(this.#addresses(up, module))
      .map(([variant, [bytes, glue]]) => ` data-${variant}="${bytes} ${glue}"`)
      .join('');
  }

  /** Where the bytes and the glue of a module in each variant are, from a page that is so far below the top. */
  #addresses(up, module) {
    const file = (name) => {
      const source = `web/runtime/modules/${name}`;
      if (!this.#manifest[source]) throw new Error(`the bundler made nothing of ${source}`);
      return `${up}${this.#manifest[source].file}`;
    };
    return Object.fromEntries(
      ['relaxed', 'simd', 'scalar'].map((variant) => [
        variant,
        ['wasm', 'mjs'].map((suffix) => file(`${module}.${variant}.${suffix}`)),
      ]),
    );
  }

  deck() {
    const { title, slides } = this.#lecture;
    const first = slides[0].simulators.map((name) => `web/simulators/${name}/index.js`);
    return this.#render('deck.html', {
      ...this.#head('web/deck/main.js', {
        page: 'deck',
        file: 'index.html',
        ahead: first,
        roomy: ['web/deck/reveal-mode.js'],
      }),
      title,
      slides: slides.map(({ markup }) => markup).join('\n'),
      contents: this.#contents(),
    });
  }

  #contents() {
    const { parts, slides } = this.#lecture;
    return parts
      .map(({ id, title }) => {
        const items = slides
          .filter((slide) => slide.part === id)
          .map(
            (slide) =>
              `<li><a href="#${slide.id}" data-part="${escapeText(title)}"><span class="contents-number">${escapeText(slide.number)}</span><span>${escapeText(slide.title)}</span></a></li>`,
          )
          .join('');
        return `<section class="contents-part"><h3>${escapeText(title)}</h3><ol>${items}</ol><p><a href="read/${id}.html">${msg('Read this part')}</a></p></section>`;
      })
      .join('\n');
  }

  /** Every slide in a list to choose from, by part. */
  #jump() {
    const { parts, slides } = this.#lecture;
    return parts
      .map(({ id, title }) => {
        const options = slides
          .filter((slide) => slide.part === id)
          .map(
            ({ number, title: name }) => `<option>${escapeText(`${number} · ${name}`)}</option>`,
          );
        return `<optgroup label="${escapeText(title)}">${options.join('')}</optgroup>`;
      })
      .join('');
  }

  speaker() {
    const { title, slides } = this.#lecture;
    const notes = slides
      .map(
        (slide) =>
          `<article class="speaker-note" data-note="${escapeText(slide.id)}" data-title="${escapeText(slide.title)}" hidden><h2>${escapeText(slide.title)}</h2>${slide.notes || `<p>${msg('No notes for this slide.')}</p>`}</article>`,
      )
      .join('\n');
    return this.#render('speaker.html', {
      ...this.#head('web/deck/speaker.js', {
        page: 'speaker',
        file: 'speaker.html',
        module: null,
      }),
      title,
      notes,
      jump: this.#jump(),
    });
  }

  /** One page for each part, to read. */
  readings() {
    const { title: lecture, parts, slides } = this.#lecture;
    return parts.map(({ id, title }, at) => {
      const link = (part, words) =>
        part ? `<a href="${part.id}.html">${words}: ${escapeText(part.title)}</a>` : '';
      const own = slides.filter(({ part }) => part === id);
      return {
        id,
        html: this.#render('read.html', {
          ...this.#head('web/pages/read.js', { page: 'read', file: `read/${id}.html` }),
          lecture,
          title,
          slides: own.map(({ reading }) => reading).join('\n'),
          around: [
            link(parts[at - 1], msg('Before')),
            `<a href="../index.html#${own[0].id}">${msg('This part as slides')}</a>`,
            link(parts[at + 1], msg('Next')),
          ].join(''),
        }),
      };
    });
  }

  /** Every slide, every part to read and every simulator, on one page. */
  async contents() {
    const { title: lecture, parts, slides } = this.#lecture;
    const itemOf = async ({ id, number, title, simulators }) => {
      const alone = await Promise.all(
        simulators.map(async (name) => {
          const { model } = await this.#figures.parts(name);
          return `<a href="simulators/${name}.html">${escapeText(model.title)}</a>`;
        }),
      );
      const below =
        alone.length > 0 ? `<span class="alone">${msg('Alone:')} ${alone.join(', ')}</span>` : '';
      return `<li><span class="number">${escapeText(number)}</span><a href="index.html#${id}">${escapeText(title)}</a>${below}</li>`;
    };
    const listed = parts.map(async ({ id, title }) => {
      const items = await Promise.all(slides.filter(({ part }) => part === id).map(itemOf));
      return `<section aria-labelledby="part-${id}"><h2 id="part-${id}"><a href="read/${id}.html">${escapeText(title)}</a></h2><ol>${items.join('')}</ol></section>`;
    });
    return this.#render('contents.html', {
      ...this.#head('web/pages/read.js', {
        page: 'read',
        file: 'contents.html',
        module: null,
      }),
      lecture,
      // The last step of the build, which has all files before it, fills it in.
      offline: UNKNOWN_BYTES,
      parts: (await Promise.all(listed)).join('\n'),
    });
  }

  /** The simulators that slides show, in their order. */
  get #names() {
    return [...new Set(this.#lecture.slides.flatMap(({ simulators }) => simulators))];
  }

  /** How a simulator gets into other people's pages, tool by tool. */
  async embed() {
    const { language, title } = this.#lecture;
    const head = this.#head('web/pages/recipes.js', {
      page: 'read',
      file: 'embed.html',
      module: null,
    });
    const simulators = await Promise.all(
      this.#names.map(async (name) => {
        const { model } = await this.#figures.parts(name);
        return { name, title: model.title };
      }),
    );
    const file = path.join(this.#root, 'web/pages/embed/heights.json');
    const measured = JSON.parse(readFileSync(file, 'utf8'));
    return this.#render('embed.html', {
      ...head,
      lecture: title,
      ...recipeMarkup(language),
      ...fitsMarkup({ measured, language, up: head.up, simulators }),
    });
  }

  /** The page that measures the reader's device. It fetches the kernels when it is asked to. */
  bench() {
    return this.#render('bench.html', {
      ...this.#head('web/pages/bench.js', { page: 'bench', file: 'bench.html', module: null }),
      lecture: this.#lecture.title,
    });
  }

  /** The page that runs a real model, from wherever the reader takes one: under a policy of its own. */
  model() {
    return this.#render('model.html', {
      ...this.#head('web/pages/model.js', {
        page: 'model',
        file: 'model.html',
        module: null,
        policy: MODEL_POLICY,
      }),
      lecture: this.#lecture.title,
    });
  }

  /** The lab, each exercise written out, so that it can be read where no script runs. */
  lab() {
    const names = [...new Set(exercises.flatMap(({ modules }) => modules))];
    const head = this.#head('web/lab/lab.js', { page: 'lab', file: 'lab.html', module: null });
    const { up } = head;
    return this.#render('lab.html', {
      ...head,
      lecture: this.#lecture.title,
      title: labWords.title,
      summary: labWords.summary,
      devices: labWords.devices,
      exercises: labWords.exercises,
      noScript: labWords.noScript,
      fromFile: labWords.fromFile,
      notebook: labWords.notebook,
      worker: `${up}${this.#sandbox.worker}`,
      modules: JSON.stringify(
        Object.fromEntries(names.map((name) => [name, this.#addresses(up, name)])),
      ),
      navigation: navigation(exercises, escapeText),
      sections: sections(exercises, escapeText),
    });
  }

  /** The frame in which the lab runs programs: under a policy of its own. */
  sandbox() {
    return this.#render('sandbox.html', {
      policy: policyTag(sandboxPolicy(this.#sandbox.frame)),
      lecture: this.#lecture.title,
      script: `<script>${this.#sandbox.frame}</script>`,
    });
  }

  /** One page for each simulator that a slide shows: the element and nothing else. */
  async simulators() {
    return Promise.all(
      this.#names.map(async (name) => ({ name, html: await this.#simulator(name) })),
    );
  }

  async #simulator(name) {
    const { model } = await this.#figures.parts(name);
    const slide = this.#lecture.slides.find(({ simulators }) => simulators.includes(name));
    const holder = createElement('div', {}, [createElement(model.tag)]);
    await this.#figures.drawAll(holder);
    return this.#render('simulator.html', {
      ...this.#head('web/pages/simulator.js', {
        page: 'simulator',
        file: `simulators/${name}.html`,
        module: model.module,
        ahead: [`web/simulators/${name}/index.js`],
      }),
      title: model.title,
      summary: model.summary ?? slide.title,
      lecture: this.#lecture.title,
      element: writeWhole(holder.childNodes[0]),
      slide: slide.id,
      number: slide.number,
      slideTitle: slide.title,
    });
  }

  /** Words of a template's kind that stand in a script, in this page's language, as markup. */
  #said(english) {
    const text = this.#words ? this.#words[english] : english;
    if (text === undefined) throw new Error(`web/build/elements: nobody translated “${english}”`);
    return escapeText(text);
  }

  /** A page for each element, with all that it has and an example to change, and a list of them. */
  async elements() {
    const elements = await collectElements(this.#root);
    const say = (english) => this.#said(english);
    const { title: lecture } = this.#lecture;
    const example = (tag, attributes = '') =>
      `<script type="module" src="https://…/attention-deck.js"></script>\n<${tag}${attributes}></${tag}>`;
    const pages = elements.map(async (element) => ({
      name: element.name,
      html: await this.#element(element, example(element.tag), say),
    }));
    const index = this.#render('elements.html', {
      ...this.#head('web/pages/element.js', {
        page: 'element',
        file: 'elements/index.html',
        module: null,
      }),
      lecture,
      code: example('attn-query', ' case="river"'),
      list: elementPage.list(elements),
    });
    return [{ name: 'index', html: index }, ...(await Promise.all(pages))];
  }

  async #element(element, code, say) {
    const { name, tag, title, summary, className } = element;
    const { model } = await this.#figures.parts(name);
    const slide = this.#lecture.slides.find(({ simulators }) => simulators.includes(name));
    const holder = createElement('div', {}, [createElement(tag)]);
    await this.#figures.drawAll(holder);
    const stateName = `${className}State`;
    return this.#render('element.html', {
      ...this.#head('web/pages/element.js', {
        page: 'element',
        file: `elements/${name}.html`,
        module: model.module,
        ahead: [`web/simulators/${name}/index.js`],
      }),
      lecture: this.#lecture.title,
      name,
      tag,
      title,
      summary: summary ?? slide.title,
      slide: slide.id,
      code,
      element: writeWhole(holder.childNodes[0]),
      controls: elementPage.controls(element, say),
      attributes: elementPage.attributeTable(element, say),
      properties: elementPage.propertyTable(element, say, stateName),
      methods: elementPage.methodTable(say, stateName),
      events: elementPage.eventTable(say, stateName),
      parts: elementPage.partTable(say),
      states: elementPage.stateTable(say),
      cssProperties: elementPage.cssPropertyTable(say, cssProperties(this.#root)),
      slots: elementPage.slotTable(say),
    });
  }
}
