/** Says on the contents page what is kept on this device for use without network, and lets the reader have it otherwise. */
import { msg, str } from '../shared/language.js';
import { formatDecimalBytes } from '../shared/number.js';
import { canKeep, isWanted, keptBytes, switchOff, switchOn } from './keep.js';

/** What the page says, and what its button does, in each state. */
const STATES = {
  coming: () => ({
    says: msg('This site is being copied to this device, for use without network.'),
  }),
  kept: (bytes) => {
    const size = formatDecimalBytes(bytes);
    return {
      says: msg(str`Kept on this device for use without network: ${size}.`),
      button: msg('Remove it from this device'),
      press: switchOff,
      then: 'off',
    };
  },
  off: (bytes) => {
    const size = formatDecimalBytes(bytes);
    return {
      says: msg('Without network this site does not open on this device.'),
      button: msg(str`Keep it on this device (about ${size})`),
      press: switchOn,
      now: 'coming',
    };
  },
  failed: (bytes) => {
    const size = formatDecimalBytes(bytes);
    return {
      says: msg(
        'This site could not be copied to this device: there is too little room, or the network was lost. It works as before.',
      ),
      button: msg(str`Try again (about ${size})`),
      press: switchOn,
      now: 'coming',
    };
  },
};

/** @param {Promise<boolean | undefined>} keeping what `keepOffline` gave */
export async function showKept(keeping) {
  const place = document.querySelector('[data-offline]');
  if (!place || !canKeep()) return;
  const words = place.querySelector('p');
  const button = place.querySelector('button');
  let state;

  const show = (name, bytes = Number(place.dataset.offline)) => {
    state = STATES[name](bytes);
    words.textContent = state.says;
    button.textContent = state.button ?? '';
    button.hidden = !state.button;
    place.hidden = false;
  };
  const look = async () => {
    const bytes = await keptBytes();
    if (bytes > 0) show('kept', bytes);
    return bytes > 0;
  };
  button.addEventListener('click', async () => {
    const { press, now, then } = state;
    if (now) show(now);
    button.disabled = true;
    const here = await press();
    button.disabled = false;
    if (then) show(then);
    else if (!here || !(await look())) show('failed');
    // Its words changed under the hand that pressed it.
    button.focus();
  });

  if (await look()) return;
  if (!isWanted()) {
    show('off');
    return;
  }
  show('coming');
  const here = await keeping;
  if (here === undefined) show('off');
  else if (!here || !(await look())) show('failed');
}
