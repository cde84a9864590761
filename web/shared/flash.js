/** The number that just changed is seen to change: briefly, and not at all under reduced motion. */

const seen = new WeakMap();
const still = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)');

/** Compares each marked number below a root with what it said before, and lights the ones that differ. */
export function flash(root) {
  for (const node of root.querySelectorAll('[data-num]')) {
    const text = node.textContent;
    const before = seen.get(node);
    seen.set(node, text);
    if (before === undefined || before === text || still.matches || !node.animate) continue;
    for (const running of node.getAnimations()) running.cancel();
    node.animate([{ backgroundColor: 'var(--attn-w-tint)' }, { backgroundColor: 'transparent' }], {
      duration: 250,
      easing: 'ease-out',
    });
  }
}
