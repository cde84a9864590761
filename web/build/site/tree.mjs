/** Small helpers over parse5's syntax trees. */
import { defaultTreeAdapter, html, parseFragment, serialize } from 'parse5';

/** Every element below a node that passes, gathered before any of them is changed. */
export function elements(root, wanted = () => true) {
  const found = [];
  const visit = (node) => {
    for (const child of node.childNodes ?? []) {
      if (child.tagName && wanted(child)) found.push(child);
      visit(child);
    }
    if (node.content) visit(node.content);
  };
  visit(root);
  return found;
}

export const attributeOf = (node, name) => node.attrs?.find((item) => item.name === name)?.value;

/** Sets an attribute; `undefined` takes it away. */
export function setAttribute(node, name, value) {
  node.attrs = node.attrs.filter((item) => item.name !== name);
  if (value !== undefined) node.attrs.push({ name, value });
}

export const hasClass = (node, name) =>
  (attributeOf(node, 'class') ?? '').split(/\s+/).includes(name);

export function textOf(node) {
  if (node.nodeName === '#text') return node.value;
  return (node.childNodes ?? []).map(textOf).join('');
}

/** The words of an element on one line. Of a formula only what is seen counts, not its MathML twin. */
export function wordsOf(node) {
  const read = (item) => {
    if (item.nodeName === '#text') return item.value;
    if (item.tagName && hasClass(item, 'katex-mathml')) return '';
    return (item.childNodes ?? []).map(read).join('');
  };
  return read(node).replace(/\s+/g, ' ').trim();
}

export function createElement(tagName, attributes = {}, children = []) {
  const node = defaultTreeAdapter.createElement(
    tagName,
    html.NS.HTML,
    Object.entries(attributes).map(([name, value]) => ({ name, value })),
  );
  for (const child of children) append(node, child);
  return node;
}

export function textNode(value) {
  return { nodeName: '#text', value, parentNode: null };
}

export function append(parent, child) {
  child.parentNode = parent;
  parent.childNodes.push(child);
}

export function replace(node, other) {
  const { parentNode } = node;
  parentNode.childNodes[parentNode.childNodes.indexOf(node)] = other;
  other.parentNode = parentNode;
}

export function remove(node) {
  const { parentNode } = node;
  parentNode.childNodes.splice(parentNode.childNodes.indexOf(node), 1);
}

/** Takes comments away and folds white space, so that what a template engine left behind does not travel. */
export function tidy(root) {
  const visit = (node) => {
    if (!node.childNodes || node.tagName === 'pre') return;
    node.childNodes = node.childNodes.filter((child) => child.nodeName !== '#comment');
    for (const child of node.childNodes) {
      if (child.nodeName === '#text') child.value = child.value.replace(/\s+/g, ' ');
      else visit(child);
    }
  };
  visit(root);
  return root;
}

export const parse = (markup) => parseFragment(markup, { sourceCodeLocationInfo: true });
export const write = (node) => serialize(node);

/** An element with its own tag. */
export function writeWhole(node) {
  const holder = parseFragment('');
  holder.childNodes.push(node);
  return serialize(holder);
}

export const escapeText = (text) =>
  String(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
