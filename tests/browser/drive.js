/**
 * Drives every control of a simulator as a hand does: real pointer and key events at its place in the window, until
 * no control is left that was not driven. A case or a choice brings controls of its own, which are then driven too.
 */

/** Leaves `globalThis.deckDrive` in a page; as it runs there, it may use nothing from outside itself. */
export function installDriver() {
  /** What has to be done at a control, and in which order: what resets comes after what it resets. */
  const RANKS = {
    slider: 1,
    hand: 1,
    point: 1,
    cell: 2,
    text: 2,
    map: 2,
    radio: 3,
    select: 4,
    button: 5,
    save: 6,
    twice: 7,
    reset: 8,
  };
  const CONTROLS =
    'input:not([type=file]), button, select, textarea, summary, [role=slider], [tabindex="0"], .plane-handle';

  const labelOf = (element) =>
    (element.getAttribute('aria-label') ?? element.textContent).trim().replace(/\s+/g, ' ');

  function kindOf(element) {
    if (element.type === 'range') return 'slider';
    if (element.type === 'radio' || element.type === 'checkbox') return 'radio';
    if (element.localName === 'select') return 'select';
    if (element.localName === 'summary') return 'save';
    if (element.localName === 'textarea') return 'text';
    if (element.localName === 'input') return element.inputMode ? 'cell' : 'text';
    if (element.localName === 'button') {
      if (labelOf(element) === 'Reset') return 'reset';
      return element.hasAttribute('aria-pressed') && element.closest('.toolbar')
        ? 'twice'
        : 'button';
    }
    if (element.classList.contains('plane-handle')) return 'point';
    return element.getAttribute('role') === 'slider' ? 'hand' : 'map';
  }

  function nameOf(element) {
    const { path, slider, logSlider, select, hand } = element.dataset;
    const name = path ?? slider ?? logSlider ?? select ?? hand;
    if (element.type === 'radio') return `${element.name} ${element.value}`;
    return name ?? (kindOf(element) === 'map' ? element.localName : labelOf(element));
  }

  const target = (element) =>
    element.type === 'radio' ? (element.closest('label') ?? element) : element;

  /** The controls that can be used now, each with a name of its own. */
  function controls(host) {
    const seen = new Map();
    return [...host.shadowRoot.querySelectorAll(CONTROLS)]
      .filter((element) => !element.disabled && !element.closest('.save-list, [inert]'))
      .filter((element) => deckTest.isShown(target(element)))
      .map((element) => {
        const kind = kindOf(element);
        const name = `${kind} ${nameOf(element)}`;
        const times = (seen.get(name) ?? 0) + 1;
        seen.set(name, times);
        return { element, kind, name: times > 1 ? `${name} (${times})` : name };
      });
  }

  let watched;
  let heard = false;
  const hear = (event) => {
    if (event.isTrusted && watched && event.composedPath().includes(watched)) heard = true;
  };
  for (const type of ['pointerdown', 'click', 'keydown', 'input', 'change'])
    addEventListener(type, hear, true);

  const place = (element) => {
    const { left, top, width, height } = target(element).getBoundingClientRect();
    return { left, top, width, height };
  };

  globalThis.deckDrive = {
    /**
     * The next control to drive, in sight and, where keys drive it, with the focus; and whether a real event reached
     * the one before. No control is left when it has no kind.
     * @param {string} slide
     * @param {string} tag
     * @param {{done: string[], cells: number}} how `cells`: as many of a field's are driven
     */
    async next(slide, tag, { done, cells }) {
      const before = { heard };
      const host = document.querySelector(`section[data-slide="${slide}"] ${tag}`);
      // What a vocabulary brings moves what stands below it.
      await deckTest.drawn(host);
      const fieldOf = (name) => name.split('.')[0];
      const full = (name) => {
        const field = fieldOf(name);
        return done.filter((other) => fieldOf(other) === field).length >= cells;
      };
      const [found] = controls(host)
        .filter(({ name, kind }) => !done.includes(name) && !(kind === 'cell' && full(name)))
        .sort((a, b) => RANKS[a.kind] - RANKS[b.kind]);
      if (!found) return before;
      const { element, kind, name } = found;
      watched = element;
      heard = false;
      target(element).scrollIntoView({ block: 'nearest', behavior: 'instant' });
      if (!['radio', 'button', 'save', 'twice', 'reset', 'point'].includes(kind)) element.focus();
      return { ...before, kind, name, tag: element.localName, ...place(element) };
    },
    /** Where the lines of an open menu are. */
    lines: () => [...watched.parentElement.querySelectorAll('button')].map(place),
    /** No control has the focus, so that the keys turn the slides. */
    leave() {
      let active = document.activeElement;
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
      active?.blur();
    },
  };
}

