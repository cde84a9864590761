import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that read colours; whatever the others find, they find in each scheme. */
export const COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds, in lines. It runs through the browser's own debugger, so the page's policy stays as it is.
 * @param {string} [within] a selector: only what is below it is looked at
 * @param {string[]} [rules] these alone
 */
export async function axe(page, where, within, rules) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const { violations } = await page.evaluate(
    ([selector, only]) =>
      globalThis.axe.run(selector ?? document, {
        resultTypes: ['violations'],
        elementRef: false,
        ...(only && { runOnly: { type: 'rule', values: only } }),
      }),
    [within, rules],
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.slice(0, 4).map((node) => {
      const reason = node.failureSummary?.split('\n')[1]?.trim() ?? '';
      return `${where}: ${id} (${help}): ${node.target.flat().join(' ')} ${reason}`;
    }),
  );
}
