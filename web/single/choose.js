/**
 * Runs before anything is drawn, and before web/deck/early.js: which page of this file the address asks for, in which
 * language. A classic script, as the page's own waits until the whole file is read.
 */
(() => {
  const root = document.documentElement;
  const query = new URLSearchParams(location.search);
  const { pages, languages } = document.currentScript.dataset;
  const [own, ...others] = pages.split(' ');
  const page = others.find((one) => query.has(one)) ?? own;
  const wanted = query.get('lang')?.toLowerCase();
  const language =
    languages.split(' ').find((one) => [one.toLowerCase(), one.split('-')[0]].includes(wanted)) ??
    root.lang;

  // Nothing of the file's own page is seen before another takes its place.
  root.classList.toggle('choosing', page !== own || language !== root.lang);
  root.dataset.page = page;
  root.lang = language;
  if (page === own) return;
  // Another page brings its own.
  for (const style of document.querySelectorAll('style[data-own]')) style.media = 'not all';
  for (const link of document.querySelectorAll('link[rel=alternate][hreflang]'))
    link.href = link.getAttribute('href').replace('?', `?${page}&`);
})();
