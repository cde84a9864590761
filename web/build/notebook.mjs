/**
 * The lab as a notebook, in Python with NumPy: `node web/build/notebook.mjs` writes web/lab/notebook/attention-lab.ipynb
 * from the exercises' titles, their Python sources beside it and the golden files. A test compares, and runs it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { exercises } from '../lab/exercises/index.js';
import { inRoot } from './steps.mjs';

export const NOTEBOOK = 'web/lab/notebook/attention-lab.ipynb';

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

const setupOf = (golden) => `import numpy as np

# The lecture's values, to full precision.
golden = {
${Object.entries(golden)
  .map(([id, value]) => `    '${id}': ${JSON.stringify(value)},`)
  .join('\n')}
}


def near(got, wanted, name, tolerance=1e-6):
    """Says what is wrong, or that it is right."""
    assert got is not None, f'nothing came back for {name}: is there a return at the end?'
    got, wanted = np.asarray(got, dtype=float), np.asarray(wanted, dtype=float)
    assert got.shape == wanted.shape, f'{name}: the shape is {got.shape}, and {wanted.shape} is wanted'
    assert np.allclose(got, wanted, rtol=tolerance, atol=tolerance), f'{name}: yours is\\n{got}\\nand it should be\\n{wanted}'
    print('right:', name)`;

const lines = (text) => text.split(/(?<=\n)/);

/** The whole notebook, as its file holds it. */
export function notebook() {
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
  add('markdown', 'introduction', INTRODUCTION);
  add('code', 'setup', setupOf(goldenValues(all.map(({ check }) => check).join('\n'))), {
    lab: { role: 'setup' },
  });
  all.forEach(({ id, title, slide, task, gap, check, hint, solution }, at) => {
    const lab = (role) => ({ lab: { role, exercise: id } });
    add('markdown', `${id}-task`, `## ${at + 1}. ${title}\n\nSlide ${slide}. ${task}`);
    add('code', `${id}-gap`, gap, lab('gap'));
    add('code', `${id}-check`, check, lab('check'));
    add(
      'markdown',
      `${id}-help`,
      `<details><summary>A hint</summary>\n\n${hint}\n\n</details>\n\n<details><summary>A solution</summary>\n\n\`\`\`python\n${solution}\n\`\`\`\n\n</details>`,
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
  writeFileSync(inRoot(NOTEBOOK), notebook());
  console.log(`Written: ${NOTEBOOK}`);
}
