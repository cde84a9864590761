/** The slide of the lab shows which exercises are solved on this device, as soon as they are. */
import { solved, watchSolved } from '../lab/progress.js';

export function showLabProgress() {
  const items = [...document.querySelectorAll('[data-lab]')];
  const show = () => {
    const done = solved();
    for (const item of items) {
      item.querySelector('.lab-solved').hidden = !done.has(item.dataset.lab);
    }
  };
  show();
  if (items.length > 0) watchSolved(show);
}
