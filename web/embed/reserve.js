/** The room of an element whose script is not there yet: without it, all elements of a page would stand in one place, and near. */

/**
 * @param {Document | ShadowRoot} root
 * @param {string} selector
 */
export function reserve(root, selector) {
  const sheet = new CSSStyleSheet();
  // No weight, so that whatever a page says about the tags holds.
  sheet.replaceSync(
    `:where(${selector}) { display: block; } :where(${selector}):where(:not(:defined)) { min-height: var(--attn-waiting-height, 24rem); } :where(${selector}):where([hidden]) { display: none; }`,
  );
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
