/**
 * The base of every simulator: it holds the state, asks the C++ for the numbers and draws the view. It
 * computes no number itself. A subclass names its `model` (state in, numbers out) and its `view`.
 *
 * Events: `input` while a value moves, `change` when it is settled, `statechange` with the state as detail,
 * `ready` once, `error` with a message. All bubble and leave the shadow tree.
 */
import { LitElement, html, nothing, unsafeCSS } from 'lit';
import { load } from '../runtime/index.js';
import figureStyles from './figure.css?inline';
import { download, toCSV, toPNG, toSVG } from './export.js';
import { site } from './embed-site.js';
import { flash } from './flash.js';
import { canPredict } from './frame.js';
import { History } from './history.js';
import { leaveHost, schemeAround } from './host-page.js';
import { Limits } from './limits.js';
import { Measurement } from './measurement.js';
import { attributeFields, attributeOf, openingState, stateOfCase } from './opening.js';
import { fileSays, readUntil } from './file-drop.js';
import { linkTo, stateFromAddress } from './permalink.js';
import { repaint } from './painted.js';
import { PACES, Player, USUAL_PACE } from './player.js';
import { rest } from './rest.js';
import { SOURCE, language, languageOf, msg, ready, str } from './language.js';
import { isWished, known } from './page-language.js';
import { schemeOf } from './scheme.js';
import { checkState, fieldAt, isWord, parseField, valueAt, withValue } from './schema.js';
import { bring, bringing, wantedBy } from './wanted.js';

const SPEAK_AFTER_MS = 300;

/**
 * The styles of a simulator that needs more than every simulator has: sheets for what it shares with a few others, or
 * has alone. They come first, as in figures.css.
 * @param {...string} sheets
 */
export const stylesWith = (...sheets) => [
  ...sheets.map((sheet) => unsafeCSS(sheet)),
  Simulator.styles,
];

/** The reactive properties of a model: `case`, and each number, text or choice under its own name. */
export function simulatorProperties(model) {
  const fields = attributeFields(model.schema).map((key) => [
    key,
    {
      type: isWord(model.schema[key]) ? String : Number,
      attribute: attributeOf(key),
      reflect: true,
      noAccessor: true,
    },
  ]);
  return {
    case: { type: String, reflect: true, noAccessor: true },
    state: { type: String, noAccessor: true },
    predicting: { type: Boolean, reflect: true, noAccessor: true },
    hide: { type: String, reflect: true },
    lock: { type: String, reflect: true },
    ...Object.fromEntries(fields),
  };
}

export class Simulator extends LitElement {
  static styles = unsafeCSS(figureStyles);
  /** A guess is a field of the form around it, under the element's `name`. */
  static formAssociated = true;

  #internals = this.attachInternals();
  /** Light or dark, in another's page. */
  #scheme;
  #limits = new Limits(this, this.constructor.model);
  #state;
  #stopsOn;
  #module;
  #numbers;
  #case;
  #starting;
  #nearby;
  #history = new History();
  #drafts = new Map();
  #problems = new Map();
  #guess = { on: false, choice: undefined, committed: false };
  #exact = false;
  /** The script of the box for other people's slides; while that is open, what it said last; and the frame that it offers. */
  #embed;
  #embedSays;
  #embedColumn;
  #embedHeight;
  #notice;
  #pointed;
  #file;
  #speakTimer;
  #player;
  #measurement;
  #moving = false;
  #awaited;
  #markReady;
  #quiet = false;

  /** Resolves when the simulator shows numbers that the module computed. */
  whenReady = new Promise((resolve) => {
    this.#markReady = resolve;
  });

