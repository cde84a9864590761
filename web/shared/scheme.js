/** Light and dark, of what styles compute to. */

/** How light a colour is, from 0 to 1, as it looks; undefined for a notation that browsers do not compute to. */
export function lightnessOf(colour) {
  const [, notation, rest] = /^(\w+)\((?:srgb\s+)?([^)]*)\)$/.exec(colour) ?? [];
  if (notation === undefined) return undefined;
  const [first, second, third] = rest.match(/-?[\d.]+(e-?\d+)?/g).map(Number);
  if (/^ok/.test(notation)) return first;
  if (/^l(ab|ch)$/.test(notation)) return first / 100;
  const top = notation.startsWith('rgb') ? 255 : 1;
  return (0.299 * first + 0.587 * second + 0.114 * third) / top;
}

/** Light or dark, of what a style computed to. @param {CSSStyleDeclaration} style */
export function schemeOf({ colorScheme }) {
  if (!colorScheme.includes('dark')) return 'light';
  const both = colorScheme.includes('light');
  return both && !matchMedia('(prefers-color-scheme: dark)').matches ? 'light' : 'dark';
}
