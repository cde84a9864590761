/** Every sentence of the lab's page that belongs to no exercise, in the language that is spoken when it is asked for. */
import { msg, str } from '../shared/language.js';
import { formatNumber } from '../shared/number.js';

const formatSeconds = (ms) => formatNumber(ms / 1000, { decimals: 1, trim: true });

export const words = {
  get title() {
    return msg('Lab');
  },
  get summary() {
    return msg(
      'Ten exercises along the lecture. Each has a program with a gap: fill it, run it, and your numbers are held against those of the lecture’s C++: on a first example, and on numbers drawn anew at each run.',
    );
  },
  get devices() {
    return msg(
      'What you write and what you solve stays on this device, and is sent to nobody. Your programs run in a closed frame of their own, without network or storage, and are ended after a few seconds.',
    );
  },
  get exercises() {
    return msg('Exercises');
  },
  slide: (number) => msg(str`Slide ${number}`),
  code: (title) => msg(str`Program of “${title}”`),
  get keys() {
    return msg(
      'Ctrl + Enter runs it, on a Mac ⌘ + Enter. Tab indents; to leave the editor by the keyboard, press Escape, then Tab.',
    );
  },
  get help() {
    return msg('Control or Command and Enter runs it. Escape, then Tab, leaves the editor.');
  },
  get run() {
    return msg('Run', { id: 'lab-run' });
  },
  get stop() {
    return msg('Stop');
  },
  get reset() {
    return msg('Back to the start', { id: 'lab-reset' });
  },
  get wasReset() {
    return msg('The program is as it was given. Undo brings yours back.');
  },
  get hint() {
    return msg('A hint');
  },
  get solution() {
    return msg('A solution');
  },
  next: (title) => msg(str`Next: ${title}`),
  get solved() {
    return msg('solved');
  },
  solvedCount: (count, all) =>
    count === 0
      ? msg(str`None of ${all} solved on this device yet.`)
      : msg(str`${count} of ${all} solved on this device.`),
  get forget() {
    return msg('Forget all that is kept here');
  },
  get forgotten() {
    return msg('All is forgotten: every exercise is as it was given.');
  },
  get said() {
    return msg('What it printed');
  },
  get returned() {
    return msg('What it returned for the first example');
  },
  get enough() {
    return msg('… and more, which is not shown.');
  },
  get starting() {
    return msg('The C++ is loading.');
  },
  get running() {
    return msg('Running.');
  },
  right: (inputs) => msg(str`Right: on all ${inputs} inputs your numbers are those of the C++.`),
  wrong: {
    get first() {
      return msg('Not yet, on the first example.');
    },
    get others() {
      return msg('Right on the first example, but not on others.');
    },
  },
  late(ms) {
    const seconds = formatSeconds(ms);
    return msg(
      str`It was stopped after ${seconds} seconds. Is there a loop that never ends? Look at its condition, and at what changes in each turn.`,
    );
  },
  get stopped() {
    return msg('You stopped it.');
  },
  missing: (call) =>
    msg(str`There is no function ${call} in the program. It is what gets called: keep its name.`),
  get unsendable() {
    return msg(
      'It returned something that is no data, a function for one. Return numbers and lists of them.',
    );
  },
  error({ name, message, line }) {
    const told = name
      ? [name, message].filter(Boolean).join(': ')
      : message
        ? msg(
            str`the program threw ${message}, which is no error. new Error('…') can say what went wrong.`,
          )
        : msg('an error without words');
    return line ? msg(str`Line ${line}: ${told}`) : told;
  },
  broken(message) {
    const reason = message || msg('no reason was given');
    return msg(
      str`The program could not be run (${reason}). Reload the page; the browser may be short of memory or too old.`,
    );
  },
  get stuck() {
    return msg(
      'The frame in which programs run did not start. Reload the page, or close other tabs first.',
    );
  },
  get noSandbox() {
    return msg(
      'The frame in which programs run did not come up. The server of this site may forbid it: sandbox.html brings a content policy of its own, and must be sent without another. The exercises can be read here all the same.',
    );
  },
  get frame() {
    return msg('Where the programs of the exercises run');
  },
  get losses() {
    return msg('loss by step');
  },
  get lossUnit() {
    return msg('step');
  },
  at: (step, loss) => msg(str`Step ${step}, loss ${loss}`),
  map: (step) => msg(str`Where each word looks, in %, at step ${step}`),
  mapColumn: (place) => msg(str`word ${place}`),
  get outlined() {
    return msg('An outline marks the word that it shall look at.');
  },
  get noScript() {
    return msg(
      'JavaScript is switched off, so nothing can be run. The tasks, hints and solutions can be read.',
    );
  },
  get fromFile() {
    return msg(
      'This page was opened as a file: you can read and print every task, hint and solution, but nothing runs, because a browser gives a page from a file neither modules nor a frame of its own origin. Run “npm start” in the project’s folder, or put the site on any web server.',
    );
  },
  get notebook() {
    return msg('The same exercises as a notebook, in Python with NumPy');
  },
};