const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];

async function drag({ mouse }, [fromX, fromY], [toX, toY]) {
  await mouse.move(fromX, fromY);
  await mouse.down();
  await mouse.move(toX, toY, { steps: 3 });
  await mouse.up();
}

async function press({ keyboard }, ...keys) {
  for (const key of keys) await keyboard.press(key);
}

const clicked = ({ mouse }, at) => mouse.click(...middle(at));

/** What a hand does at each kind of control. */
const DRIVES = {
  async slider(page, at) {
    const y = at.top + at.height / 2;
    await drag(page, [at.left + 0.2 * at.width, y], [at.left + 0.7 * at.width, y]);
    await press(page, 'ArrowRight', 'ArrowLeft');
  },
  async hand(page, at) {
    await press(page, 'ArrowRight', 'PageUp');
    await clicked(page, at);
  },
  async point(page, at) {
    const [x, y] = middle(at);
    await drag(page, [x, y], [x - 12, y - 8]);
  },
  async cell(page) {
    await press(page, 'ArrowUp', 'ArrowDown');
  },
  async text(page, at) {
    await press(page, 'End', 'x', at.tag === 'input' ? 'Enter' : 'Tab');
  },
  map: (page) => press(page, 'ArrowRight', 'ArrowDown'),
  radio: clicked,
  // The list stays shut: an arrow chooses the next line.
  select: (page) => press(page, 'ArrowDown', 'ArrowUp'),
  button: clicked,
  reset: clicked,
  async twice(page, at) {
    await clicked(page, at);
    await clicked(page, at);
  },
  /** The menu shuts at each choice. */
  async save(page, at) {
    for (let line = 0; ; line += 1) {
      await clicked(page, at);
      const lines = await page.evaluate(() => globalThis.deckDrive.lines());
      const saved = page.waitForEvent('download');
      await clicked(page, lines[line]);
      await (await saved).delete();
      if (line + 1 === lines.length) return;
    }
  },
};

/** More than the richest simulator has; without it a control that renames itself at each click has no end. */
const MOST = 400;

/**
 * @param {import('playwright-core').Page} page shows the slide, with `installLibrary` and `installDriver` in it
 * @param {{slide: string, tag: string}} simulator
 * @param {{cells?: number, saves?: boolean}} [how] `cells`: as many of one field's are driven
 * @returns {Promise<{driven: string[], deaf: string[]}>} the names of the controls, and of those that no real event
 *   reached
 */
export async function driveAll(page, { slide, tag }, { cells = Infinity, saves = true } = {}) {
  const done = saves ? [] : ['save Save as picture or table, or put in your slides'];
  const driven = [];
  const deaf = [];
  while (driven.length < MOST) {
    const at = await page.evaluate(
      ([number, name, how]) => globalThis.deckDrive.next(number, name, how),
      [slide, tag, { done, cells: Math.min(cells, MOST) }],
    );
    if (driven.length > 0 && !at.heard) deaf.push(driven.at(-1));
    if (!at.kind) return { driven, deaf };
    done.push(at.name);
    driven.push(at.name);
    await DRIVES[at.kind](page, at);
  }
  throw new Error(`${tag} has more than ${MOST} controls: ${driven.slice(-5).join(', ')}`);
}
