/**
 * How a simulator is put into somebody's slides: as a tag with its script, as a frame, as a link. Each says what is shown now, in words where
 * a case with a few other fields says it, else by the state as a whole.
 */
import { attributeFields, attributeOf, stateOfCase } from './opening.js';
import { encodeState } from './permalink.js';

/** More fields than this are longer than the state that they spell. */
const FEW = 4;
/** A text as long as this, and one of several lines, is no word of an attribute. */
const LONG = 80;
/** Columns that a frame may be made for, in px: a slide's, a text's, a phone's. */
export const COLUMNS = [960, 700, 360];
/** On each side of the figure in a frame: room for outlines (web/deck/page.css). */
const AROUND = 6;

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const fits = (value) =>
  typeof value !== 'string' || (value.length <= LONG && !/[\n\r]/.test(value));

/** What turns one state into another, as attributes; undefined where attributes cannot. */
function differences(schema, from, to) {
  const keys = Object.keys(schema).filter((key) => !same(from[key], to[key]));
  const plain = attributeFields(schema);
  const sayable = keys.every((key) => plain.includes(key) && fits(to[key]));
  return sayable && keys.length <= FEW
    ? Object.fromEntries(keys.map((key) => [attributeOf(key), String(to[key])]))
    : undefined;
}

/**
 * The attributes of a tag that opens in a state: those that differ from the defaults or from the nearest case, or `state`.
 * @returns {Record<string, string>}
 */
export function attributesOf(model, state) {
  const ways = [
    differences(model.schema, model.defaults, state),
    ...model.cases.map(({ id }) => {
      const rest = differences(model.schema, stateOfCase(model, id), state);
      return rest && { case: id, ...rest };
    }),
  ].filter(Boolean);
  const size = (way) => Object.keys(way).length;
  const [shortest] = ways.sort((one, other) => size(one) - size(other));
  return shortest ?? { state: encodeState(state) };
}

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const tagText = (name, attributes) =>
  `<${[name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escaped(value)}"`)].join(' ')}></${name}>`;

/**
 * How high the frame of an element is in a column: the element is laid out as wide as it would be there, and looked at before anything is
 * painted.
 * @param {HTMLElement} element
 * @param {number} column in px
 * @returns {number} in px
 */
export function frameHeight(element, column) {
  const { style } = element;
  const before = style.cssText;
  const width = `${column - 2 * AROUND}px`;
  for (const name of ['inline-size', 'min-inline-size', 'max-inline-size'])
    style.setProperty(name, width, 'important');
  // As its own page has it: no room of a slide, and letters of their least size.
  style.setProperty('--attn-font-size', '16px', 'important');
  style.setProperty('--attn-overflow', 'visible', 'important');
  for (const name of ['', '-line', '-pieces', '-stages', '-file'])
    style.setProperty(`--attn-room${name}`, 'none', 'important');
  const height = element.offsetHeight;
  style.cssText = before;
  // What offsetHeight rounded away.
  return height + 2 * AROUND + 1;
}

/** Commas stay readable in an address. */
const addressWith = (address, parameters) => {
  const url = new URL(address);
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
  return url.href.replaceAll('%2C', ',');
};

/**
 * @param {object} embed
 * @param {object} embed.model
 * @param {object} embed.state
 * @param {{hide?: string, lock?: string}} embed.limits as the element has them
 * @param {URL} embed.site the folder that holds attention-deck.js
 * @param {string} [embed.language] where it is not the one of the sources
 * @param {'light' | 'dark'} embed.theme of the frame: as the element is now, whatever the reader's system prefers
 * @param {number} embed.column that the frame is for, in px
 * @param {number} embed.height of the frame there, in px
 * @returns {{tag: string, frame: string, link: string}}
 */
export function embedTexts({ model, state, limits, site, language, theme, column, height }) {
  const own = Object.fromEntries(Object.entries(limits).filter(([, words]) => words));
  const { state: whole, ...attributes } = attributesOf(model, state);
  const script = new URL(`attention-deck.js${language ? `?lang=${language}` : ''}`, site);
  const page = new URL(
    `${language ? `${language}/` : ''}simulators/${model.tag.replace('attn-', '')}.html`,
    site,
  );
  const inAddress = whole ? { [model.tag]: whole } : attributes;
  const bare = {
    hide: ['title', 'summary', 'foot', ...(own.hide?.split(/[\s,]+/) ?? [])].join(','),
    theme,
  };
  const frame = {
    src: addressWith(page, { ...inAddress, ...own, ...bare }),
    title: model.title,
    width: '100%',
    height: String(height),
    // reveal.js lets a frame have 95 % of a slide, which is another width than it was measured for.
    ...(column === COLUMNS[0] ? { style: 'max-width: none' } : {}),
    frameborder: '0',
    loading: 'lazy',
    allow: 'clipboard-write',
  };
  return {
    tag: `<script type="module" src="${escaped(script.href)}"></script>\n${tagText(model.tag, whole ? { state: whole, ...own } : { ...attributes, ...own })}`,
    frame: tagText('iframe', frame),
    link: addressWith(page, inAddress),
  };
}
