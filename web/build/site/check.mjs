/** What the content policy would refuse, and what would not travel to another address, found before it is served. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse as parsePage } from 'parse5';
import { hashOf } from './policy.mjs';
import { attributeOf, elements, textOf } from './tree.mjs';

const LOADS = {
  script: 'src',
  img: 'src',
  iframe: 'src',
  link: 'href',
  source: 'src',
  video: 'src',
  audio: 'src',
};

/** What is wrong with a page, each in a sentence. */
export function pageComplaints(html) {
  const complaints = [];
  const tree = parsePage(html);
  const nodes = elements(tree);
  const [meta] = nodes.filter(({ tagName }) => tagName === 'meta');
  const policy = attributeOf(meta ?? { attrs: [] }, 'content') ?? '';
  for (const node of nodes) {
    const name = `<${node.tagName}>`;
    if (node.tagName === 'style') complaints.push('it holds a <style> element');
    const inline = node.tagName === 'script' && !attributeOf(node, 'src') ? textOf(node) : '';
    if (inline.trim() && !policy.includes(`'${hashOf(inline)}'`)) {
      complaints.push('it holds an inline script');
    }
    if (node.tagName === 'm-tex') complaints.push('a formula was not drawn');
    for (const attribute of node.attrs) {
      if (attribute.name === 'style') complaints.push(`${name} has style="${attribute.value}"`);
      if (/^on/i.test(attribute.name)) complaints.push(`${name} has ${attribute.name}`);
      if (/^\s*javascript:/i.test(attribute.value)) complaints.push(`${name} leads to a script`);
    }
    const address = LOADS[node.tagName] && attributeOf(node, LOADS[node.tagName]);
    if (address && /^([a-z][a-z0-9+.-]*:|\/)/i.test(address)) {
      complaints.push(`${name} loads ${address}, which is not a relative address`);
    }
  }
  if (attributeOf(meta ?? { attrs: [] }, 'http-equiv') !== 'content-security-policy') {
    complaints.push('the policy is not the first thing in <head>');
  }
  return complaints;
}

/** What is wrong with a style sheet. */
export function styleComplaints(css) {
  return [...css.matchAll(/url\(\s*["']?((?:data:|https?:|\/)[^"')]{0,60})/gi)].map(
    ([, address]) => `it loads ${address}, which the policy or a subfolder refuses`,
  );
}

export function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}

/** Reads a built site and fails with every complaint about it. */
export function checkSite(folder) {
  const complaints = filesIn(folder).flatMap((file) => {
    const text = () => readFileSync(file, 'utf8');
    const found = file.endsWith('.html')
      ? pageComplaints(text())
      : file.endsWith('.css')
        ? styleComplaints(text())
        : [];
    return found.map((complaint) => `${path.relative(folder, file)}: ${complaint}`);
  });
  if (complaints.length > 0)
    throw new Error(`the built site breaks its own policy:\n  ${complaints.join('\n  ')}`);
}
