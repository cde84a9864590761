/** The page that measures the reader's own device: the state of a run, and what its buttons do. */
import { render } from 'lit';
import '../deck/page.css';
import '../deck/theme.js';
import './bench/bench.css';
import { keepOffline } from '../offline/keep.js';
import { msg, ready, str } from '../shared/language.js';
import { view } from './bench/view.js';

await ready;

const place = document.getElementById('bench');
const quick = new URLSearchParams(location.search).has('quick');

/** @type {Worker | undefined} */
let worker;
/** @type {import('./bench/view.js').State} */
const state = { phase: 'idle', message: '', count: 0 };

const draw = () => render(view(state, { start, stop, copy }, place.clientWidth), place);

function start() {
  const device = {
    browser: navigator.userAgent,
    threads: navigator.hardwareConcurrency,
    date: new Date().toISOString(),
  };
  const measured = { about: { variant: '', contestants: [] }, rows: [], device };
  Object.assign(state, {
    phase: 'running',
    message: msg('The module is loading.'),
    count: 0,
    measured,
  });
  worker = new Worker(new URL('./bench/worker.js', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }) => hear(data));
  worker.addEventListener('error', ({ message }) =>
    hear({ kind: 'failed', message: message || msg('The script that measures did not arrive.') }),
  );
  worker.postMessage({ quick });
  draw();
}

function end(phase, message) {
  worker.terminate();
  worker = undefined;
  Object.assign(state, { phase, message });
}

function stop() {
  const { count, measured } = state;
  const { length: done } = measured.rows;
  end('stopped', msg(str`Stopped after ${done} of ${count} shapes.`));
  draw();
}

/** What the worker tells. */
const hearings = {
  shapes({ count }) {
    state.count = count;
  },
  about({ about }) {
    state.measured.about = about;
  },
  limits({ limits }) {
    state.measured.limits = limits;
  },
  step({ index, shape }) {
    const [at, { count }] = [index + 1, state];
    state.message = msg(str`${at} of ${count}: ${shape}`);
  },
  row({ row }) {
    state.measured.rows.push(row);
  },
  done() {
    const { count } = state;
    end('done', msg(str`Done: ${count} shapes.`));
  },
  failed({ message }) {
    end('failed', message);
  },
};

function hear(news) {
  // What was under way when the run was stopped may still arrive.
  if (!worker) return;
  hearings[news.kind](news);
  draw();
}

async function copy(format, text) {
  try {
    await navigator.clipboard.writeText(text);
    state.message = msg(str`Copied as ${format}.`);
  } catch {
    state.message = msg('The browser did not let the page write to the clipboard.');
  }
  draw();
}

new ResizeObserver(draw).observe(place);
document.documentElement.classList.add('live');
keepOffline();
draw();
