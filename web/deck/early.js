/**
 * Runs before anything is drawn, as a classic script: it is also there where modules are not (a page opened
 * from a folder, a browser of another age, a file that did not arrive), and says so in a sentence.
 */
(() => {
  const root = document.documentElement;
  // A page that stands in a single file, with all that it needs (web/single), runs from a file too.
  const { page = root.dataset.page, single, ...builds } = document.currentScript.dataset;
  const query = new URLSearchParams(location.search);

  // Texts of other scripts are a module, which is what may be missing here.
  const WORDS = {
    en: {
      file:
        'This page was opened as a file, and a browser runs no module from a file: the figures stand still. ' +
        'Run “npm start” in the project’s folder, or put the whole site on any web server.',
      old: 'This browser is too old to run the lecture: the figures stand still. Update it, or open the page in another one.',
      missing: (name) =>
        `A script of this page did not arrive (${name}): the figures stand still. ` +
        'Reload the page; if that does not help, the site was not copied whole.',
      stopped: (message) =>
        `The page’s program stopped while starting (${message}): the figures stand still. Reload the page, or update the browser.`,
    },
    'pt-BR': {
      file:
        'Esta página foi aberta como arquivo, e nenhum navegador executa módulos a partir de um arquivo: as figuras ficam paradas. ' +
        'Execute “npm start” na pasta do projeto ou coloque o site inteiro em qualquer servidor web.',
      old: 'Este navegador é antigo demais para executar a aula: as figuras ficam paradas. Atualize-o ou abra a página em outro.',
      missing: (name) =>
        `Um script desta página não chegou (${name}): as figuras ficam paradas. ` +
        'Recarregue a página; se não adiantar, o site não foi copiado por inteiro.',
      stopped: (message) =>
        `O programa da página parou ao iniciar (${message}): as figuras ficam paradas. Recarregue a página ou atualize o navegador.`,
    },
  };
  const words = WORDS[root.lang] ?? WORDS.en;

  // The links to this page in other languages stand before this script.
  const wanted = query.get('lang')?.toLowerCase();
  const other = [...document.querySelectorAll('link[rel=alternate][hreflang]')].find(
    ({ hreflang }) =>
      hreflang !== root.lang && [hreflang.toLowerCase(), hreflang.split('-')[0]].includes(wanted),
  );
  if (other) {
    query.delete('lang');
    try {
      // What was left in this tab a moment ago goes along (return.js).
      sessionStorage.setItem('attn-turned', '1');
    } catch {
      // The page opens as it does for everybody.
    }
    const rest = String(query);
    location.replace(other.href + (rest ? `?${rest}` : '') + location.hash);
    return;
  }

  // A simulator's page in a frame: what its address leaves out is not drawn at all, nor are margins of its own.
  if (page === 'simulator') {
    root.classList.toggle('framed', window.top !== window.self);
    root.dataset.hide = (query.get('hide') ?? '')
      .toLowerCase()
      .replace(/[\s,]+/g, ' ')
      .trim();
  }

  try {
    const theme = query.get('theme') ?? localStorage.getItem('attn-theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch {
    // Storage may be switched off; the system's colours hold.
  }

  if (page === 'deck') {
    const preview = query.has('preview');
    const roomy = matchMedia('(width >= 900px) and (height >= 500px)').matches;
    root.classList.add(
      preview || (roomy && query.get('view') !== 'scroll') ? 'deck-mode' : 'column-mode',
    );
    root.classList.toggle('preview', preview);
    root.classList.toggle('print-notes', query.has('print-notes'));
  }

  if (page === 'read') root.classList.add('column-mode');

  let standing = false;

  /** The page without its program: every slide in a column, the opening figures, and the reason. */
  function standStill(reason) {
    if (standing || root.classList.contains('live') || root.classList.contains('preview')) return;
    standing = true;
    const show = () => {
      root.classList.remove('deck-mode');
      root.classList.add('column-mode', 'still');
      const notice = document.getElementById('trouble');
      // A page that can do something else from a file says what.
      notice.textContent = (location.protocol === 'file:' && notice.dataset.file) || reason;
      notice.hidden = false;
      for (const figure of document.querySelectorAll('.attn-static')) {
        // Nothing will take the figure's place, so it is what there is to read.
        figure.removeAttribute('inert');
        for (const control of figure.querySelectorAll('button, input, select, textarea'))
          control.disabled = true;
      }
    };
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', show);
    else show();
  }

  if (location.protocol === 'file:' && single === undefined) {
    standStill(words.file);
    return;
  }
  if (!('noModule' in HTMLScriptElement.prototype)) {
    standStill(words.old);
    return;
  }
  addEventListener(
    'error',
    ({ target, message }) => {
      if (target instanceof HTMLScriptElement) {
        standStill(words.missing(target.src.split('/').pop()));
      } else if (target === window) {
        standStill(words.stopped(message));
      }
    },
    true,
  );

  // The module's bytes set out now, and not after the scripts that will ask for them. The same two questions
  // as the loader's, to the engine: does it know 128-bit vectors, and the relaxed ones?
  const knows = (...body) =>
    typeof WebAssembly === 'object' &&
    WebAssembly.validate(
      new Uint8Array([
        0,
        97,
        115,
        109,
        1,
        0,
        0,
        0,
        1,
        5,
        1,
        96,
        0,
        1,
        123,
        3,
        2,
        1,
        0,
        10,
        ...body,
      ]),
    );
  const simd = knows(10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);
  const relaxed = simd && knows(15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11);
  const files = builds[relaxed ? 'relaxed' : simd ? 'simd' : 'scalar'];
  if (files && !root.classList.contains('preview')) {
    const [bytes, glue] = files.split(' ');
    const send = (attributes) =>
      document.head.append(Object.assign(document.createElement('link'), attributes));
    send({
      rel: 'preload',
      as: 'fetch',
      type: 'application/wasm',
      crossOrigin: 'anonymous',
      href: bytes,
    });
    send({ rel: 'modulepreload', href: glue });
  }
})();
