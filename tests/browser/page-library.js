/**
 * What the checks ask of a page. The function runs inside the page and leaves its tools under
 * `globalThis.deckTest`; it may therefore use nothing from outside itself.
 */
export function installLibrary() {
  if (globalThis.deckTest) return;

  /** Everything below a node that matches, through open shadow trees. */
  const deepAll = (selector, root = document) => {
    const found = [...root.querySelectorAll(selector)];
    const own = root.shadowRoot ? deepAll(selector, root.shadowRoot) : [];
    const inner = [...root.querySelectorAll('*')]
      .filter((node) => node.shadowRoot)
      .flatMap((node) => deepAll(selector, node.shadowRoot));
    return [...own, ...found, ...inner];
  };

  /** The parent as the eye sees it: the slot's, or the host of a shadow tree. */
  const flatParent = (node) =>
    node.assignedSlot ?? node.parentElement ?? (node.getRootNode().host || null);

  const isShown = (element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    for (let node = element; node; node = flatParent(node)) {
      const style = getComputedStyle(node);
      // Words for screen readers only are cut away, not hidden.
      if (style.clipPath !== 'none' && style.position === 'absolute') return false;
    }
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0;
  };

  /** How much transforms and zoom enlarge an element. */
  const scaleOf = (element) => {
    if (element instanceof SVGElement && element.ownerSVGElement) {
      const matrix = element.getScreenCTM();
      return Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c));
    }
    let scale = 1;
    for (let node = element; node; node = flatParent(node)) {
      const { transform, scale: own, zoom } = getComputedStyle(node);
      if (transform !== 'none') {
        const matrix = new DOMMatrixReadOnly(transform);
        scale *= Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c));
      }
      if (own && own !== 'none') {
        const [x, y = x] = own.split(' ').map(Number);
        scale *= Math.sqrt(Math.abs(x * y));
      }
      // A computed font size already holds the zoom of its own element's ancestors in some engines.
      if (zoom && Number(zoom) < 1) scale *= Number(zoom);
    }
    return scale;
  };

  const isFormula = (element) => element.closest('.katex, math') !== null;

  /**
   * What a slide says, line by line: its text and the names of its controls. Formulas, sources, what is marked as another language, and what is
   * data (tokens, fields) are left aside.
   */
  const spokenLines = (number) => {
    const section = document.querySelector(`section[data-slide="${number}"]`);
    const aside =
      '.attn-static, .katex, .sources, .token, .pieces, code, kbd, textarea, option, [translate=no]';
    const own = document.documentElement.lang;
    const lines = [];
    const visit = (node, line) => {
      if (node.nodeType === Node.TEXT_NODE) {
        line.push(node.data);
        return;
      }
      if (node.nodeType !== Node.ELEMENT_NODE && node.nodeType !== Node.DOCUMENT_FRAGMENT_NODE)
        return;
      const element = node.nodeType === Node.ELEMENT_NODE;
      if (element && (node.matches(aside) || (node.lang && node.lang !== own))) return;
      for (const name of element ? ['aria-label', 'title', 'aria-valuetext'] : [])
        if (node.hasAttribute(name)) lines.push([node.getAttribute(name)]);
      const inline = element && getComputedStyle(node).display.startsWith('inline');
      const into = inline ? line : [];
      if (!inline) lines.push(into);
      for (const child of (node.shadowRoot ?? node).childNodes) visit(child, into);
    };
    visit(section, []);
    return lines.map((line) => line.join('').replace(/\s+/g, ' ').trim()).filter(Boolean);
  };

  /** Each shown piece of text with the size at which it reaches the eye. */
  const texts = (root = document.body) => {
    const found = [];
    const visit = (node) => {
      if (node.nodeType === Node.TEXT_NODE) {
        const element = node.parentElement ?? node.getRootNode().host;
        if (!node.data.trim() || !element || !isShown(element)) return;
        const size = Number.parseFloat(getComputedStyle(element).fontSize) * scaleOf(element);
        const raised = element.closest('sub, sup') !== null || isFormula(element);
        found.push({ text: node.data.trim().slice(0, 40), size, raised, tag: element.localName });
        return;
      }
      if (node.nodeType !== Node.ELEMENT_NODE) return;
      if (['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT'].includes(node.tagName)) return;
      if (node.tagName === 'SLOT' && node.assignedNodes().length > 0) {
        node.assignedNodes().forEach(visit);
        return;
      }
      (node.shadowRoot ?? node).childNodes.forEach(visit);
      if (
        node instanceof HTMLInputElement &&
        /^(text|number|search)$/.test(node.type) &&
        isShown(node)
      ) {
        const size = Number.parseFloat(getComputedStyle(node).fontSize) * scaleOf(node);
        found.push({ text: `[${node.value}]`, size, raised: false, tag: 'input' });
      }
    };
    visit(root);
    return found;
  };

  const CONTROLS =
    'button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=slider], [role=tab], [tabindex="0"]';

  const describe = (element) => {
    const name =
      element.getAttribute('aria-label') ??
      (element.textContent.trim() || element.getAttribute('title') || element.value || '');
    return `${element.localName}${element.type ? `[${element.type}]` : ''} “${name.trim().replace(/\s+/g, ' ').slice(0, 40)}”`;
  };

  /** What a finger or pointer aims at: a field's whole label where it has one around it, and the whole map where a place in it is picked. */
  const targetBox = (element) => {
    const isPicture = element.role === 'gridcell' && element.textContent.trim() === '';
    if (isPicture) return element.closest('[role="grid"]').getBoundingClientRect();
    const label = /^(radio|checkbox)$/.test(element.type ?? '') ? element.closest('label') : null;
    return (label ?? element).getBoundingClientRect();
  };

  const inSentence = (element) =>
    element.localName === 'a' && element.closest('p, li, td, dd, figcaption') !== null;

  const targets = (root = document) =>
    deepAll(CONTROLS, root)
      .filter((element) => !element.disabled && !element.closest('[inert]'))
      .filter((element) => {
        const label = /^(radio|checkbox)$/.test(element.type ?? '')
          ? element.closest('label')
          : null;
        return isShown(label ?? element) && !inSentence(element);
      })
      .map((element) => {
        const { width, height } = targetBox(element);
        return { name: describe(element), width, height };
      });

  /** Texts below 16 px, raised ones apart, and controls below 24 px either way. */
  const tooSmall = (root) => [
    ...texts(root)
      .filter(({ raised, size }) => !raised && size < 15.95)
      .map(({ text, size }) => `${size.toFixed(1)} px: ${text}`),
    ...targets(root)
      .filter(({ width, height }) => width < 23.95 || height < 23.95)
      .map(({ name, width, height }) => `${width.toFixed(1)}x${height.toFixed(1)}: ${name}`),
  ];

  /** What sticks out of the window sideways, or of the slide's place at the bottom. */
  const outside = (root, { bottom = Infinity } = {}) => {
    const width = document.documentElement.clientWidth;
    const found = [];
    const visit = (element) => {
      if (!isShown(element)) return;
      const box = element.getBoundingClientRect();
      // A part that scrolls by itself may hold more than its own width.
      const scrolls = /(auto|scroll)/.test(getComputedStyle(element).overflowX);
      const aside = box.left < -1 || box.right > width + 1;
      const below = box.bottom > bottom + 1 || box.top < -1;
      if (aside || (bottom !== Infinity && below)) {
        found.push(
          `${describe(element)} at ${Math.round(box.left)}…${Math.round(box.right)} x ${Math.round(box.top)}…${Math.round(box.bottom)}`,
        );
        return;
      }
      if (scrolls && element !== root) return;
      // A drawing is cut at its own edge.
      if (element.localName === 'svg') return;
      const inner = element.shadowRoot ?? element;
      if (element.localName === 'slot') element.assignedElements().forEach(visit);
      else [...inner.children].forEach(visit);
    };
    visit(root);
    return found;
  };

  /** Boxes of text that hold more than they show. */
  const clipped = (root) =>
    deepAll('*', root)
      .filter((element) => element instanceof HTMLElement && isShown(element))
      .filter((element) => {
        const style = getComputedStyle(element);
        const cut = /(hidden|clip)/.test(`${style.overflowX} ${style.overflowY}`);
        return (
          cut &&
          element.textContent.trim() !== '' &&
          (element.scrollWidth > element.clientWidth + 2 ||
            element.scrollHeight > element.clientHeight + 2)
        );
      })
      .map(describe);

  const deepActive = () => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active;
  };

  /** What has the focus, in words that a check can compare. */
  const focused = () => {
    const element = deepActive();
    if (!element || element === document.body) return null;
    const host = element.getRootNode().host ?? null;
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const label = /^(radio|checkbox)$/.test(element.type ?? '') ? element.closest('label') : null;
    const ringed = [element, ...(label ? [label, ...label.children] : [])].some((node) => {
      const look = getComputedStyle(node);
      return (
        (look.outlineStyle !== 'none' && Number.parseFloat(look.outlineWidth) >= 2) ||
        look.boxShadow !== 'none'
      );
    });
    return {
      tag: element.localName,
      type: element.type ?? null,
      name: describe(element),
      text: element.textContent.trim().replace(/\s+/g, ' '),
      label: element.getAttribute('aria-label') ?? element.getAttribute('title') ?? '',
      path: element.dataset?.path ?? null,
      slider: element.dataset?.slider ?? null,
      group: element.closest('fieldset')?.querySelector('legend')?.textContent.trim() ?? null,
      radio: element.type === 'radio' ? element.name : null,
      pressed: element.getAttribute('aria-pressed'),
      host: host?.localName ?? null,
      hostSlide: host?.closest('[data-slide]')?.dataset.slide ?? null,
      visible: isShown(label ?? element),
      ringed: ringed || style.outlineStyle === 'auto',
      box: { left: box.left, top: box.top, right: box.right, bottom: box.bottom },
    };
  };

  /** Whether something that stays in place covers the focused control wholly. */
  const focusCovered = () => {
    const element = deepActive();
    const box = element.getBoundingClientRect();
    const points = [
      [(box.left + box.right) / 2, (box.top + box.bottom) / 2],
      [box.left + 3, box.top + 3],
      [box.right - 3, box.bottom - 3],
    ];
    return points.every(([x, y]) => {
      let hit = document.elementFromPoint(x, y);
      while (hit?.shadowRoot) {
        const inner = hit.shadowRoot.elementFromPoint(x, y);
        if (!inner || inner === hit) break;
        hit = inner;
      }
      for (let node = hit; node; node = flatParent(node)) if (node === element) return false;
      return !(hit && element.closest('label')?.contains(hit));
    });
  };

  const currentSlide = () => {
    const present = document.querySelector('.reveal .slides section.present[data-slide]');
    if (present) return present.dataset.slide;
    return (
      document.querySelector('.reveal .slides section.present section.present')?.dataset.slide ??
      null
    );
  };

  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

  const until = async (test, what, limit = 20_000) => {
    const end = performance.now() + limit;
    for (;;) {
      const value = await test();
      if (value) return value;
      if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  const isSimulator = (node) => node.localName.startsWith('attn-');

  /** Waits, but not for ever, until a simulator shows numbers that the module computed. */
  const ready = async (element) => {
    let done = false;
    customElements.whenDefined(element.localName).then(async () => {
      await element.whenReady;
      done = true;
    });
    await until(() => done, `<${element.localName}> to be ready`);
    await element.updateComplete;
    return element;
  };

  /** Waits until a simulator has drawn, and until a vocabulary that it waits for is there or is not to be had. */
  const drawn = async (element) => {
    await element.updateComplete;
    await until(
      () => !element.shadowRoot.querySelector('.notice-wait'),
      `<${element.localName}> to have its vocabulary`,
    );
    await element.updateComplete;
  };

  /** Shows a slide, in the deck or in the column, and waits until its simulators are live. */
  const show = async (slide) => {
    await until(() => document.readyState !== 'loading', 'the page to be read');
    const section = document.querySelector(`section[data-slide="${slide}"]`);
    if (!section) throw new Error(`there is no slide ${slide}`);
    if (document.getElementById('deck')) {
      await until(() => document.documentElement.classList.contains('live'), 'the deck to start');
    }
    if (document.querySelector('.reveal .slides section.present')) {
      location.hash = `#${section.id}`;
      await until(() => currentSlide() === slide, `slide ${slide} to come up`);
    } else {
      section.scrollIntoView({ block: 'start', behavior: 'instant' });
    }
    await until(() => section.getBoundingClientRect().width > 0, `slide ${slide} to be drawn`);
    for (const simulator of deepAll('*', section).filter(isSimulator)) {
      simulator.scrollIntoView({ block: 'center', behavior: 'instant' });
      await ready(simulator);
    }
    await document.fonts.ready;
    await until(() => getComputedStyle(section).opacity === '1', `slide ${slide} to be seen`);
    await frame();
  };

  const numberTexts = (host, root = host.shadowRoot) =>
    [...(root?.querySelectorAll('[data-num]') ?? [])].map((node) =>
      node.textContent.replace(/\s+/g, ' ').trim(),
    );

  globalThis.deckTest = {
    deepAll,
    isShown,
    texts,
    spokenLines,
    targets,
    tooSmall,
    outside,
    clipped,
    focused,
    focusCovered,
    currentSlide,
    frame,
    until,
    isSimulator,
    ready,
    drawn,
    show,
    numberTexts,
  };
}
