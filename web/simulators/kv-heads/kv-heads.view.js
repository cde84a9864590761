/** How it is drawn: 64 query heads above the heads of K and V that they share, and what each scheme keeps. */
import { html, svg } from 'lit';
import { choice, logSlider, number, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { formatBillions, formatCount as count, formatMillions, many } from '../../shared/number.js';
import { indices } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { heads, share } from './kv-heads.layout.js';
import { CHOICES, HEADS, LATENT, STOPS, model } from './kv-heads.model.js';

const controls = ({ state }, ui) =>
  html`<div class="kv-heads-controls">
    ${choice(ui, {
      path: 'kv',
      value: state.kv,
      legend: msg(
        html`heads of <strong class="kv-heads-k">K</strong> and
          <strong class="kv-heads-v">V</strong>`,
      ),
      options: CHOICES.map((value) => ({ value, label: value === LATENT ? msg('latent') : value })),
    })}
    ${logSlider(ui, {
      path: 'tokens',
      value: state.tokens,
      label: msg('tokens'),
      name: msg('tokens'),
      stops: STOPS,
      say: (value) => many(value, msg('token'), msg('tokens')),
    })}
  </div>`;

const oneLatent = ({ rank }) => {
  const width = count(rank);
  return msg(str`one latent, ${width}`);
};
const oneKey = ({ rope }) => {
  const width = count(rope);
  return msg(str`one rotary key, ${width}`);
};

function picture({ chosen }) {
  const isLatent = chosen.rank !== undefined;
  const { width, queries, groups } = heads(HEADS, isLatent ? 1 : Number(chosen.kv));
  const words = groups.length < 9;
  return html`<svg
    class="kv-heads-picture"
    viewBox="0 0 ${width} 112"
    aria-hidden="true"
    focusable="false"
  >
    ${queries.map((box) => svg`<rect class="kv-heads-query" x=${box.x} y="0" width=${box.width} height="22" rx="3"></rect>`)}
    ${groups.map(
      (group) => svg`
        <path class="kv-heads-bracket" d="M${group.left} 26V32H${group.right}V26M${group.middle} 32V44"></path>
        ${
          isLatent
            ? svg`<rect class="kv-heads-latent" x=${group.x} y="46" width=${group.width} height="62" rx="5"></rect>
              <text class="kv-heads-word" x=${group.middle} y="72">${oneLatent(chosen)}</text>
              <text class="kv-heads-word" x=${group.middle} y="97">${oneKey(chosen)}</text>`
            : svg`<rect class="kv-heads-key" x=${group.x} y="46" width=${group.width} height="29" rx="3"></rect>
              <rect class="kv-heads-value" x=${group.x} y="79" width=${group.width} height="29" rx="3"></rect>
              ${
                words
                  ? svg`<text class="kv-heads-word" x=${group.middle} y="67">K</text>
                    <text class="kv-heads-word" x=${group.middle} y="100">V</text>`
                  : ''
              }`
        }`,
    )}
  </svg>`;
}

const bar = (tone, value, most) =>
  html`<svg
    class="kv-heads-bar kv-heads-bar-${tone}"
    viewBox="0 0 100 10"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <rect class="kv-heads-fill" width=${share(value, most)} height="10"></rect>
  </svg>`;

function table({ rows, mha, current, state }, ui) {
  // MHA is what the others are held against; any other row would tell.
  const hidden = (i) => ui?.answerHidden && rows[i] !== mha;
  const told = (cell) => (i) => (hidden(i) ? withheld : cell(rows[i]));
  const barred = (tone, field, say) =>
    told((row) =>
      row[field] === undefined
        ? html`<span class="kv-heads-none">–</span>`
        : html`<span class="kv-heads-with-bar"
            >${bar(tone, row[field], mha[field])}${number(say(row[field]))}</span
          >`,
    );
  const tokens = number(count(state.tokens));
  return stepsTable({
    caption: msg('What each scheme keeps for a token, and the weights it needs'),
    rows: indices(rows.length),
    current,
    columns: [
      { head: msg('scheme'), label: msg('scheme'), cell: (i) => rows[i].name },
      { head: msg('KV heads'), label: msg('KV heads'), cell: (i) => number(model.kept(rows[i])) },
      {
        head: msg('MB a token'),
        label: msg('MB a token'),
        cell: told((row) => number(formatMillions(row.token_bytes))),
      },
      {
        head: msg(html`GB at ${tokens}`),
        label: msg('GB in all'),
        cell: barred('cache', 'bytes', formatBillions),
      },
      {
        head: msg('cache'),
        label: msg('cache'),
        cell: told((row) => html`<span>÷ ${number(model.times(row.times))}</span>`),
      },
      {
        head: msg('K, V weights, billion'),
        label: msg('K, V weights, billion'),
        cell: barred('weights', 'projections', formatBillions),
      },
      {
        head: msg('all weights, billion'),
        label: msg('all weights, billion'),
        cell: barred('weights', 'parameters', (value) => formatBillions(value, 1)),
      },
    ],
  });
}

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html`<div class="main kv-heads">
      ${controls(numbers, ui)}
      <div class="kv-heads-drawing">
        <span class="kv-heads-side"
          >${msg(html`${HEADS} heads of <strong class="kv-heads-q">Q</strong>`)}</span
        >
        ${picture(numbers)}
      </div>
      ${table(numbers, ui)}
    </div>`,
  });
