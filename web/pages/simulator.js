/** The page of one simulator alone. */
import '../deck/page.css';
import '../deck/theme.js';
import { keepOffline } from '../offline/keep.js';
import { ready } from '../shared/language.js';
import { linkTo } from '../shared/permalink.js';
import { wake } from '../deck/simulators.js';

await ready;
wake(document);
document.documentElement.classList.add('live');
keepOffline();

const simulator = document.querySelector('[data-simulator]');
// In another language it stands as it stands here.
for (const link of document.querySelectorAll('[data-language]')) {
  const plain = link.href;
  link.addEventListener('click', () => {
    const state = simulator.getState?.();
    link.href = (state && linkTo(simulator.localName, state, plain).link) || plain;
  });
}
// In a frame, the lecture would open in the frame.
if (top !== self) {
  for (const link of document.querySelectorAll('.page-foot a:not([data-language])'))
    link.target = '_blank';
}
