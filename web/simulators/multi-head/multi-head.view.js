/** How it is drawn: the code, its line that was done last, and beside it what went in and what came out. */
import { html, nothing } from 'lit';
import { cell, choice, shown, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { canChange } from '../../shared/limits.js';
import { token } from '../../shared/mark.js';
import { matrixTable } from '../../shared/matrix-table.js';
import { between, formatExact, formatNumber } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { transport } from '../../shared/transport.js';
import { working } from '../../shared/working.js';
import { LINES, TOKENS, X, entryName, isTelling, model, vector } from './multi-head.model.js';

const two = { decimals: 2 };
const plain = { decimals: 6, trim: true };
const number = (value) => formatNumber(value, plain);
const short = (value) => formatNumber(value, { decimals: 2, trim: true });
const digits = (value) => formatNumber(value, two);

const rowNames = TOKENS.map((name, i) => token(name, i));
const shapeText = (shape) => `[${shape.join(', ')}]`;

/* ---- the code ---- */

function codeLine(numbers, ui) {
  return ({ code, step, tone, id }, at) => {
    const { state } = numbers;
    const now = state.line === ordinal(at);
    const idle = id === 'mask' && state.causal === 'off';
    return html`<li>
      <button
        type="button"
        class="code-line ${now ? 'code-now' : ''} ${idle ? 'code-idle' : ''}"
        aria-current=${now ? 'step' : nothing}
        ?disabled=${!canChange(ui, 'line')}
        @click=${ui ? () => ui.settle('line', ordinal(at)) : nothing}
      >
        <code class="tone-${tone}">${code}</code>
        <span class="code-shape">${shapeText(numbers.steps[step].shape)}</span>
      </button>
    </li>`;
  };
}

const codeOf = (numbers, ui) =>
  html`<div class="heads-code">
    <ol class="code" aria-label=${msg('The code, with the shape that each line gives')}>
      ${LINES.map(codeLine(numbers, ui))}
    </ol>
    <p class="code-note">
      ${msg(html`split(M) is <code>M.reshape(n, h, -1).swapaxes(0, 1)</code>`)}
    </p>
  </div>`;

/* ---- what the line did ---- */

const sign = (text) => html`<span class="matrix-sign" aria-hidden="true">${text}</span>`;

/** A matrix that a sign leads to: where there is no room in the line they go to the next one together. */
const then = (text, matrix) => html`<div class="matrix-then">${sign(text)}${matrix}</div>`;
const line = (...parts) => html`<div class="matrix-line">${parts}</div>`;

/** A learned matrix, edited where it stands. */
const learned = ({ state }, ui, name, tone) =>
  matrixTable({
    name: html`W<sub>${name.slice(-1)}</sub>`,
    spoken: msg('learned', { id: 'matrix-learned' }),
    tone,
    rows: state[name],
    cell: (value, i, j) =>
      cell(ui, {
        path: `${name}.${i}.${j}`,
        value,
        label: entryName(name, i, j),
        tone,
      }),
  });

/** A step of the C++, of one head or of all. */
function result({ state, steps }, ui, { name, step, tone, head, keys = false, full, masked }) {
  const hidden = ui?.answerHidden && ['weights', 'head_outputs', 'concat', 'output'].includes(step);
  const { values } = steps[step];
  return matrixTable({
    name,
    tone,
    rows: head === undefined ? values : values[head],
    rowNames,
    columnNames: keys ? TOKENS : undefined,
    corner: msg('query'),
    full: hidden ? undefined : full,
    masked,
    now: state.row,
    cell: hidden ? () => withheld : (value) => shown(value, two),
  });
}

const inputs = () =>
  matrixTable({ name: 'X', spoken: msg('one row per token'), rows: X, rowNames, cell: number });

const projected = (name, tone) => (numbers, ui) =>
  line(
    inputs(),
    then('@', learned(numbers, ui, `W_${name}`, tone)),
    then('=', result(numbers, ui, { name, step: name, tone })),
  );

/** The same for each head, below each other. */
const perHead = (draw) => (numbers, ui) =>
  indices(numbers.n_heads).map((h) => draw(numbers, ui, h));

/** What a head's part of a matrix is called. */
const ofHead = (letter, h) => {
  const head = ordinal(h);
  return msg(str`${letter}, head ${head}`);
};

const later =
  ({ sees }) =>
  (i, j) =>
    !sees(i, j);

const headPart = (numbers, ui, h, letter, step, tone, more = {}) =>
  result(numbers, ui, { name: ofHead(letter, h), step, tone, head: h, ...more });

const scores = (numbers, ui, h, step, name, masked) =>
  result(numbers, ui, { name, step, tone: 's', head: h, keys: true, masked });

const weights = (numbers, ui, h) =>
  headPart(numbers, ui, h, 'A', 'weights', 'w', { keys: true, full: 1, masked: later(numbers) });

/** What stands beside the code for each line, by its id. */
const PANELS = {
  Q: projected('Q', 'q'),
  K: projected('K', 'k'),
  V: projected('V', 'v'),
  split: perHead((numbers, ui, h) =>
    line(
      headPart(numbers, ui, h, 'Q', 'Q_heads', 'q'),
      headPart(numbers, ui, h, 'K', 'K_heads', 'k'),
      headPart(numbers, ui, h, 'V', 'V_heads', 'v'),
    ),
  ),
  S: perHead((numbers, ui, h) =>
    line(
      headPart(numbers, ui, h, 'Q', 'Q_heads', 'q'),
      then('·', headPart(numbers, ui, h, 'K', 'K_heads', 'k')),
      then('=', scores(numbers, ui, h, 'scores', ofHead('S', h))),
    ),
  ),
  scaled: perHead((numbers, ui, h) =>
    line(
      scores(numbers, ui, h, 'scores', ofHead('S', h)),
      then(`÷ √${numbers.steps.Q_heads.shape[2]} =`, scores(numbers, ui, h, 'scaled', 'S')),
    ),
  ),
  mask: perHead((numbers, ui, h) =>
    line(scores(numbers, ui, h, 'scaled', ofHead('S', h), later(numbers))),
  ),
  A: perHead((numbers, ui, h) =>
    line(
      scores(numbers, ui, h, 'scaled', ofHead('S', h), later(numbers)),
      then('→', weights(numbers, ui, h)),
    ),
  ),
  O: perHead((numbers, ui, h) =>
    line(
      weights(numbers, ui, h),
      then('@', headPart(numbers, ui, h, 'V', 'V_heads', 'v')),
      then('=', headPart(numbers, ui, h, 'O', 'head_outputs', 'v')),
    ),
  ),
  C: (numbers, ui) => [
    line(indices(numbers.n_heads).map((h) => headPart(numbers, ui, h, 'O', 'head_outputs', 'v'))),
    line(
      then('→', result(numbers, ui, { name: msg('C, side by side'), step: 'concat', tone: 'v' })),
    ),
  ],
  Y: (numbers, ui) =>
    line(
      result(numbers, ui, { name: 'C', step: 'concat', tone: 'v' }),
      then('@', learned(numbers, ui, 'W_O', 'v')),
      then('=', result(numbers, ui, { name: 'Y', step: 'output', tone: 'v' })),
    ),
};

/** Before the first line: what is given. */
const given = (numbers, ui) => [
  line(inputs(), learned(numbers, ui, 'W_Q', 'q')),
  line(learned(numbers, ui, 'W_K', 'k'), learned(numbers, ui, 'W_V', 'v')),
];

/* ---- the arithmetic of one token ---- */

const joined = (values, of) => values.map(of).join(' + ');
const dot = (a, b) => joined(indices(a.length), (c) => `${short(a[c])} × ${short(b[c])}`);

const headSaid = (h) => {
  const head = ordinal(h);
  return msg(str`head ${head}`);
};

/** A line of arithmetic for each head. */
const each = (numbers, of) => indices(numbers.n_heads).map((h) => [headSaid(h), of(numbers, h)]);

/** The keys that the chosen query sees. */
const seen = ({ sees, state }) => indices(TOKENS.length).filter((j) => sees(state.row, j));
const numbersOf = ({ steps, state }, step, h) => steps[step].values[h][state.row];
const vectors = ({ steps }, step, h) => steps[step].values[h];

const ofToken = (name, row) => {
  const word = TOKENS[row];
  return msg(str`${name} of ${word}`);
};

/** What the chosen query sees. */
const seenSaid = (numbers) => {
  const query = TOKENS[numbers.state.row];
  const keys = seen(numbers)
    .map((j) => TOKENS[j])
    .join(', ');
  return msg(str`${query} sees ${keys}`);
};

const picks = (name) => (numbers) => {
  const { row } = numbers.state;
  const place = ordinal(row);
  const values = vector(numbers.steps[name].values[row]);
  return [
    [ofToken(name, row), msg(str`row ${place} of W_${name}, as X is one-hot here: ${values}`)],
  ];
};

const sideBySide = (numbers) => {
  const [first, second] = indices(numbers.n_heads).map((h) =>
    vector(numbersOf(numbers, 'head_outputs', h)),
  );
  const row = vector(numbers.steps.concat.values[numbers.state.row]);
  return second === undefined ? `${first} → ${row}` : msg(str`${first} and ${second} → ${row}`);
};

const SUMS = {
  Q: picks('Q'),
  K: picks('K'),
  V: picks('V'),
  split: (numbers) =>
    each(numbers, (given_, h) => `q = ${vector(numbersOf(given_, 'Q_heads', h))}`),
  S: (numbers) =>
    each(numbers, (given_, h) => {
      const q = numbersOf(given_, 'Q_heads', h);
      return indices(TOKENS.length)
        .map(
          (j) =>
            `${dot(q, vectors(given_, 'K_heads', h)[j])} = ${short(numbersOf(given_, 'scores', h)[j])}`,
        )
        .join('; ');
    }),
  scaled: (numbers) =>
    each(numbers, (given_, h) =>
      indices(TOKENS.length)
        .map(
          (j) =>
            `${short(numbersOf(given_, 'scores', h)[j])} ÷ √${given_.steps.Q_heads.shape[2]} = ${digits(numbersOf(given_, 'scaled', h)[j])}`,
        )
        .join('; '),
    ),
  mask: (numbers) => [
    [
      msg('mask'),
      numbers.state.causal === 'on' ? seenSaid(numbers) : msg('off: every query sees every key'),
    ],
  ],
  A: (numbers) =>
    each(numbers, (given_, h) => {
      const scaled = numbersOf(given_, 'scaled', h);
      const weights = numbersOf(given_, 'weights', h);
      const powers = seen(given_).map((j) => html`e<sup>${digits(scaled[j])}</sup>`);
      const sum = powers.map((power, k) => (k === 0 ? power : html` + ${power}`));
      const last = seen(given_).at(-1);
      return html`${TOKENS[last]}: ${powers.at(-1)} ÷ (${sum}) = ${digits(weights[last])}`;
    }),
  O: (numbers) =>
    each(numbers, (given_, h) => {
      const weights = numbersOf(given_, 'weights', h);
      const parts = joined(
        seen(given_),
        (j) =>
          `${digits(weights[j])} × [${vectors(given_, 'V_heads', h)[j].map(short).join(between())}]`,
      );
      return `${parts} = ${vector(numbersOf(given_, 'head_outputs', h))}`;
    }),
  C: (numbers) => [[msg('one row'), sideBySide(numbers)]],
  Y: ({ steps, state }) => [
    [
      ofToken('Y', state.row),
      `${vector(steps.concat.values[state.row])} @ W_O = ${vector(steps.output.values[state.row])}`,
    ],
  ],
};

const sums = (numbers, ui) => {
  const id = numbers.line?.id;
  if (id === undefined) return nothing;
  if (ui?.answerHidden && isTelling(id)) return nothing;
  return working(SUMS[id](numbers));
};

/* ---- all of it ---- */

const controls = ({ state }, ui) =>
  html`<div class="heads-controls">
    ${choice(ui, {
      path: 'row',
      value: state.row,
      legend: msg('Token'),
      options: TOKENS.map((name, value) => ({ value, label: token(name, value) })),
    })}
    ${choice(ui, {
      path: 'heads',
      value: state.heads,
      legend: msg('Heads'),
      options: ['1', '2'].map((value) => ({ value, label: value })),
    })}
    ${choice(ui, {
      path: 'causal',
      value: state.causal,
      legend: msg('Causal'),
      options: [
        { value: 'off', label: msg('off', { id: 'causal-off' }) },
        { value: 'on', label: msg('on', { id: 'causal-on' }) },
      ],
    })}
  </div>`;

export const view = (numbers, ui) => {
  const { state, line: done, steps } = numbers;
  const output = steps.output.values[state.row].map(formatExact).join(between());
  return frame({
    model,
    numbers,
    ui,
    body: html`<div class="main heads">
      ${transport(ui, { path: 'line', value: state.line, last: LINES.length, what: msg('line') })}
      <div class="heads-split">
        ${codeOf(numbers, ui)}
        <div class="heads-side">
          ${controls(numbers, ui)}
          <div class="heads-panel">
            ${done === undefined ? given(numbers, ui) : PANELS[done.id](numbers, ui)}
          </div>
        </div>
      </div>
      ${
        // In the place of the arithmetic, which has no room for every digit.
        ui?.exact && !ui.answerHidden && done !== undefined
          ? html`<p class="exact-output">${msg(str`output = [${output}]`)}</p>`
          : sums(numbers, ui)
      }
    </div>`,
  });
};
