/** A part of the lecture to read, and the contents: pages that scroll. */
import '../deck/read.css';
import '../deck/theme.js';
import { showLabProgress } from '../deck/lab-progress.js';
import { showKept } from '../offline/control.js';
import { keepOffline } from '../offline/keep.js';
import { ready } from '../shared/language.js';
import { wake } from '../deck/simulators.js';

await ready;
wake(document);
showLabProgress();
document.documentElement.classList.add('live');
showKept(keepOffline());
