/** The page as the speaker's window shows it: one slide, with its simulators where the lecture has them. */
import { OWN_ORIGIN, fromMirror } from './channel.js';
import { wake } from './simulators.js';
import { showStates } from './states.js';

const current = () => document.getElementById(location.hash.slice(1));

export function startMirror() {
  const wakeCurrent = () => {
    const section = current();
    if (section) wake(section);
  };
  addEventListener('hashchange', wakeCurrent);
  addEventListener('message', ({ data, source, origin }) => {
    if (source !== parent || origin !== OWN_ORIGIN || !fromMirror(data)) return;
    const section = document.getElementById(data.id);
    if (section) showStates(section, data.states);
  });
  wakeCurrent();
  document.documentElement.classList.add('live');
}
