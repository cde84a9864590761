/** The whole lecture in one file: its slides, the speaker's window, the lab. */
import './files.js';
import { showPage } from './pages.js';

const starts = {
  deck: () => import('../deck/main.js'),
  speaker: () => import('../deck/speaker.js'),
  lab: () => import('../lab/lab.js'),
};

await starts[await showPage()]();
