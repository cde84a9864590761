/** Finds the tags of the simulators in a page and brings the script of each that comes near. */
import { bring, tags } from './bring.js';
import { reserve } from './reserve.js';

/** How far from the viewport an element is near, as for the modules (web/shared/simulator.js). */
const NEAR = '300px';

const selector = tags.join(',');

/** reveal.js lays a deck out for printing and says so in the address; nothing is far away then. */
const forPaper = /[?&](print-pdf|view=print)/i.test(globalThis.location?.search ?? '');

const near = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) wanted(target);
  },
  { rootMargin: NEAR, scrollMargin: NEAR },
);

function wanted(element) {
  near.unobserve(element);
  bring(element.localName);
}

/** Elements that wait, so that a page that is printed can have them all. */
const roots = new Set();

async function print() {
  for (const root of roots) {
    for (const element of root.querySelectorAll(selector)) {
      wanted(element);
      customElements.whenDefined(element.localName).then(() => element.start?.());
    }
  }
}

/** Attributes that any element may have, or that a framework leaves on it. */
const ANYBODYS =
  /^(class|is|nonce|tabindex|role|name|(aria|data|v|ng|hx|x)-.*|on.*|item.*|.*[^\w-].*|_.*)$/;

/** A name that is not quite one of ours does nothing, and nothing would say why. */
async function checkNames(element) {
  await customElements.whenDefined(element.localName);
  const { observedAttributes } = element.constructor;
  const odd = element
    .getAttributeNames()
    .filter(
      (name) =>
        !observedAttributes.includes(name) &&
        !(name in HTMLElement.prototype) &&
        !ANYBODYS.test(name),
    );
  if (odd.length > 0) (await import('./misspelt.js')).tellAttributes(element, odd);
}

function meet(element) {
  checkNames(element);
  if (customElements.get(element.localName)) return;
  if (forPaper) wanted(element);
  else near.observe(element);
}

const isUnknown = ({ localName }) => localName.startsWith('attn-') && !tags.includes(localName);

function meetAll(node) {
  if (node.matches?.(selector)) meet(node);
  for (const element of node.querySelectorAll(selector)) meet(element);
  for (const element of [node, ...node.querySelectorAll(':not(:defined)')])
    if (element.localName && isUnknown(element))
      import('./misspelt.js').then(({ tellTag }) => tellTag(element));
}

/**
 * Watches a document or a shadow tree: what stands in it and what comes later.
 * @param {Document | ShadowRoot} root
 */
export function watch(root) {
  if (roots.has(root)) return;
  if (roots.size === 0) addEventListener('beforeprint', print);
  roots.add(root);
  reserve(root, selector);
  meetAll(root);
  new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) if (node.nodeType === Node.ELEMENT_NODE) meetAll(node);
    }
  }).observe(root, { childList: true, subtree: true });
}
