/** The page of one simulator alone. */
import '../deck/page.css';
import '../deck/theme.js';
import { wake } from '../deck/simulators.js';

wake(document);
document.documentElement.classList.add('live');
