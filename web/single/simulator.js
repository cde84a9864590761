/** One simulator in one file. */
import './files.js';
import { showPage } from './pages.js';

await showPage();
await import('../pages/simulator.js');
