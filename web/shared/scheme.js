/** Light or dark, of what a style computed to. @param {CSSStyleDeclaration} style */
export function schemeOf({ colorScheme }) {
  if (!colorScheme.includes('dark')) return 'light';
  const both = colorScheme.includes('light');
  return both && !matchMedia('(prefers-color-scheme: dark)').matches ? 'light' : 'dark';
}
