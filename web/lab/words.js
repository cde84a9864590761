/** Every sentence of the lab's page that belongs to no exercise. */
import { formatNumber } from '../shared/number.js';

const seconds = (ms) => formatNumber(ms / 1000, { decimals: 1, trim: true });

export const words = {
  title: 'Lab',
  summary:
    'Ten exercises along the lecture. Each has a program with a gap: fill it, run it, and your numbers are held against those of the lecture’s C++: on a first example, and on numbers drawn anew at each run.',
  devices:
    'What you write and what you solve stays on this device, and is sent to nobody. Your programs run in a closed frame of their own, without network or storage, and are ended after a few seconds.',
  exercises: 'Exercises',
  slide: (number) => `Slide ${number}`,
  code: (title) => `Program of “${title}”`,
  keys: 'Ctrl + Enter runs it, on a Mac ⌘ + Enter. Tab indents; to leave the editor by the keyboard, press Escape, then Tab.',
  help: 'Control or Command and Enter runs it. Escape, then Tab, leaves the editor.',
  run: 'Run',
  stop: 'Stop',
  reset: 'Back to the start',
  wasReset: 'The program is as it was given. Undo brings yours back.',
  hint: 'A hint',
  solution: 'A solution',
  next: (title) => `Next: ${title}`,
  solved: 'solved',
  solvedCount: (count, all) =>
    count === 0
      ? `None of ${all} solved on this device yet.`
      : `${count} of ${all} solved on this device.`,
  forget: 'Forget all that is kept here',
  forgotten: 'All is forgotten: every exercise is as it was given.',
  said: 'What it printed',
  returned: 'What it returned for the first example',
  enough: '… and more, which is not shown.',
  starting: 'The C++ is loading.',
  running: 'Running.',
  right: (inputs) => `Right: on all ${inputs} inputs your numbers are those of the C++.`,
  wrong: {
    first: 'Not yet, on the first example.',
    others: 'Right on the first example, but not on others.',
  },
  late: (ms) =>
    `It was stopped after ${seconds(ms)} seconds. Is there a loop that never ends? Look at its condition, and at what changes in each turn.`,
  stopped: 'You stopped it.',
  missing: (call) =>
    `There is no function ${call} in the program. It is what gets called: keep its name.`,
  unsendable:
    'It returned something that is no data, a function for one. Return numbers and lists of them.',
  error: ({ name, message, line }) =>
    `${line ? `Line ${line}: ` : ''}${[name, message].filter(Boolean).join(': ') || 'an error without words'}`,
  broken: (message) =>
    `The program could not be run (${message || 'no reason was given'}). Reload the page; the browser may be short of memory or too old.`,
  stuck:
    'The frame in which programs run did not start. Reload the page, or close other tabs first.',
  noSandbox:
    'The frame in which programs run did not come up. The server of this site may forbid it: sandbox.html brings a content policy of its own, and must be sent without another. The exercises can be read here all the same.',
  losses: 'loss by step',
  lossUnit: 'step',
  step: 'Step',
  map: (step) => `Where each word looks, in %, at step ${step}`,
  mapColumn: (place) => `word ${place}`,
  outlined: 'An outline marks the word that it shall look at.',
  noScript:
    'JavaScript is switched off, so nothing can be run. The tasks, hints and solutions can be read.',
  fromFile:
    'This page was opened as a file: you can read and print every task, hint and solution, but nothing runs, because a browser gives a page from a file neither modules nor a frame of its own origin. Run “npm start” in the project’s folder, or put the site on any web server.',
  notebook: 'The same exercises as a notebook, in Python with NumPy',
};
