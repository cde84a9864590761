/** The page of one simulator alone: on a desk, or in a frame on somebody's slide. */
import '../deck/page.css';
import '../deck/theme.js';
import { keepOffline } from '../offline/keep.js';
import { ready } from '../shared/language.js';
import { linkTo } from '../shared/permalink.js';
import { keepLeft, takeLeft } from '../deck/return.js';
import { wake } from '../deck/simulators.js';
import { setFromAddress } from './address.js';

const simulator = document.querySelector('[data-simulator]');
const framed = window.top !== window.self;

await ready;
wake(document);
document.documentElement.classList.add('live');
keepOffline();

/** A word of the address that means nothing is told above the figure, which shows what it can. */
const told = new Set();
function tell(sentence) {
  told.add(sentence);
  const notice = document.getElementById('trouble');
  notice.textContent = [...told].join(' ');
  notice.hidden = false;
}

customElements.whenDefined(simulator.localName).then(async () => {
  // An attribute that cannot be used has no code, as a failure of the module has.
  const hear = ({ detail }) => detail.code === undefined && tell(detail.message);
  simulator.addEventListener('error', hear);
  setFromAddress(simulator, location.search, (sentence) => {
    console.warn(sentence);
    tell(sentence);
  });
  await simulator.updateComplete;
  simulator.removeEventListener('error', hear);
});

// In another language it stands as it stands here: its state by the address, what is half done by the tab's storage.
keepLeft(() => ({ carried: simulator.carried }));
const left = takeLeft();
if (left?.turned && left.carried)
  customElements.whenDefined(simulator.localName).then(() => (simulator.carried = left.carried));
for (const link of document.querySelectorAll('[data-language]')) {
  const plain = link.href;
  link.addEventListener('click', () => {
    const state = simulator.getState?.();
    link.href = (state && linkTo(simulator.localName, state, plain).link) || plain;
  });
}

if (framed) {
  // The lecture would open in the frame.
  for (const link of document.querySelectorAll('.page-foot a:not([data-language])'))
    link.target = '_blank';
  // The page around it cannot see how high this one is (web/embed/frames.js listens).
  let last;
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    const tag = simulator.localName;
    window.parent.postMessage({ source: 'attention-deck', type: 'height', tag, height }, '*');
  }).observe(document.body);
}
