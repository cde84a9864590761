/**
 * The lab as a notebook, in Python with NumPy: `node web/build/notebook.mjs` writes web/lab/notebook/attention-lab.ipynb
 * from the exercises' titles, their Python sources beside it and the golden files, and web/lab/notebook/pt-BR/ from the
 * same and the words of pt-BR.json. A test compares, and runs both.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { exercises } from '../lab/exercises/index.js';
import { LANGUAGES, SOURCE, inLanguage } from './site/language.mjs';
import { inRoot } from './steps.mjs';

/** The file of a language's notebook. */
export const notebookFile = (language) =>
  `web/lab/notebook/${language === SOURCE ? '' : `${language}/`}attention-lab.ipynb`;

const GOLDEN = ['tests/golden/lecture.json', 'tests/golden/deck.json'];
const PARTS = ['task', 'gap', 'check', 'hint', 'solution'];

const read = (file) => readFileSync(inRoot(file), 'utf8');

/** The parts of an exercise's Python file: comments of `task` and `hint` are text, the others code. */
export function partsOf(source, id) {
  const pieces = source.split(/^# %% (\w+)\n/m).slice(1);
  const parts = {};
  for (let at = 0; at < pieces.length; at += 2) parts[pieces[at]] = pieces[at + 1].trim();
  const missing = PARTS.find((name) => !parts[name]);
  if (missing) throw new Error(`${id}.py has no part “${missing}”`);
  const text = (comment) => comment.replace(/^# ?/gm, '');
  return { ...parts, task: text(parts.task), hint: text(parts.hint) };
}

/** The golden values that the checks name. */
function goldenValues(code) {
  const rows = new Map(
    GOLDEN.flatMap((file) => JSON.parse(read(file)).figures ?? JSON.parse(read(file))).map(
      (row) => [row.id, row.computed],
    ),
  );
  const asked = [...code.matchAll(/golden\[f?'([^']+)'\]/g)].map(([, id]) => id);
  const ids = asked.flatMap((id) =>
    id.includes('{row}') ? [1, 2, 3, 4].map((row) => id.replace('{row}', row)) : [id],
  );
  return Object.fromEntries(
    [...new Set(ids)].sort().map((id) => {
      if (!rows.has(id)) throw new Error(`no golden figure has the id “${id}”`);
      return [id, rows.get(id)];
    }),
  );
}

const INTRODUCTION = `# Attention mechanisms: the lab

Ten exercises along the lecture, in Python with NumPy. Each has a cell with a gap: run it and the check below it, read what
is wrong, fill the gap, and run both again. The values that the checks compare with are those of the lecture, computed by
its C++. Under each exercise there is a hint and, folded, a solution.`;

const SETUP = `

def near(got, wanted, name, tolerance=1e-6):
    """Says what is wrong, or that it is right."""
    assert got is not None, f'nothing came back for {name}: is there a return at the end?'
    got, wanted = np.asarray(got, dtype=float), np.asarray(wanted, dtype=float)
    assert got.shape == wanted.shape, f'{name}: the shape is {got.shape}, and {wanted.shape} is wanted'
    assert np.allclose(got, wanted, rtol=tolerance, atol=tolerance), f'{name}: yours is\\n{got}\\nand it should be\\n{wanted}'
    print('right:', name)`;

const setupOf = (golden, code) => `import numpy as np

${code("# The lecture's values, to full precision.")}
golden = {
${Object.entries(golden)
  .map(([id, value]) => `    '${id}': ${JSON.stringify(value)},`)
  .join('\n')}
}
${code(SETUP)}`;

const unwrapped = (text) => text.replace(/\s*\n\s*/g, ' ');

/** Comments, docstrings and texts in quotes of a program; the names of golden values are no words. */
const WORDS = /golden\[f?'[^']*'\](?:\['[^']*'\])?|# [^\n]+|"""[^"]+"""|'[^'\n]+'/g;
const MARKS = /^(# |"""|')([^]*?)("""|'|)$/;

/** What puts the notebook's English into another language; all that it leaves English is no word in pt-BR.json. */
function translator(language) {
  if (language === SOURCE) return { text: (english) => english, code: (english) => english };
  const words = JSON.parse(read(`web/lab/notebook/${language}.json`));
  const text = (english) => {
    const known = words[unwrapped(english)];
    if (known === undefined) throw new Error(`${language}.json has no “${unwrapped(english)}”`);
    return known;
  };
  const code = (english) =>
    english.replace(WORDS, (found) => {
      const [, before, said, after] = MARKS.exec(found) ?? [];
      return said === undefined || !/[a-z]{2}/i.test(said) ? found : before + text(said) + after;
    });
  return { text, code };
}

const lines = (text) => text.split(/(?<=\n)/);

/** The whole notebook in a language, as its file holds it. */
export const notebook = (language = SOURCE) => inLanguage(language, () => written(language));

function written(language) {
  const { text: words, code } = translator(language);
  const cells = [];
  const add = (cell_type, id, text, metadata = {}) =>
    cells.push({
      cell_type,
      id,
      metadata,
      source: lines(text),
      ...(cell_type === 'code' ? { execution_count: null, outputs: [] } : {}),
    });
  const all = exercises.map((exercise) => ({
    ...exercise,
    ...partsOf(read(`web/lab/notebook/${exercise.id}.py`), exercise.id),
  }));
  add('markdown', 'introduction', INTRODUCTION.split('\n\n').map(words).join('\n\n'));
  const golden = goldenValues(all.map(({ check }) => check).join('\n'));
  add('code', 'setup', setupOf(golden, code), { lab: { role: 'setup' } });
  all.forEach(({ id, title, slide, task, gap, check, hint, solution }, at) => {
    const lab = (role) => ({ lab: { role, exercise: id } });
    add('markdown', `${id}-task`, `## ${at + 1}. ${title}\n\nSlide ${slide}. ${words(task)}`);
    add('code', `${id}-gap`, code(gap), lab('gap'));
    add('code', `${id}-check`, code(check), lab('check'));
    add(
      'markdown',
      `${id}-help`,
      `<details><summary>${words('A hint')}</summary>\n\n${words(hint)}\n\n</details>\n\n<details><summary>${words('A solution')}</summary>\n\n\`\`\`python\n${code(solution)}\n\`\`\`\n\n</details>`,
      lab('solution'),
    );
  });
  const metadata = {
    kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
    language_info: { name: 'python' },
  };
  return `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const language of LANGUAGES) {
    writeFileSync(inRoot(notebookFile(language)), await notebook(language));
    console.log(`Written: ${notebookFile(language)}`);
  }
}
