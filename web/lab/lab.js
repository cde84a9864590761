/** The lab's page: one exercise at a time, its editor, what its program gave, and what is solved. */
import { html, nothing, render } from 'lit';
import '../deck/page.css';
import '../deck/theme.js';
import './lab.css';
import { keepOffline } from '../offline/keep.js';
import { languageOf, ready } from '../shared/language.js';
import { createEditor } from './editor.js';
import { exercises } from './exercises/index.js';
import { trainingPicture } from './picture.js';
import { forgetAll, keepCode, markSolved, solved, watchSolved, writtenCode } from './progress.js';
import { LIMIT_MS, Sandbox, SandboxError } from './sandbox.js';
import { words } from './words.js';

await ready;

const place = document.getElementById('lab');
const sandbox = new Sandbox(document.getElementById('lab-frame'), {
  frame: place.dataset.frame,
  worker: place.dataset.worker,
  modules: JSON.parse(place.dataset.modules),
});

/** The run that goes on, one at a time. @type {Promise<void> | undefined} */
let last;

/** What stands below the editor of one exercise. */
class Bench {
  #exercise;
  #section;
  #live;
  #listing;
  /** @type {ReturnType<typeof createEditor> | undefined} */
  #editor;
  /** @type {{ phase: string, verdict: string | import('lit').TemplateResult, problem?: string, said: string[], shown?: string, run?: any, step?: number }} */
  #state = { phase: 'idle', verdict: '', said: [] };

  constructor(exercise) {
    this.#exercise = exercise;
    this.#section = document.getElementById(exercise.id);
    this.#live = this.#section.querySelector('.lab-live');
    this.#listing = this.#section.querySelector('.lab-code code');
    this.#live.hidden = false;
    this.#listing.textContent = writtenCode(exercise.id) ?? exercise.code;
    this.#draw();
  }

  set hidden(hidden) {
    this.#section.hidden = hidden;
    // The editor measures itself, and what is hidden has no size.
    if (!hidden) this.#wake();
  }

  focus() {
    this.#section.querySelector('h2').focus();
  }

  /** As it was given. */
  reset() {
    const { id, code } = this.#exercise;
    this.#editor?.replace(code);
    this.#editor?.mark();
    this.#listing.textContent = code;
    keepCode(id, null);
    this.#set({
      phase: 'idle',
      verdict: '',
      problem: undefined,
      said: [],
      shown: undefined,
      run: undefined,
    });
  }

  #wake() {
    if (this.#editor) return;
    const { id, title, code } = this.#exercise;
    const host = document.createElement('div');
    host.className = 'lab-editor';
    this.#section.querySelector('.lab-code').append(host);
    this.#section.querySelector('.lab-code').classList.add('lab-editing');
    this.#editor = createEditor(host, {
      code: this.#listing.textContent,
      label: words.code(title),
      help: words.help,
      run: () => this.#run(),
      changed: (text) => {
        // The listing is what is printed.
        this.#listing.textContent = text;
        keepCode(id, text === code ? null : text);
      },
    });
  }

  /** A second run, of this exercise or another, ends the first. */
  async #run() {
    while (last) {
      await sandbox.stop();
      await last;
    }
    last = this.#runOnce();
    await last;
    last = undefined;
  }

  async #runOnce() {
    const { call, modules: names } = this.#exercise;
    this.#editor.mark();
    this.#set({
      phase: 'running',
      verdict: words.starting,
      problem: undefined,
      said: [],
      shown: undefined,
      run: undefined,
    });
    try {
      const faces = await sandbox.faces(names);
      const inputs = this.#exercise.inputs(faces, newSeed());
      this.#set({ verdict: words.running });
      const { code } = this.#editor;
      const outcome = await sandbox.run({ code, call, inputs, names }, (text, enough) =>
        this.#set({ said: [...this.#state.said, enough ? words.enough : text] }),
      );
      this.#judge(outcome, faces, inputs);
    } catch (error) {
      const problem =
        error instanceof SandboxError
          ? words.noSandbox
          : html`<span lang=${languageOf(error) ?? nothing}>${error.message}</span>`;
      this.#set({ phase: 'wrong', verdict: problem });
    }
  }

  #judge(outcome, faces, inputs) {
    const { call, id } = this.#exercise;
    if (outcome.kind !== 'answers') {
      if (outcome.kind === 'error') this.#editor.mark(outcome.line);
      this.#set({
        phase: 'wrong',
        verdict: sentenceOf(outcome, call),
        shown: outcome.shown,
      });
      return;
    }
    const { results, shown } = outcome;
    const problems = inputs.map((input, i) => this.#exercise.check(faces, input, results[i]));
    const first = problems.findIndex((problem) => problem !== null);
    if (first === -1) {
      markSolved(id);
      this.#set({
        phase: 'right',
        verdict: words.right(inputs.length),
        shown,
        ...this.#picture(inputs[0], results[0]),
      });
      showProgress();
      return;
    }
    const verdict = first === 0 ? words.wrong.first : words.wrong.others;
    this.#set({ phase: 'wrong', verdict, problem: problems[first], shown });
  }

  #picture(input, result) {
    if (this.#exercise.picture !== 'training') return {};
    return { run: { ...result, targets: input.targets }, step: result.losses.length - 1 };
  }

  #set(change) {
    Object.assign(this.#state, change);
    this.#draw();
  }

  #draw() {
    render(this.#view(), this.#live);
  }

  #view() {
    const { phase, verdict, problem, said, shown, run, step } = this.#state;
    const running = phase === 'running';
    return html`<p class="lab-keys">${words.keys}</p>
      <div class="lab-actions">
        <button
          type="button"
          class="page-button page-button-main lab-run"
          @click=${() => (running ? sandbox.stop() : this.#run())}
        >
          ${running ? words.stop : words.run}
        </button>
        <button
          type="button"
          class="page-button"
          ?disabled=${running}
          @click=${() => this.#resetNow()}
        >
          ${words.reset}
        </button>
      </div>
      <div class="lab-verdict" data-phase=${phase} role="status">
        ${verdict ? html`<p><span class="lab-sign" aria-hidden="true">${signs[phase]}</span>${verdict}</p>` : nothing}
        ${problem ? html`<p>${problem}</p>` : nothing}
      </div>
      ${said.length > 0 ? output(words.said, said.join('\n')) : nothing}
      ${shown === undefined || run ? nothing : output(words.returned, shown)}
      ${run ? trainingPicture(run, run.targets, step, (chosen) => this.#set({ step: chosen })) : nothing}`;
  }

  #resetNow() {
    this.reset();
    this.#set({ verdict: words.wasReset });
  }
}

