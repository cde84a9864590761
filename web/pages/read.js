/** A part of the lecture to read, and the contents: pages that scroll. */
import '../deck/read.css';
import '../deck/theme.js';
import { wake } from '../deck/simulators.js';

wake(document);
document.documentElement.classList.add('live');