  constructor() {
    super();
    const { model } = this.constructor;
    this.#state = structuredClone(model.defaults);
    // What a page says itself (role, aria-label) wins over these.
    this.#internals.role = 'group';
    this.#internals.ariaLabel = model.title;
    if (model.play) {
      this.#player = new Player(
        () => this.#playOn(),
        () => this.#played(),
      );
    }
    if (model.measure) this.#measurement = new Measurement(() => this.requestUpdate());
    // Properties that a page set before the class was known stand on the element itself and would hide the
    // accessors for good: take them off and set them again, now that there is something to set.
    // In the order in which the page set them: the last word is the last.
    const known = new Set(['case', 'state', 'predicting', ...attributeFields(model.schema)]);
    for (const key of Object.keys(this).filter((name) => known.has(name))) {
      const value = this[key];
      delete this[key];
      this[key] = value;
    }
  }

  static finalize() {
    const first = super.finalize();
    for (const key of attributeFields(this.model?.schema ?? {})) {
      if (Object.hasOwn(this.prototype, key)) continue;
      Object.defineProperty(this.prototype, key, {
        configurable: true,
        get() {
          return this.getState()[key];
        },
        set(value) {
          this.setState(withValue(this.getState(), key, value));
        },
      });
    }
    return first;
  }

  /* ---- the element in the page ------------------------------------------------------------------ */

  connectedCallback() {
    super.connectedCallback();
    this.addEventListener('keydown', this.#keepKeys);
    if (this.constructor.model.file) {
      this.addEventListener('dragover', this.#allowDrop);
      this.addEventListener('drop', this.#takeDrop);
    }
    globalThis.addEventListener('beforeprint', this.#start);
    this.#followPage();
    if (this.#starting) {
      this.#module?.addEventListener('restart', this.#recompute);
      return;
    }
    this.#readAddress();
    this.#nearby = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && this.#approach(),
      { rootMargin: '300px' },
    );
    this.#nearby.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.removeEventListener('keydown', this.#keepKeys);
    this.removeEventListener('dragover', this.#allowDrop);
    this.removeEventListener('drop', this.#takeDrop);
    globalThis.removeEventListener('beforeprint', this.#start);
    this.#nearby?.disconnect();
    leaveHost(this);
    this.#module?.removeEventListener('restart', this.#recompute);
    this.#player?.stop();
    this.#measurement?.stop();
    clearTimeout(this.#speakTimer);
  }

  #followPage() {
    this.followHost();
    // A place in another language than the one that is spoken: a screen reader has to know.
    const place = this.closest('[lang]') ?? document.documentElement;
    if (known(place.lang) === language()) return;
    if (known(place.lang) && place !== document.documentElement && !isWished()) tellLanguage();
    this.lang = language();
  }

  /** As light or as dark as the page around it, where that is another's; called again when the page changes. @ignore */
  followHost() {
    const before = this.#scheme;
    // What the page says is looked at without what was made of it before.
    for (const one of ['light', 'dark']) this.#mark(one, false);
    this.#scheme = schemeAround(this);
    if (this.#scheme) this.#mark(this.#scheme, true);
    if (before && before !== this.#scheme) repaint();
  }

  attributeChangedCallback(name, before, now) {
    if (this.#quiet || before === now) return;
    const { model } = this.constructor;
    if (name === 'predicting') {
      this.predicting = now !== null;
      return;
    }
    if (name === 'case' || name === 'state') {
      const { state, problems } = openingState(model, this.#attributes());
      for (const problem of problems) this.#complain(problem);
      if (name === 'case') this.#case = now ?? undefined;
      this.#adopt(state, { kind: 'set' });
      return;
    }
    const key = attributeFields(model.schema).find((field) => attributeOf(field) === name);
    if (key === undefined) super.attributeChangedCallback(name, before, now);
    else if (now !== null) this.#setFromAttribute(key, now);
  }

  /** A state for style sheets, `:state(ready)`. Browsers of before 2024 have none, or ones of other names: they go without. */
  #mark(state, on) {
    try {
      const { states } = this.#internals;
      if (on) states.add(state);
      else states.delete(state);
    } catch {
      // Nothing computes by them.
    }
  }

  #checkWords(name) {
    for (const word of this.#limits.unknown(name)) {
      this.#complain(
        name === 'hide'
          ? msg(str`There is nothing called “${word}” here to hide.`)
          : msg(str`There is no field “${word}” here to lock.`),
      );
    }
  }

  #setFromAttribute(key, text) {
    const { value, problem } = parseField(this.constructor.model.schema, key, text);
    if (problem) this.#complain(problem);
    else this.#adopt(withValue(this.#state, key, value), { kind: 'set' });
  }

  #attributes() {
    return Object.fromEntries([...this.attributes].map(({ name, value }) => [name, value]));
  }

  #readAddress() {
    const { model } = this.constructor;
    const { raw, problem: unread } = stateFromAddress(model.tag, globalThis.location.href);
    if (unread) this.#say('error', unread);
    if (raw === undefined) return;
    const { state, problems } = checkState(model.schema, model.defaults, raw);
    if (problems.length > 0) {
      const [problem] = problems;
      this.#say(
        'error',
        msg(str`The state in this link cannot be used: ${problem} The opening values are shown.`),
      );
      return;
    }
    this.#adopt(this.#limits.kept(state, this.#state), { kind: 'set' });
  }

  /** Of the slide that is turned to at once, of the one that lies ready behind it once the turn is over. */
  #approach() {
    if (getComputedStyle(this).visibility === 'visible') this.#start();
    else rest(this.#start);
  }

  /** Starts once, however often it is asked to; whoever waits for it waits for the same start. */
  #start = async () => {
    this.#starting ??= this.#begin();
    if (!(await this.#starting)) this.#starting = undefined;
  };

  /** Whether it shows numbers that the module computed; if not, why not is said. */
  async #begin() {
    this.#nearby?.disconnect();
    const { model } = this.constructor;
    try {
      const module = await load(model.module ?? 'core');
      await Promise.all(
        missing(this, module, this.#state).map((name) => bring(model, module, name)),
      );
      this.#module = module;
      module.addEventListener('restart', this.#recompute);
      this.#numbers = this.#firstNumbers(module);
      this.#state = this.#numbers.state ?? this.#state;
      this.#tellForm();
      this.requestUpdate();
      await this.updateComplete;
      this.#mark('ready', true);
      this.#markReady(this);
      this.#emit('ready', this.getState());
      return true;
    } catch (error) {
      this.#complain(error.message, error);
      this.#say('error', error.message, languageOf(error));
      return false;
    }
  }

  /** Computes now, in sight or not: a page that is printed wants the numbers of every slide. */
  start() {
    this.#start();
    return this.whenReady;
  }

  #startAgain = () => {
    this.#notice = undefined;
    this.requestUpdate();
    this.#start();
  };

  /**
   * The numbers of a state. What a page hands an element besides its state, a subclass puts in here.
   * @ignore
   */
  compute(module, state, how) {
    return this.constructor.model.compute(module, state, how);
  }

  /** The names of what a state needs besides its module. @ignore */
  wanted(state) {
    return wantedBy(this.constructor.model, state);
  }

  /** Computes anew what is shown: something besides the state has changed. @ignore */
  refresh() {
    if (this.#numbers) this.#adopt(this.#state, { kind: 'set' });
  }

  /** The numbers of the state that was asked for, or those of the opening when the module refuses it. */
  #firstNumbers(module) {
    const { model } = this.constructor;
    try {
      return this.compute(module, this.#state);
    } catch (error) {
      const opening = structuredClone(model.defaults);
      if (!error.field || JSON.stringify(opening) === JSON.stringify(this.#state)) throw error;
      this.#state = opening;
      const { message } = error;
      const said = msg(
        str`The state that was asked for cannot be used: ${message} The opening values are shown.`,
      );
      this.#complain(said, error);
      this.#say('error', said);
      return this.compute(module, opening);
    }
  }

  /** After the module was lost and started anew, the same state gives the same numbers. */
  #recompute = () => {
    // A state that stopped the fresh module too would start it for ever: what is drawn stays until the reader moves on.
    if (this.#stopsOn !== this.#state) this.#adopt(this.#state, { kind: 'restart' });
  };

  /* ---- state ------------------------------------------------------------------------------------- */

  /** The whole state, as it travels in a link. */
  getState() {
    return structuredClone(this.#state);
  }

  /** Sets the whole state; what the schema refuses is reported and leaves the last state as it was. */
  setState(raw) {
    const { model } = this.constructor;
    const { state, problems } = checkState(model.schema, model.defaults, raw);
    if (problems.length > 0) {
      this.#complain(problems[0]);
      this.#say('error', problems[0]);
      return;
    }
    this.#player?.stop();
    this.#notice = undefined;
    this.#history.begin(this.#state);
    if (this.#adopt(state, { kind: 'set' })) this.#history.end(this.#state);
  }

  get state() {
    return this.getState();
  }

  set state(raw) {
    this.setState(raw);
  }

  /** The id of the case last shown, while nothing has been edited since. */
  get case() {
    return this.#case;
  }

  set case(id) {
    if (id === undefined || id === null) this.removeAttribute('case');
    else this.setAttribute('case', id);
  }

  /** Computes a state and, when that succeeds, makes it the current one. */
  #adopt(state, { kind, path, caseId, moving = false }) {
    // A new state takes the place of one that is waited for; an edit meanwhile goes into both.
    if (this.#awaited && path) {
      const { state: awaited } = this.#awaited;
      this.#awaited.state = withValue(awaited, path, valueAt(state, path));
    } else if (this.#awaited) {
      this.#awaited = undefined;
      this.#notice = undefined;
    }
    try {
      if (this.#module) {
        const names = missing(this, this.#module, state);
        if (names.length > 0) {
          this.#adoptAfter(names, state, { kind, path, caseId });
          return false;
        }
        // What takes long may do less while a slider moves, and say so; the rest comes when it is let go.
        this.#numbers = this.compute(this.#module, state, { moving });
        // A model may answer for a state close by, where the one asked for has no meaning any more.
        state = this.#numbers.state ?? state;
      }
    } catch (error) {
      if (kind === 'restart' && error.code === 'aborted') this.#stopsOn = state;
      if (path) this.#problems.set(path, error.message);
      else this.#say('error', error.message, languageOf(error));
      this.#complain(error.message, error);
      this.requestUpdate();
      return false;
    }
    const before = this.#state;
    this.#state = state;
    this.#pointed = undefined;
    if (kind !== 'restart') this.#file = undefined;
    if (path) {
      this.#problems.delete(path);
      // What was typed stands until it is put right; a choice that was refused stands nowhere any more.
      for (const other of this.#problems.keys()) {
        if (!this.#drafts.has(other)) this.#problems.delete(other);
      }
      this.#case = undefined;
    } else {
      this.#problems.clear();
      this.#drafts.clear();
    }
    this.#moving = kind === 'input';
    this.#forgetMeasured(before, kind);
    if (caseId !== undefined) this.#nameCase(caseId);
    if (kind !== 'restart') this.#coverAnswer(before, state);
    this.#reflect(before);
    this.requestUpdate();
    if (kind !== 'restart') this.#emit('statechange', this.getState());
    this.#speakLater();
    return true;
  }

  /**
   * A state that needs a vocabulary which is not here yet: the last one stays until it is, and for good when it
   * does not come.
   */
  async #adoptAfter(names, state, how) {
    const { model } = this.constructor;
    const waiting = { state };
    this.#awaited = waiting;
    const tell = (share) => {
      if (this.#awaited !== waiting) return;
      this.#notice = { kind: 'wait', text: bringing(model), share };
      this.requestUpdate();
    };
    tell();
    try {
      await Promise.all(
        names.map((name) =>
          bring(model, this.#module, name, {
            onProgress: ({ loaded, total }) => tell(total ? loaded / total : undefined),
          }),
        ),
      );
    } catch (error) {
      if (this.#awaited !== waiting) return;
      this.#awaited = undefined;
      this.#say('error', error.message, languageOf(error));
      this.#complain(error.message, error);
      return;
    }
    if (this.#awaited !== waiting) return;
    this.#notice = undefined;
    this.#history.begin(this.#state);
    this.#awaited = undefined;
    if (!this.#adopt(waiting.state, how)) return;
    this.#history.end(this.#state);
    if (how.kind !== 'restart') this.#emit('change', how.caseId ? { case: how.caseId } : {});
  }

  #reflect(before) {
    for (const key of attributeFields(this.constructor.model.schema)) {
      if (before[key] !== this.#state[key]) this.requestUpdate(key, before[key]);
    }
  }

  willUpdate(changed) {
    for (const name of ['hide', 'lock']) if (changed.has(name)) this.#checkWords(name);
  }

  update(changed) {
    this.#quiet = true;
    super.update(changed);
    if (this.#case === undefined && this.hasAttribute('case')) this.removeAttribute('case');
    this.#quiet = false;
  }

  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  #complain(message, error) {
    console.warn(`<${this.localName}>: ${message}`);
    this.#emit('error', { message, code: error?.code });
  }

  /** @param {string} [lang] where it is another than the page's */
  #say(kind, text, lang) {
    this.#notice = { kind, text, lang };
    this.requestUpdate();
  }

  /* ---- what the view may ask for ------------------------------------------------------------------ */

  #ui = (() => {
    const element = this;
    /** Whether a hand may change this. */
    const open = (path) => !element.#limits.locks(path);
    return {
      get drafts() {
        return element.#drafts;
      },
      get problems() {
        return element.#problems;
      },
      get guess() {
        return element.#guess;
      },
      get exact() {
        return element.#exact;
      },
      get notice() {
        return element.#notice;
      },
      /** What the pointer is over, as the view told it: looked at, not chosen. */
      get pointed() {
        return element.#pointed;
      },
      get canUndo() {
        return element.#history.canUndo && !element.#limits.locksAll;
      },
      get canRedo() {
        return element.#history.canRedo && !element.#limits.locksAll;
      },
      get locksAll() {
        return element.#limits.locksAll;
      },
      get locksCases() {
        return element.#limits.locksCases;
      },
      hides: (part) => element.#limits.hides(part),
      locked: (path) => element.#limits.locks(path),
      /** What the box for other people's slides holds while it is open. */
      get embed() {
        if (element.#embedSays === undefined) return undefined;
        return element.#embed.embedBox(this, element.#embedTexts());
      },
      get embedSays() {
        return element.#embedSays;
      },
      get embedColumn() {
        return element.#embedColumn;
      },
      setEmbedColumn(column) {
        element.#embedColumn = column;
        element.#setEmbed('');
      },
      openEmbed: () => element.#openEmbed(),
      closeEmbed: () => element.#closeEmbed(),
      tellEmbed: (text) => element.#setEmbed(text),
      get playLocked() {
        return element.#limits.locks(element.constructor.model.play(element.#numbers).path);
      },
      get currentCase() {
        return element.#currentCase();
      },
      /** In a form of which the page lets nothing be filled in. */
      get guessDisabled() {
        return element.matches(':disabled');
      },
      get answerHidden() {
        const { model } = element.constructor;
        const asked = element.#guess.on && !element.#guess.committed;
        return asked && canPredict(model, element.#numbers);
      },
      get playing() {
        return element.#player?.playing ?? false;
      },
      get pace() {
        return element.#player?.pace;
      },
      get file() {
        return element.#file;
      },
      get measured() {
        return element.#measurement?.results ?? [];
      },
      get measuring() {
        return element.#measurement?.progress;
      },
      type: (path, text) => open(path) && element.#type(path, text, 'input'),
      commit: (path, text) => open(path) && element.#type(path, text, 'change'),
      slide: (path, value) => open(path) && element.#change(path, value, 'input', { moving: true }),
      settle: (path, value) => open(path) && element.#change(path, value, 'change'),
      choose: (path, value) => open(path) && element.#change(path, value, 'change'),
      nudge: (path, by) => open(path) && element.#nudge(path, by),
      set: (fields) => element.#setFields(fields),
      takeFile: (file) => element.#takeFile(file),
      move: (paths, values) => paths.every(open) && element.#moveAll(paths, values),
      moved: () => element.#history.origin !== undefined && element.#settleMove(),
      point: (at) => {
        element.#pointed = at;
        element.requestUpdate();
      },
      showCase: (id) => element.#showCase(id),
      togglePlay: () => element.#togglePlay(),
      setPace: (pace) => {
        element.#player.pace = pace;
        element.requestUpdate();
      },
      toggleMeasure: () => element.#toggleMeasure(),
      togglePredict: () => element.#togglePredict(),
      chooseGuess: (value) => element.#chooseGuess(value),
      commitGuess: () => element.#commitGuess(),
      toggleExact: () => {
        element.#exact = !element.#exact;
        element.requestUpdate();
      },
      undo: () => element.#undoByHand(),
      redo: () => element.#redoByHand(),
      reset: () =>
        element.#reset(element.#limits.kept(element.constructor.model.defaults, element.#state)),
      copyLink: () => element.#copyLink(),
      save: (format) => element.#save(format),
    };
  })();

  #currentCase() {
    const { model } = this.constructor;
    const now = JSON.stringify(this.#state);
    return model.cases.find((item) => JSON.stringify(stateOfCase(model, item.id)) === now)?.id;
  }

  #type(path, text, kind) {
    const isTyped = this.#drafts.has(path);
    const { value, problem } = parseField(this.constructor.model.schema, path, text);
    if (problem) {
      this.#refuse(path, text, { problem, kind, isTyped });
      this.#emit('error', { message: problem, code: 'bad_argument' });
      return;
    }
    if (kind === 'change') this.#drafts.delete(path);
    else this.#drafts.set(path, text);
    this.#problems.delete(path);
    this.#change(path, value, kind);
    // What the field may be, the module may still refuse beside the others.
    const refused = this.#problems.get(path);
    if (refused !== undefined) this.#refuse(path, text, { problem: refused, kind, isTyped });
  }

  /** Keeps what was typed and why it cannot be, and of its beginnings nothing. */
  #refuse(path, text, { problem, kind, isTyped }) {
    // The 2 on the way to a refused 2.5 was never meant: what stands is what stood before the typing.
    const { origin } = this.#history;
    if (origin && isTyped) this.#adopt(origin, { kind: 'input', path });
    if (kind === 'change') this.#history.cancel();
    this.#drafts.set(path, text);
    this.#problems.set(path, problem);
    this.requestUpdate();
  }

  #change(path, value, kind, { moving = false } = {}) {
    this.#player?.stop();
    this.#history.begin(this.#state);
    if (!this.#awaited) this.#notice = undefined;
    if (!this.#adopt(withValue(this.#state, path, value), { kind, path, moving })) return;
    if (kind === 'change') {
      this.#drafts.delete(path);
      this.#history.end(this.#state);
    }
    this.#emit(kind, { path, value });
  }

  /** A step of the arrow keys, on the decimal grid of the step and within the field's own range. */
  #nudge(path, by) {
    const { rules } = fieldAt(this.constructor.model.schema, path);
    const wanted = Number((valueAt(this.#state, path) + by).toFixed(6));
    this.#drafts.delete(path);
    this.#change(path, Math.min(rules.max, Math.max(rules.min, wanted)), 'change');
  }

  /** Several fields at once, as one step; whether they could be taken. */
  #setFields(fields) {
    const { model } = this.constructor;
    const refused = this.#limits.refused(fields, this.#state).join(', ');
    if (refused) {
      this.#say('error', msg(str`This page has locked what that would change: ${refused}.`));
      return false;
    }
    const { state, problems } = checkState(model.schema, model.defaults, {
      ...this.#state,
      ...fields,
    });
    if (problems.length > 0) {
      this.#say('error', problems[0]);
      return false;
    }
    this.#player?.stop();
    this.#notice = undefined;
    this.#history.begin(this.#state);
    if (!this.#adopt(state, { kind: 'change' })) {
      this.#history.cancel();
      return false;
    }
    this.#case = undefined;
    this.#history.end(this.#state);
    this.#emit('change', {});
    return true;
  }

  #moveAll(paths, values) {
    this.#history.begin(this.#state);
    const next = paths.reduce((state, path, i) => withValue(state, path, values[i]), this.#state);
    if (this.#adopt(next, { kind: 'input', path: paths[0] }))
      this.#emit('input', { paths, values });
  }

  #settleMove() {
    this.#history.end(this.#state);
    this.requestUpdate();
    this.#emit('change', {});
  }

  #showCase(id) {
    if (this.#limits.locksCases) return;
    this.#player?.stop();
    this.#history.begin(this.#state);
    this.#notice = undefined;
    const state = this.#limits.kept(stateOfCase(this.constructor.model, id), this.#state);
    if (!this.#adopt(state, { kind: 'change', caseId: id })) return;
    this.#history.end(this.#state);
    this.#emit('change', { case: id });
  }

  #nameCase(id) {
    this.#case = id;
    this.#quiet = true;
    this.setAttribute('case', id);
    this.#quiet = false;
  }

  /** Takes back the last step of the reader or of the page. */
  undo() {
    if (this.#history.canUndo) this.#step(this.#history.undo(this.#state));
  }

  /** Takes the last undo back. */
  redo() {
    if (this.#history.canRedo) this.#step(this.#history.redo(this.#state));
  }

  // A lock that came after a step does not let the reader's hands take that step back.
  #undoByHand() {
    if (!this.#ui.canUndo) return;
    this.#step(this.#limits.kept(this.#history.undo(this.#state), this.#state));
  }

  #redoByHand() {
    if (!this.#ui.canRedo) return;
    this.#step(this.#limits.kept(this.#history.redo(this.#state), this.#state));
  }

  #step(state) {
    this.#player?.stop();
    this.#case = undefined;
    this.#adopt(state, { kind: 'set' });
  }

  /** Back to the opening values, nothing measured; the state that stood before can be had back by undo. */
  reset() {
    this.#reset(this.constructor.model.defaults);
  }

  #reset(state) {
    this.#player?.stop();
    this.#history.begin(this.#state);
    this.#setGuess({ on: false });
    this.#notice = undefined;
    this.#measurement?.clear();
    this.#case = undefined;
    this.#adopt(structuredClone(state), { kind: 'set' });
    this.#history.end(this.#state);
    this.#emit('change', {});
  }

  /* ---- playing ------------------------------------------------------------------------------------- */

  /** From where it stands to the end; from the start when it stands at the end. */
  #togglePlay() {
    if (this.#player.playing) {
      this.#player.stop();
      return;
    }
    const { path, last } = this.constructor.model.play(this.#numbers);
    if (this.#limits.locks(path)) return;
    this.#history.begin(this.#state);
    if (valueAt(this.#state, path) >= last) {
      this.#adopt(withValue(this.#state, path, 0), { kind: 'input', path });
    }
    this.#player.start();
  }

  /** One step; false at the end. */
  #playOn() {
    const { path, value, last } = this.constructor.model.play(this.#numbers);
    if (value >= last || this.#ui.answerHidden) return false;
    // Nobody watches a simulator on a slide that was left: it waits where it is.
    const seen = this.checkVisibility?.({ visibilityProperty: true, opacityProperty: true });
    if (seen === false) return false;
    const next = value + 1;
    if (!this.#adopt(withValue(this.#state, path, next), { kind: 'input', path })) return false;
    this.#emit('input', { path, value: next });
    return next < last;
  }

  #played() {
    this.requestUpdate();
    if (this.#player.playing) return;
    this.#history.end(this.#state);
    this.#emit('change', {});
    this.#speakLater();
  }

  /* ---- measuring ---------------------------------------------------------------------------------- */

  async #toggleMeasure() {
    if (this.#measurement.progress) {
      this.#measurement.stop();
      return;
    }
    const { measure } = this.constructor.model;
    if (!this.#awaited) this.#notice = undefined;
    try {
      await this.#measurement.start(measure.plan(this.#module, this.#numbers));
    } catch (error) {
      this.#complain(error.message, error);
      this.#say('error', error.message, languageOf(error));
      return;
    }
    this.#speakLater();
  }

  /** What was measured belongs to the settings that it was measured with, and to the instance. */
  #forgetMeasured(before, kind) {
    const { measure } = this.constructor.model;
    if (!measure) return;
    const other = measure.fields.some((field) => before[field] !== this.#state[field]);
    if (other || kind === 'restart') this.#measurement.clear();
  }

  /* ---- a file of the reader's own ------------------------------------------------------------------ */

  #allowDrop = (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };

  #takeDrop = (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    this.#takeFile(file);
  };

  /** Reads a file as far as the model asks; what it cannot use is told, and the last state stays. */
  async #takeFile(file) {
    const { model } = this.constructor;
    if (this.#limits.locksAll || this.#limits.hides('controls')) return;
    const waiting = { kind: 'wait', name: file.name, lines: [msg('Reading …')] };
    const tell = (told) => {
      this.#file = told && { name: file.name, ...told };
      this.requestUpdate();
    };
    this.#file = waiting;
    this.requestUpdate();
    await this.#start();
    if (this.#file !== waiting) return;
    // Why nothing can be read is said where the figure would be.
    if (!this.#numbers) {
      tell(undefined);
      return;
    }
    try {
      const { fields, lines } = await readUntil(file, (bytes) =>
        model.file.read(this.#module, { bytes, size: file.size }, this.#state),
      );
      if (this.#file !== waiting) return;
      this.#notice = undefined;
      if (this.#setFields(fields)) {
        tell({ kind: 'done', lines });
        this.#speakLater(lines);
      } else {
        // The reason stands beside the file and not below the figure.
        const text = this.#notice?.text ?? msg('Its numbers do not hold together.');
        this.#notice = undefined;
        tell({ kind: 'error', lines: [text] });
      }
    } catch (error) {
      if (this.#file !== waiting) return;
      tell({ kind: 'error', lines: [error.message], lang: languageOf(error) });
      this.#complain(error.message, error);
    }
  }

  /* ---- predict first ------------------------------------------------------------------------------ */

  /** An edit after the answer was shown covers it again, as long as the reader wants to guess first. */
  #coverAnswer(before, now) {
    if (!this.#guess.on || !this.#guess.committed) return;
    if (JSON.stringify(before) !== JSON.stringify(now)) {
      this.#setGuess({ on: true });
    }
  }

  /** Whether the reader guesses first: the answer is covered until then. */
  get predicting() {
    return this.#guess.on;
  }

  set predicting(on) {
    if (Boolean(on) !== this.#guess.on) this.#togglePredict();
  }

  #setGuess({ on, choice, committed = false }) {
    const before = this.#guess.on;
    this.#guess = { on, choice, committed };
    this.#mark('predicting', on);
    this.#tellForm();
    this.requestUpdate('predicting', before);
    this.requestUpdate();
  }

  /** What the form around it is told: the words of the guess; to find it again, its place among them. */
  #tellForm() {
    const { committed, choice } = this.#guess;
    this.#internals.setFormValue(this.guess?.words ?? null, committed ? String(choice) : null);
  }

  /** The guess that was made: its place among the options, its words, and whether it is right; undefined before. */
  get guess() {
    const { predict } = this.constructor.model;
    const { choice, committed } = this.#guess;
    if (!committed || !this.#numbers) return undefined;
    return {
      choice,
      words: predict.options(this.#numbers)[choice],
      right: predict.isRight(this.#numbers, choice),
    };
  }

  get form() {
    return this.#internals.form;
  }

  get name() {
    return this.getAttribute('name') ?? '';
  }

  set name(name) {
    this.setAttribute('name', name);
  }

  formResetCallback() {
    this.#setGuess({ on: this.#guess.on });
  }

  /** A browser that goes back to the page brings the guess back. */
  formStateRestoreCallback(state) {
    const choice = Number(state);
    if (this.constructor.model.predict && /^\d{1,3}$/.test(state))
      this.#setGuess({ on: true, choice, committed: true });
  }

  formDisabledCallback() {
    this.requestUpdate();
  }

  #togglePredict() {
    this.#setGuess({ on: !this.#guess.on });
    // What was said last may be the answer that is hidden now.
    const region = this.renderRoot?.querySelector('[part=announcement]');
    if (region) region.textContent = '';
    this.requestUpdate();
    this.#speakLater();
  }

  #chooseGuess(choice) {
    this.#setGuess({ ...this.#guess, choice });
  }

  async #commitGuess() {
    if (this.#guess.choice === undefined) return;
    this.#setGuess({ ...this.#guess, committed: true });
    this.#emit('change', { guess: this.guess });
    await this.updateComplete;
    // The button that was pressed is gone: whoever works by keyboard goes on from the answer, and a screen
    // reader reads it there.
    this.renderRoot.querySelector('[part=sentence]')?.focus({ preventScroll: true });
  }

  /**
   * What stands here besides the state: fields half typed, a guess, exact values, what plays and its pace, an open panel; nothing where
   * nothing does. The page that is opened next, in another language, hands it back after the state.
   * @ignore
   */
  get carried() {
    const { on, choice, committed } = this.#guess;
    const { pace } = this.#player ?? {};
    const saves = this.renderRoot?.querySelector('.save')?.open;
    const panel = this.#embedSays === undefined ? saves && 'save' : 'embed';
    const carried = {
      ...(this.#drafts.size > 0 && { drafts: [...this.#drafts] }),
      ...(on && { guess: { choice, committed } }),
      ...(this.#exact && { exact: true }),
      ...(pace && pace !== USUAL_PACE && { pace }),
      ...(this.#player?.playing && { playing: true }),
      ...(panel && { panel }),
    };
    return Object.keys(carried).length > 0 ? carried : undefined;
  }

  /** @ignore */
  set carried({ drafts = [], guess, exact = false, pace, playing, panel }) {
    const { schema } = this.constructor.model;
    for (const [path, text] of drafts) {
      if (Object.hasOwn(schema, path.split('.')[0])) this.#type(path, text, 'input');
    }
    if (guess) this.#setGuess({ on: true, ...guess });
    this.#exact = exact;
    if (this.#player && Object.hasOwn(PACES, pace)) this.#player.pace = pace;
    if (playing) this.whenReady.then(() => this.#player?.start());
    this.requestUpdate();
    if (panel === 'embed') this.whenReady.then(() => this.#openEmbed());
    else if (panel) this.whenReady.then(() => (this.renderRoot.querySelector('.save').open = true));
  }

  /* ---- taking it away ----------------------------------------------------------------------------- */

  async #copyLink() {
    const { link, problem } = linkTo(
      this.constructor.model.tag,
      this.#state,
      globalThis.location.href,
    );
    if (problem) {
      this.#say('error', problem);
      return;
    }
    try {
      await navigator.clipboard.writeText(link);
      this.#say('done', msg('The link to this state is on the clipboard.'));
    } catch {
      this.#say('done', link);
    }
  }

  async #openEmbed() {
    this.renderRoot.querySelector('.save').open = false;
    try {
      this.#embed ??= await import('./embed-box.js');
    } catch (error) {
      this.#complain(error.message, error);
      this.#say('error', msg('A script of this site did not arrive. Reload the page.'));
      return;
    }
    [this.#embedColumn] = this.#embed.COLUMNS;
    this.#setEmbed('');
    await this.updateComplete;
    this.renderRoot.querySelector('.embed-line button').focus();
  }

  #closeEmbed() {
    this.#setEmbed(undefined);
    this.renderRoot.querySelector('.save summary').focus();
  }

  #setEmbed(says) {
    this.#embedSays = says;
    this.requestUpdate();
  }

  /** Once it is drawn as it will be in the frame. */
  #measureFrame() {
    const height = this.#embed.frameHeight(this, this.#embedColumn);
    if (height === this.#embedHeight) return;
    this.#embedHeight = height;
    this.requestUpdate();
  }

  #embedTexts() {
    const { model } = this.constructor;
    return this.#embed.embedTexts({
      model,
      state: this.#state,
      limits: { hide: this.hide, lock: this.lock },
      site,
      language: language() === SOURCE ? undefined : language(),
      theme: schemeOf(getComputedStyle(this)),
      column: this.#embedColumn,
      height: this.#embedHeight ?? 0,
    });
  }

  #needNumbers(name) {
    if (this.#numbers) return;
    throw new Error(
      `<${this.localName}>: ${name} has nothing to give yet. Wait for its promise whenReady, or start() it.`,
    );
  }

  /**
   * The answer as rows with every digit, and a point in every number.
   * @throws {Error} before `whenReady`, when nothing was computed yet
   */
  toCSV() {
    this.#needNumbers('toCSV()');
    return toCSV(this.constructor.model.rows(this.#numbers, this.#ui.measured));
  }

  /**
   * The answer as a picture, an SVG document complete by itself.
   * @throws {Error} before `whenReady`, when nothing was computed yet
   */
  toSVG() {
    this.#needNumbers('toSVG()');
    return toSVG(this.#picture());
  }

  #picture() {
    const { model } = this.constructor;
    return {
      title: model.title,
      sentence: model.sentence(this.#numbers, this.#ui.measured),
      ...model.picture(this.#numbers, this.#ui.measured),
    };
  }

  async #save(format) {
    const menu = this.renderRoot.querySelector('.save');
    menu.open = false;
    menu.querySelector('summary').focus();
    const name = `${this.localName}.${format}`;
    if (format === 'csv') download(name, new Blob([this.toCSV()], { type: 'text/csv' }));
    else if (format === 'svg') download(name, new Blob([this.toSVG()], { type: 'image/svg+xml' }));
    else download(name, await toPNG(this.#picture()));
    this.#say('done', msg(str`Saved as ${name}.`));
  }

  /* ---- keys --------------------------------------------------------------------------------------- */

  /**
   * Inside the simulator the arrows belong to its controls, never to the slides around it. Escape gives the
   * keyboard back to the page; Page Up and Page Down, which a presenter's remote sends, pass, except on a
   * slider, whose own keys they are.
   */
  #keepKeys = (event) => {
    const inner = event.composedPath()[0];
    if (event.key === 'Escape') {
      event.stopPropagation();
      if (this.#embedSays !== undefined) {
        this.#closeEmbed();
        return;
      }
      inner.closest?.('details[open]')?.removeAttribute('open');
      inner.blur?.();
      return;
    }
    const remote = event.key === 'PageDown' || event.key === 'PageUp';
    if (remote && inner.type !== 'range') return;
    event.stopPropagation();
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
    if (isUndo && !this.#isTyping(inner.dataset.path)) {
      event.preventDefault();
      if (event.shiftKey) this.#redoByHand();
      else this.#undoByHand();
    }
  };

  /** A field that holds something half typed takes it back by itself. */
  #isTyping(path) {
    if (path === undefined || !this.#drafts.has(path)) return false;
    const { origin } = this.#history;
    return (
      this.#problems.has(path) ||
      (origin !== undefined && valueAt(origin, path) !== valueAt(this.#state, path))
    );
  }

  focus(options) {
    const first = this.renderRoot?.querySelector('input:not(:disabled), button:not(:disabled)');
    if (first) first.focus(options);
    else super.focus(options);
  }

  /* ---- drawing ------------------------------------------------------------------------------------ */

  render() {
    if (!this.#numbers) {
      return html`${this.#file ? html`<div class="simulator">${fileSays(this.#ui)}</div>` : ''}
        ${
          this.#notice
            ? html`<div class="simulator">
                <p
                  class="notice notice-error"
                  role="alert"
                  part="notice"
                  lang=${this.#notice.lang ?? nothing}
                >
                  ${this.#notice.text}
                </p>
                <p class="again">
                  <button type="button" class="case" @click=${this.#startAgain}>
                    ${msg('Try again')}
                  </button>
                </p>
              </div>`
            : ''
        } <slot>${this.#notice ? nothing : html`<div class="waiting"></div>`}</slot>`;
    }
    return html`${this.constructor.view(this.#numbers, this.#ui)}
      <p class="spoken" aria-live="polite" part="announcement"></p>`;
  }

  createRenderRoot() {
    const root = super.createRenderRoot();
    // The inner fields' own `input` events would leave the shadow tree and look like ours.
    root.addEventListener('input', (event) => event.stopPropagation());
    // An open menu stands over the figure: it goes when something else is wanted.
    for (const kind of ['pointerdown', 'focusin']) {
      root.addEventListener(kind, ({ target }) => {
        for (const menu of root.querySelectorAll('.save[open]')) {
          if (!menu.contains(target)) menu.open = false;
        }
        const isEmbed = target.closest('.embed-box, .save-list');
        if (this.#embedSays !== undefined && !isEmbed) this.#setEmbed(undefined);
      });
    }
    return root;
  }

  updated() {
    // While a slider moves its numbers are seen to move; what they came to lights up when it rests.
    if (!this.#moving) flash(this.renderRoot);
    if (this.#embedSays !== undefined) this.#measureFrame();
    for (const row of this.renderRoot.querySelectorAll('.scroll [aria-current]')) bringInto(row);
  }

  /** One sentence, and what came before it, once the hand rests: not a running commentary. */
  #speakLater(before = []) {
    clearTimeout(this.#speakTimer);
    if (this.#player?.playing) return;
    this.#speakTimer = setTimeout(() => {
      const region = this.renderRoot?.querySelector('[part=announcement]');
      if (!region || !this.#numbers) return;
      if (this.#limits.hides('sentence')) return;
      const answer = this.#ui.answerHidden
        ? msg('The answer is hidden until you guess.')
        : this.constructor.model.sentence(this.#numbers, this.#ui.measured);
      region.textContent = [...before, answer].join(' ');
    }, SPEAK_AFTER_MS);
  }
}

/** Scrolls a list, and nothing around it, so that one of its rows is seen. */
function bringInto(row) {
  const list = row.closest('.scroll');
  const [seen, place] = [list, row].map((node) => node.getBoundingClientRect());
  if (place.top < seen.top) list.scrollTop -= seen.top - place.top;
  else if (place.bottom > seen.bottom) list.scrollTop += place.bottom - seen.bottom;
}

let toldLanguage = false;

/** Once a page, to whoever writes it: `lang` on an element, or around it, is no wish. */
function tellLanguage() {
  if (toldLanguage) return;
  toldLanguage = true;
  console.warn(
    `attention-deck: all simulators of a page speak one language, here ${language()}. attention-deck.js?lang=… or the lang of <html> sets it; a frame has its own.`,
  );
}

/** What a state needs and is not there yet. */
const missing = (element, module, state) =>
  element.wanted(state).filter((name) => !module.opened(name));

/** Registers a simulator's tag once, however often its script is loaded, and when the page's texts are there. */
export function define(tag, element) {
  const register = () => {
    if (!customElements.get(tag)) customElements.define(tag, element);
  };
  if (ready) ready.then(register);
  else register();
}
