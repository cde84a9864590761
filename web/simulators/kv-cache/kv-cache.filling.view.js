/** A small real cache that fills token by token. */
import { html, nothing } from 'lit';
import { number } from '../../shared/controls.js';
import { fileSays } from '../../shared/file-drop.js';
import { msg, str } from '../../shared/language.js';
import { formatCount as count } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { transport } from '../../shared/transport.js';
import { newestOf, placesOf } from './kv-cache.layout.js';
import { LAST, pagesOf, sayEvent } from './kv-cache.model.js';

/** Where a token stands: still seen, kept beside what is seen, or nowhere. */
function placeOf(token, { length, sinks, first_visible }) {
  if (token >= length) return 'free';
  if (token < sinks) return 'pinned';
  return token < first_visible ? 'past' : 'seen';
}

const placeNames = () => ({
  free: msg('free'),
  pinned: msg('pinned'),
  past: msg('out of the window'),
  seen: msg('in the window'),
});

function slot(token, stats) {
  const place = placeOf(token, stats);
  const now = token === newestOf(stats.length);
  return html`<span class="kv-slot kv-slot-${place} ${now ? 'kv-slot-now' : ''}"
    ><span class="spoken">${placeNames()[place]} </span>${
      place === 'free'
        ? nothing
        : html`${place === 'pinned' ? '▲' : nothing}${number(count(token))}`
    }</span
  >`;
}

function page(id, references, entry, stats, slots) {
  if (id === 0) {
    return html`<li class="kv-page kv-page-gone">
      <span class="kv-page-name">${msg('back')}</span>
      <span class="kv-slots"
        >${placesOf(entry, slots).map(() => html`<span class="kv-slot kv-slot-gone"></span>`)}</span
      >
    </li>`;
  }
  const name = number(count(id));
  return html`<li class="kv-page ${references > 1 ? 'kv-page-shared' : ''}">
    <span class="kv-page-name"
      >${references > 1 ? msg(html`page ${name} <strong>shared</strong>`) : msg(html`page ${name}`)}</span
    >
    <span class="kv-slots">${placesOf(entry, slots).map((token) => slot(token, stats))}</span>
  </li>`;
}

const requestName = (name) => msg(str`request ${name}`);

const request = ({ name, stats, events }, slots) =>
  html`<div class="kv-request">
    <p class="kv-request-name">
      <strong>${requestName(name)}</strong>
      <span class="kv-soft"
        >${events.length > 0 ? events.map((event) => sayEvent(event)).join(', ') : msg('same pages')}</span
      >
    </p>
    <ol class="kv-pages">
      ${[...stats.pages].map((id, entry) => page(id, stats.references[entry], entry, stats, slots))}
    </ol>
  </div>`;

/** Two counts of the same, and whether they agree. */
const pair = (counted, reckoned, more) =>
  html`<span class="kv-pair"
    >${number(count(counted))}
    <span class=${counted === reckoned ? 'kv-fits' : 'kv-soft'}
      >${counted === reckoned ? '=' : '≠'}
      ${number(count(reckoned))}${counted === reckoned ? nothing : more}</span
    ></span
  >`;

function countTable({ state, filled }) {
  const { requests, stats, bill } = filled;
  const each = bill ? pagesOf(bill) : 0;
  const columns = [
    {
      head: html`<span class="spoken">${msg('whose')}</span>`,
      label: msg('whose'),
      cell: (i) => (i < requests.length ? requestName(requests[i].name) : msg('all')),
    },
    {
      head: msg('tokens seen'),
      label: msg('tokens seen'),
      cell: (i) =>
        number(
          count(i < requests.length ? requests[i].stats.visible_tokens : stats.visible_tokens),
        ),
    },
    {
      head: msg('bytes needed: cache, bill'),
      label: msg('bytes needed: cache, bill'),
      cell: (i) =>
        i < requests.length
          ? pair(requests[i].stats.needed_bytes, bill?.sequence_needed_bytes ?? 0)
          : pair(stats.needed_bytes, bill?.needed_bytes ?? 0),
    },
    {
      head: msg('pages: cache, bill'),
      label: msg('pages: cache, bill'),
      cell: (i) =>
        i < requests.length
          ? pair(requests[i].stats.blocks, each)
          : html`<span class="kv-pair"
              >${number(count(stats.blocks))}
              <span class="kv-soft">${msg('shared ones once')}</span></span
            >`,
    },
    {
      head: msg('bytes taken: cache, bill'),
      label: msg('bytes taken: cache, bill'),
      cell: (i) =>
        i < requests.length
          ? html`<span class="kv-soft">–</span>`
          : pair(stats.allocated_bytes, bill?.allocated_bytes ?? 0, ` ${msg('without sharing')}`),
    },
  ];
  const token = count(state.token);
  return stepsTable({
    caption: msg(str`What the cache counts and what the bill says at token ${token}`),
    columns,
    rows: indices(ordinal(requests.length)),
  });
}

export const fillingBody = (numbers, ui) => {
  const { state, filled } = numbers;
  return html`<div class="kv-requests">
      ${filled.requests.map((each) => request(each, state.slots))}
    </div>
    <p class="kv-key">
      <span class="kv-slot kv-slot-seen">7</span> ${msg('in the window')}
      <span class="kv-slot kv-slot-pinned">▲0</span> ${msg('pinned')}
      <span class="kv-slot kv-slot-past">3</span> ${msg('out of it, its page still held')}
      <span class="kv-slot kv-slot-free"></span> ${msg('free')}
      <span class="kv-layer">${msg('one layer, one KV head of 64, in f16')}</span>
    </p>
    ${transport(ui, { path: 'token', value: state.token, last: LAST, what: msg('token') })}
    ${countTable(numbers)} ${fileSays(ui)}`;
};
