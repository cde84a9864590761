/** The page of one simulator alone. */
import '../deck/page.css';
import '../deck/theme.js';
import { ready } from '../shared/language.js';
import { wake } from '../deck/simulators.js';

await ready;
wake(document);
document.documentElement.classList.add('live');
