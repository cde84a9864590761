/**
 * What every simulator's element has, in words: its attributes, properties, methods, events, parts, custom properties and
 * slots. This is the one list that is written by hand; tests/architecture/elements.test.js holds it against the code, and
 * custom-elements.json, the types and the pages of the elements are made of it and of the models' schemas.
 *
 * The words are English here; web/pages/<language>.json has them in the other languages.
 */

export const attributes = [
  {
    name: 'state',
    type: 'string',
    // The property of that name holds the state itself.
    isProperty: false,
    description: 'A whole state in the form that links carry, instead of a case and of fields.',
  },
  {
    name: 'hide',
    type: 'string',
    description:
      'What is not drawn, a list with commas: title, summary, foot (these three on a simulator’s own page), cases, toolbar, controls, sentence, embed.',
  },
  {
    name: 'lock',
    type: 'string',
    description:
      'What can be seen and not changed, a list with commas: all, case, or the names of attributes.',
  },
  {
    name: 'predicting',
    type: 'boolean',
    isProperty: false,
    description: 'Covers the answer until a guess is made.',
  },
  {
    name: 'name',
    type: 'string',
    // Forms read it; a change of it changes nothing that is drawn.
    isObserved: false,
    description: 'The name under which a form sends the guess that was made.',
  },
];

/** `State` stands for the state of the element at hand. */
export const properties = [
  {
    name: 'state',
    type: 'State',
    description: 'The whole state. What is set is checked as setState() checks it.',
  },
  {
    name: 'predicting',
    type: 'boolean',
    description: 'Whether the answer is covered until a guess is made.',
  },
  {
    name: 'guess',
    type: '{ choice: number; words: string; right: boolean } | undefined',
    readonly: true,
    description:
      'The guess that was made: its place among the options, its words, and whether it is right; undefined before.',
  },
  {
    name: 'form',
    type: 'HTMLFormElement | null',
    readonly: true,
    description: 'The form around it, of which the guess is a field.',
  },
  {
    name: 'whenReady',
    type: 'Promise<this>',
    readonly: true,
    description: 'Settles when the numbers that are shown were computed by the module.',
  },
];

export const methods = [
  {
    name: 'getState',
    parameters: [],
    returns: 'State',
    description: 'A copy of the whole state, as it travels in a link.',
  },
  {
    name: 'setState',
    parameters: [{ name: 'state', type: 'Partial<State>' }],
    returns: 'void',
    description:
      'Sets the whole state; fields that are left out take their defaults. What the schema refuses is told by the event error and leaves the last state as it was.',
  },
  {
    name: 'start',
    parameters: [],
    returns: 'Promise<this>',
    description:
      'Computes now, in sight or not. Without it an element waits until it nears the window.',
  },
  {
    name: 'undo',
    parameters: [],
    returns: 'void',
    description: 'Takes the last edit back.',
  },
  {
    name: 'redo',
    parameters: [],
    returns: 'void',
    description: 'Does again what was taken back.',
  },
  {
    name: 'reset',
    parameters: [],
    returns: 'void',
    description: 'Back to the opening values, nothing measured and nothing guessed.',
  },
  {
    name: 'focus',
    parameters: [{ name: 'options', type: 'FocusOptions', optional: true }],
    returns: 'void',
    description: 'Gives the keyboard to the first control.',
  },
  {
    name: 'toCSV',
    parameters: [],
    returns: 'string',
    description: 'The answer as a table with every digit, once it is ready.',
  },
  {
    name: 'toSVG',
    parameters: [],
    returns: 'string',
    description: 'The answer as a picture, an SVG document complete by itself, once it is ready.',
  },
];

