/** The speaker's window: notes, what comes next, the time. It follows the lecture and can drive it. */
import './speaker.css';
import './theme.js';
import { msg, ready } from '../shared/language.js';
import { previewAddress } from './addresses.js';
import { TARGET, fromLecture, openLine } from './channel.js';

await ready;

const byId = (id) => document.getElementById(id);
const HELLO_EVERY_MS = 2000;
const SILENT_AFTER_MS = 5000;
const STORED = 'attn-elapsed';

const wanted = decodeURIComponent(location.hash.slice(1));
const line = openLine(globalThis.opener);
/** The way to the lecture that was heard last: a command must arrive once. */
let answer = line.send;
let lecture = wanted || undefined;
let heard = 0;
let shown;

/** Before a lecture was heard there is nobody to tell, and two ways to tell it. */
const ask = (what, index) => heard > 0 && answer({ from: 'speaker', lecture, do: what, index });
const hello = () => line.send({ from: 'speaker', lecture, do: 'hello' });

let leaving = false;

/** The same window in the language that the hall reads now. */
function follow(language) {
  const other = document.querySelector(`link[rel=alternate][hreflang="${CSS.escape(language)}"]`);
  // What the lecture tells arrives twice, and a second leave would cut the first one short.
  if (!other || leaving) return;
  leaving = true;
  location.replace(other.href + location.hash);
}

/* ---- the lecture ---------------------------------------------------------------------------------- */

line.hear((data, reply) => {
  if (!fromLecture(data)) return;
  lecture ??= data.lecture;
  if (data.lecture !== lecture) return;
  if (data.bye) {
    heard = 0;
    say(
      msg(
        'The lecture’s window was closed. Open the lecture again, and this window goes on by itself.',
      ),
    );
    return;
  }
  if (data.language !== document.documentElement.lang) {
    follow(data.language);
    return;
  }
  heard = performance.now();
  answer = reply;
  byId('status').hidden = true;
  show(data);
});

function say(text) {
  byId('status').textContent = text;
  byId('status').hidden = false;
}

function show({ id, index, number, last, next, states }) {
  mirror(id, states);
  if (shown === id) return;
  shown = id;
  byId('position').textContent = `${number} / ${last}`;
  byId('jump').selectedIndex = index;
  for (const note of document.querySelectorAll('[data-note]'))
    note.hidden = note.dataset.note !== id;
  document.querySelector('.speaker-notes').scrollTop = 0;
  const coming = next && document.querySelector(`[data-note="${CSS.escape(next)}"]`);
  byId('next-title').textContent = coming ? coming.dataset.title : msg('This is the last slide.');
  nextSlide.show(coming ? next : undefined);
}

setInterval(() => {
  hello();
  if (heard > 0 && performance.now() - heard > SILENT_AFTER_MS) {
    heard = 0;
    // It may be back under another name, as after a copy of its tab.
    lecture = wanted || undefined;
    say(msg('The lecture does not answer. This window goes on when it does.'));
  }
}, HELLO_EVERY_MS);

/* ---- slides, small ---------------------------------------------------------------------------------- */

const SLIDE = { width: 1280, height: 720 };

/** A page of the lecture that shows one slide, in a small frame that nobody gets into. */
class SmallSlide {
  #box;
  #frame;
  #query;

  /** @param {{box: HTMLElement, title: string, query: string}} options */
  constructor({ box, title, query }) {
    this.#box = box;
    this.#query = query;
    this.#frame = Object.assign(document.createElement('iframe'), {
      title,
      tabIndex: -1,
      inert: true,
      ...SLIDE,
    });
    new ResizeObserver(() =>
      this.#frame.style.setProperty('scale', box.clientWidth / SLIDE.width),
    ).observe(box);
  }

  get frame() {
    return this.#frame;
  }

  /** @param {string | undefined} id */
  show(id) {
    this.#box.hidden = id === undefined;
    if (id === undefined) return;
    const address = previewAddress(this.#query, id);
    if (this.#frame.isConnected) {
      // Only the part after # changes, so the page stays and its style shows another slide.
      this.#frame.contentWindow.location.replace(address);
    } else {
      this.#frame.src = address;
      this.#box.append(this.#frame);
    }
  }
}

const nextSlide = new SmallSlide({ box: byId('preview'), title: msg('The next slide'), query: '' });
const thisSlide = new SmallSlide({
  box: byId('mirror'),
  title: msg('The slide that the hall sees'),
  query: '=live',
});
let mirrored;
let latest;

const tellMirror = () =>
  latest && thisSlide.frame.contentWindow?.postMessage({ from: 'mirror', ...latest }, TARGET);

/** The slide that the hall sees, its simulators where the lecturer has moved them. */
function mirror(id, states) {
  latest = { id, states };
  if (mirrored !== id) {
    mirrored = id;
    thisSlide.show(id);
  }
  tellMirror();
}

// What was told while the page was still on its way is told again.
thisSlide.frame.addEventListener('load', tellMirror);
hello();

/* ---- driving it ------------------------------------------------------------------------------------ */

const KEYS = {
  ArrowRight: 'next',
  ArrowDown: 'next',
  PageDown: 'next',
  ' ': 'next',
  n: 'next',
  ArrowLeft: 'previous',
  ArrowUp: 'previous',
  PageUp: 'previous',
  p: 'previous',
};

document.addEventListener('keydown', (event) => {
  const what = KEYS[event.key];
  if (!what || event.ctrlKey || event.metaKey || event.altKey) return;
  // A remote's keys turn the slides, also while the list has the focus.
  if (event.target.closest('select') && !event.key.startsWith('Page')) return;
  const onButton = event.target.closest('button');
  if (onButton && event.key === ' ') return;
  // Notes longer than the window scroll with the keys that scroll.
  const notes = event.target.closest('.speaker-notes');
  if (notes && notes.scrollHeight > notes.clientHeight && /^Arrow(Up|Down)$/.test(event.key))
    return;
  event.preventDefault();
  ask(event.key === ' ' && event.shiftKey ? 'previous' : what);
});

/* ---- the time -------------------------------------------------------------------------------------- */

const timer = readTimer();

function readTimer() {
  try {
    const { since, before } = JSON.parse(sessionStorage.getItem(STORED));
    if ((since === null || Number.isFinite(since)) && Number.isFinite(before))
      return { since, before };
  } catch {
    // Nothing stored, or nothing that we wrote.
  }
  return { since: Date.now(), before: 0 };
}

function keepTimer() {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(timer));
  } catch {
    // A reload then starts the timer anew.
  }
}

const elapsed = () => timer.before + (timer.since === null ? 0 : Date.now() - timer.since);

function clockText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (value) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

function tick() {
  const now = new Date();
  byId('clock').textContent = now.toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
  });
  byId('elapsed').textContent = clockText(elapsed());
  document.querySelector('[data-do=pause]').textContent =
    timer.since === null ? msg('Go on') : msg('Pause');
}

const actions = {
  next: () => ask('next'),
  previous: () => ask('previous'),
  pause() {
    if (timer.since === null) timer.since = Date.now();
    else Object.assign(timer, { before: elapsed(), since: null });
  },
  reset() {
    Object.assign(timer, { before: 0, since: timer.since === null ? null : Date.now() });
  },
};

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-do]');
  if (!button) return;
  actions[button.dataset.do]();
  keepTimer();
  tick();
});

byId('jump').addEventListener('change', ({ target }) => ask('go', target.selectedIndex));

keepTimer();
tick();
setInterval(tick, 500);
document.documentElement.classList.add('live');
