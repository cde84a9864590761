/** The number that just changed is seen to change: briefly, and not at all under reduced motion. */

const seen = new WeakMap();
const lit = new WeakMap();
const still = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)');

const KEYFRAMES = [{ backgroundColor: 'var(--attn-w-tint)' }, { backgroundColor: 'transparent' }];
const TIMING = { duration: 250, easing: 'ease-out' };

/**
 * Compares each marked number below a root with what it said before, and lights the ones that differ. A
 * light that still fades is left to fade: starting it anew at every step of a moving slider would cost a
 * style pass for each number, and the number would never be seen to settle.
 */
export function flash(root) {
  for (const node of root.querySelectorAll('[data-num]')) {
    const text = node.textContent;
    const before = seen.get(node);
    if (before === text) continue;
    seen.set(node, text);
    if (before === undefined || still.matches || !node.animate) continue;
    const running = lit.get(node);
    if (running === undefined) lit.set(node, node.animate(KEYFRAMES, TIMING));
    else if (running.playState === 'finished') running.play();
  }
}