/** All bubble and leave the shadow tree. */
export const events = [
  {
    name: 'ready',
    detail: 'State',
    description: 'Once, when the first numbers that the module computed are shown.',
  },
  {
    name: 'input',
    detail: '{ path: string; value: unknown } | { paths: string[]; values: unknown[] }',
    description: 'While a value moves: at each step of a slider, at each key in a field.',
  },
  {
    name: 'change',
    detail:
      '{ path?: string; value?: unknown; case?: string; guess?: { choice: number; words: string; right: boolean } }',
    description: 'When a value is settled, a case was chosen or a guess was made.',
  },
  {
    name: 'statechange',
    detail: 'State',
    description: 'After every change of the state, whoever made it.',
  },
  {
    name: 'error',
    detail: '{ message: string; code?: string }',
    description:
      'When something was refused: a value out of range, a link that cannot be read, a module that does not load.',
  },
];

export const cssParts = [
  { name: 'simulator', description: 'All that is drawn.' },
  { name: 'cases', description: 'The row of named cases.' },
  { name: 'toolbar', description: 'The bar of quiet buttons beside the cases.' },
  { name: 'embed', description: 'The box whose text is copied into somebody’s slides.' },
  { name: 'figure', description: 'The figure with its controls.' },
  { name: 'sentence', description: 'The answer in one sentence.' },
  { name: 'guess', description: 'The question that stands where the answer will be.' },
  {
    name: 'notice',
    description: 'What the simulator says of itself: a link that it cannot read, a file saved.',
  },
  { name: 'problem', description: 'Why what was typed cannot be, beside its field.' },
  { name: 'announcement', description: 'What a screen reader hears; it is not seen.' },
];

/** `:state(…)` of an element. */
export const cssStates = [
  { name: 'ready', description: 'Its numbers were computed by the module.' },
  { name: 'predicting', description: 'The answer is covered until a guess is made.' },
  { name: 'light', description: 'It stands in a light page of somebody else’s.' },
  { name: 'dark', description: 'It stands in a dark page of somebody else’s.' },
];

/** Colours have their defaults in web/shared/tokens.css, the others here. */
export const cssProperties = [
  { name: '--attn-font', default: 'system-ui', description: 'The typeface of words.' },
  { name: '--attn-font-mono', default: 'monospace', description: 'The typeface of numbers.' },
  {
    name: '--attn-font-size',
    default: '16px',
    description: 'The size of text, from which all other sizes follow.',
  },
  { name: '--attn-radius', default: '1.2em', description: 'How round buttons are.' },
  { name: '--attn-ink', description: 'Text.' },
  { name: '--attn-ink-soft', description: 'Text that stands back.' },
  { name: '--attn-bg', description: 'What a simulator stands on: the page.' },
  { name: '--attn-surface', description: 'Fields, menus, and the ground of drawings.' },
  { name: '--attn-sunken', description: 'What lies lower than the page.' },
  { name: '--attn-line', description: 'Lines that part.' },
  { name: '--attn-control', description: 'Edges of controls, and axes.' },
  { name: '--attn-accent', description: 'The button that is pressed.' },
  { name: '--attn-on-accent', description: 'Words on the button that is pressed.' },
  { name: '--attn-focus', description: 'The ring around what has the keyboard.' },
  { name: '--attn-error', description: 'What was refused.' },
  { name: '--attn-error-tint', description: 'The ground of what was refused.' },
  { name: '--attn-q', description: 'Queries.' },
  { name: '--attn-q-tint', description: 'The ground of queries.' },
  { name: '--attn-k', description: 'Keys.' },
  { name: '--attn-k-tint', description: 'The ground of keys.' },
  { name: '--attn-v', description: 'Values.' },
  { name: '--attn-v-tint', description: 'The ground of values.' },
  { name: '--attn-s', description: 'Scores.' },
  { name: '--attn-s-tint', description: 'The ground of scores.' },
  { name: '--attn-w', description: 'Weights.' },
  { name: '--attn-w-tint', description: 'The ground of weights.' },
];

export const slots = [
  {
    name: '',
    description: 'What is shown until the numbers are there, and where no script runs.',
  },
];
