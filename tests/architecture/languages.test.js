/** The lecture in other languages: the same slides with the same figures, and no text forgotten. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { render } from '@lit-labs/ssr';
import { collectResult } from '@lit-labs/ssr/lib/render-result.js';
import { parseFragment } from 'parse5';
import { inLanguage } from '../../web/build/site/language.mjs';
import { exercises } from '../../web/lab/exercises/index.js';
import { words as labWords } from '../../web/lab/words.js';
import { LANGUAGES, SOURCE } from '../../web/shared/language.js';
import { isEnglish } from './english.js';
import { displayed, figureProblem, readSlide } from './figure-check.js';
import { loadFigures, loadModules, models } from './figures.js';
import { ROOT, filesBelow, read } from './files.js';
import { allSlides, attribute, slidesOf, walk } from './slides.js';

const OTHERS = LANGUAGES.filter((one) => one !== SOURCE);
/** Attributes that are read or heard. */
const SPOKEN = new Set(['aria-label', 'aria-description', 'alt', 'title', 'placeholder']);

const english = allSlides();
const slidesIn = (language) =>
  filesBelow(`slides/${language}`)
    .filter((file) => file.endsWith('.html'))
    .flatMap((file) => slidesOf(read(file), { file }));

const none = (complaints) => assert.equal(complaints.join('\n'), '');

/** What a slide is made of, its words left aside: each tag with its attributes, in order. */
function skeleton({ node }) {
  const parts = [];
  walk(node, (inner) => {
    if (!inner.tagName) return undefined;
    const attributes = inner.attrs
      .map(({ name, value }) => (SPOKEN.has(name) ? name : `${name}=${value}`))
      .sort()
      .join(' ');
    parts.push(`<${inner.tagName} ${attributes}>`);
    // A formula may hold words; its figures are compared with all the others.
    return inner.tagName !== 'm-tex';
  });
  return parts;
}

/** What a number with a point belongs to when it is no quantity: a section of a paper, a version in a name. */
const NAMED = /^(seç(ão|ões)|Llama|Qwen|Mamba|Mistral|Phi-|v)\s?$/;

/** A text whose quantities are written as English writes them: a point for each comma and a comma for each point. */
const inEnglish = (text) =>
  text.replace(/(\p{L}*[\s-]?)(\d+(?:[.,]\d+)+)/gu, (all, before, number) =>
    NAMED.test(before)
      ? all
      : before + number.replace(/[.,]/g, (sign) => (sign === ',' ? '.' : ',')),
  );

/** The numbers that a slide states, with those of its figures, least first. */
function numbersOf(slide, write = (text) => text) {
  const { figures, text } = readSlide(slide);
  return [text, ...figures.map((figure) => figure.text)]
    .flatMap((one) => displayed(write(one)))
    .map(({ value }) => value)
    .sort((a, b) => a - b);
}

let values;
let modules;
let byTag;
before(async () => {
  ({ values } = await loadFigures());
  [modules, byTag] = await Promise.all([loadModules(), models()]);
});