const signs = { right: '✓', wrong: '✗', running: '…', idle: '' };

/** Text of a student's program: shown as text, in a box that scrolls. */
const output = (name, text) =>
  html`<div class="lab-output">
    <h3>${name}</h3>
    <pre tabindex="0" role="region" aria-label=${name}>${text}</pre>
  </div>`;

/** What is said of a run that gave no answers. */
/** What became of a program. A kind that nobody knows was sent by the program itself. */
const sentenceOf = (outcome, call) =>
  Object.hasOwn(sentences, outcome.kind)
    ? sentences[outcome.kind](outcome, call)
    : words.missing(call);

const sentences = {
  late: () => words.late(LIMIT_MS),
  stuck: () => words.stuck,
  stopped: () => words.stopped,
  missing: (_, call) => words.missing(call),
  unsendable: () => words.unsendable,
  broken: ({ message }) => words.broken(message),
  error: (outcome) => words.error(outcome),
};

/** Another one at each run: an answer that was written down fails at the next. */
const newSeed = () => 1 + (crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000);

const benches = new Map(exercises.map((exercise) => [exercise.id, new Bench(exercise)]));
const idInAddress = () => {
  const id = decodeURIComponent(location.hash.slice(1));
  return benches.has(id) ? id : exercises[0].id;
};

function show(id) {
  for (const [name, bench] of benches) bench.hidden = name !== id;
  for (const link of document.querySelectorAll('.lab-nav a')) {
    if (link.dataset.to === id) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

function showProgress() {
  const done = solved();
  for (const link of document.querySelectorAll('.lab-nav a')) {
    link.querySelector('.lab-solved').hidden = !done.has(link.dataset.to);
  }
  const count = exercises.filter(({ id }) => done.has(id)).length;
  document.getElementById('lab-count').textContent = words.solvedCount(count, exercises.length);
}

// To the same exercise in another language.
for (const link of document.querySelectorAll('[data-language]')) {
  link.addEventListener('click', () => {
    link.hash = location.hash;
  });
}

addEventListener('hashchange', () => {
  const id = idInAddress();
  show(id);
  benches.get(id).focus();
});
watchSolved(showProgress);

render(
  html`<button
      type="button"
      class="page-button"
      @click=${({ target }) => {
        forgetAll(exercises.map(({ id }) => id));
        for (const bench of benches.values()) bench.reset();
        showProgress();
        target.nextElementSibling.textContent = words.forgotten;
      }}
    >
      ${words.forget}</button
    ><span role="status"></span>`,
  document.getElementById('lab-forget'),
);
show(idInAddress());
showProgress();
document.documentElement.classList.add('live');
keepOffline();
