/** A part of the lecture to read, and the contents: pages that scroll. */
import '../deck/read.css';
import '../deck/theme.js';
import { showLabProgress } from '../deck/lab-progress.js';
import { showKept } from '../offline/control.js';
import { keepOffline } from '../offline/keep.js';
import { ready } from '../shared/language.js';
import { keepSlides, showLeft } from '../deck/return.js';
import { wake } from '../deck/simulators.js';
import { MovedStates } from '../deck/states.js';

await ready;
const sections = [...document.querySelectorAll('section[id]')];
/** The last one that has come to the upper third of the window. */
const read = () =>
  sections.findLast((section) => section.getBoundingClientRect().top < innerHeight / 3);
keepSlides(sections, new MovedStates(document.body), () => ({ slide: read()?.id }));
const left = showLeft();
wake(document);
if (left?.turned && left.slide && !location.hash)
  document.getElementById(left.slide)?.scrollIntoView();
showLabProgress();
document.documentElement.classList.add('live');
showKept(keepOffline());