for (const language of OTHERS) {
  const slides = slidesIn(language);
  const original = (slide) => english.find((one) => one.slide === slide.slide);

  test(`${language}: every slide stands in the file of its part, and is built as in English`, () => {
    const places = (list, folder) =>
      list.map(({ slide, file }) => `${path.relative(folder, file)} ${slide}`);
    assert.deepEqual(places(slides, `slides/${language}`), places(english, 'slides'));
    const index = (folder) =>
      JSON.parse(read(`${folder}/index.json`)).parts.map(({ id, file }) => `${id} ${file}`);
    assert.deepEqual(index(`slides/${language}`), index('slides'));
    for (const slide of slides) {
      assert.deepEqual(skeleton(slide), skeleton(original(slide)), `slide ${slide.slide}`);
    }
  });

  test(`${language}: the figures are what the module computes, written the way of the language`, () => {
    const complaints = slides.flatMap((slide) =>
      readSlide(slide).figures.flatMap(({ reference, text }) => {
        const problem = figureProblem(reference, inEnglish(text), values);
        return problem ? [`slide ${slide.slide}: ${problem}`] : [];
      }),
    );
    none(complaints);
  });

  test(`${language}: each slide states the numbers that the English one states, and no other`, () => {
    const states = (slide, write) => `slide ${slide.slide}: ${numbersOf(slide, write).join(' ')}`;
    assert.deepEqual(
      slides.map((slide) => states(slide, inEnglish)),
      slides.map((slide) => states(original(slide))),
    );
  });

  test(`${language}: a digit that was changed, and a figure that was dropped, are caught`, () => {
    const [slide] = slides.filter((one) => readSlide(one).figures.length > 3);
    const figures = readSlide(slide).figures;
    const [{ reference, text }] = figures.filter((figure) => /\d[.,]\d/.test(figure.text));
    const other = inEnglish(text).replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
    assert.ok(figureProblem(reference, other, values), `${reference}: ${other}`);
    // Left as English writes it, it is another number.
    assert.ok(figureProblem(reference, text, values), reference);
  });

  test(`${language}: no slide is still in English`, () => {
    const same = slides.filter((slide) => {
      const wordsOf = (one) => readSlide(one).text.replace(/\s+/g, ' ');
      return wordsOf(slide) === wordsOf(original(slide));
    });
    assert.deepEqual(
      same.map(({ slide }) => slide),
      [],
    );
  });

  test(`${language}: web/texts holds every sentence of the scripts, translated, and none that is gone`, () => {
    const file = `${language}.xlf`;
    const folder = mkdtempSync(path.join(tmpdir(), 'attn-texts-'));
    try {
      const config = JSON.parse(read('web/texts/lit-localize.json'));
      config.inputFiles = config.inputFiles.map((glob) => path.join(ROOT, 'web/texts', glob));
      writeFileSync(path.join(folder, 'lit-localize.json'), JSON.stringify(config));
      cpSync(path.join(ROOT, 'web/texts', file), path.join(folder, file));
      const { status, stderr } = spawnSync(
        path.join(ROOT, 'node_modules/.bin/lit-localize'),
        ['extract', '--config', path.join(folder, 'lit-localize.json')],
        { encoding: 'utf8' },
      );
      assert.equal(status, 0, stderr);
      const fresh = readFileSync(path.join(folder, file), 'utf8');
      const units = (text) =>
        [...text.matchAll(/<trans-unit id="([-\w]+)">([\s\S]*?)<\/trans-unit>/g)].map(
          ([, id, body]) => ({
            id,
            source: /<source>([\s\S]*?)<\/source>/.exec(body)[1],
            target: /<target[^>]*>([\s\S]*?)<\/target>/.exec(body)?.[1],
          }),
        );
      const found = units(fresh);
      assert.ok(found.length > 100, `only ${found.length} sentences`);
      none(
        found.filter(({ target }) => !target?.trim()).map(({ id, source }) => `${id} ${source}`),
      );
      const ids = new Set(found.map(({ id }) => id));
      none(
        units(read(`web/texts/${file}`))
          .filter(({ id }) => !ids.has(id))
          .map(({ id }) => id),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test(`${language}: every simulator speaks it, in each of its cases`, async () => {
    const complaints = [];
    await inLanguage(language, async () => {
      for (const [tag, model] of Object.entries(byTag)) {
        const name = tag.replace('attn-', '');
        const file = path.join(ROOT, `web/simulators/${name}/${name}.view.js`);
        const { view } = await import(pathToFileURL(file).href);
        const cases = [{ id: 'opening', state: {} }, ...model.cases];
        for (const { id, state } of cases) {
          const numbers = model.compute(modules[model.module ?? 'core'], {
            ...structuredClone(model.defaults),
            ...state,
          });
          const drawn = parseFragment(await collectResult(render(view(numbers, undefined))));
          const lines = [
            model.title,
            model.summary ?? '',
            model.sentence(numbers),
            ...guessesOf(model, numbers),
            ...Object.keys(model.schema).map((key) => model.schema[key].name?.(0, 0) ?? ''),
            ...linesOf(drawn),
          ];
          // A text that stands in a field is data too.
          const data = new Set(Object.values(numbers.state));
          const english = lines.filter((line) => !data.has(line) && isEnglish(line));
          complaints.push(...english.map((line) => `${tag}, ${id}: ${line}`));
        }
      }
    });
    none([...new Set(complaints)]);
  });

  test(`${language}: the lab speaks it, and its programs are the same but for their remarks`, async () => {
    const programsOf = ({ code, solution }) =>
      `${code}${solution}`.split('\n').map((line) => line.replace(/\/\/.*/, '//'));
    const original = exercises.map(programsOf);
    await inLanguage(language, () => {
      assert.deepEqual(exercises.map(programsOf), original);
      const lines = [...Object.values(labWords), ...Object.values(labWords.wrong)].map((word) =>
        typeof word === 'function' ? word('') : String(word),
      );
      for (const exercise of exercises) {
        const { title, task, hint, code, solution } = exercise;
        const remarks = `${code}${solution}`.match(/\/\/.*/g) ?? [];
        lines.push(title, ...task, hint, ...remarks, ...complaintsOf(exercise));
        for (const line of `${code}${solution}`.split('\n')) assert.ok(line.length <= 76, line);
      }
      assert.ok(lines.length > 150, `only ${lines.length} lines`);
      none(lines.map((line) => line.replace(/`[^`]*`/g, '')).filter(isEnglish));
    });
  });
}

/** What the check of an exercise says to answers that are wrong in different ways. */
function complaintsOf({ inputs, check }) {
  const answers = [undefined, 'text', 1, [1], { outputs: [1], kept: 1 }, { losses: [1] }];
  return inputs(modules, 1).flatMap((input) => {
    const said = answers.map((answer) => check(modules, input, answer));
    assert.ok(said.every((sentence) => typeof sentence === 'string'));
    return said;
  });
}

/** What there is to guess at this moment. */
function guessesOf({ predict }, numbers) {
  if (!predict || predict.possible?.(numbers) === false) return [];
  return [predict.question, ...predict.options(numbers).map(String)];
}

/** What a drawing says, tokens and other data left aside. */
function linesOf(root) {
  const lines = [];
  walk(root, (node) => {
    if (node.nodeName === '#text') lines.push(node.value);
    if (!node.tagName) return undefined;
    const has = (word) => (attribute(node, 'class') ?? '').split(/\s+/).includes(word);
    if (attribute(node, 'lang') === SOURCE || attribute(node, 'translate') === 'no') return false;
    if (['option', 'textarea', 'code'].includes(node.tagName) || has('token') || has('pieces'))
      return false;
    lines.push(...node.attrs.filter(({ name }) => SPOKEN.has(name)).map(({ value }) => value));
    return undefined;
  });
  return lines.map((line) => line.replace(/\s+/g, ' ').trim());
}
