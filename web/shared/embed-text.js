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
/** What stands around the figure in a frame of its own: the line about the lecture, and room for outlines. */
const AROUND = 64;

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
 * @param {number} embed.height of the element now, in px
 * @returns {{tag: string, frame: string, link: string}}
 */
export function embedTexts({ model, state, limits, site, language, height }) {
  const own = Object.fromEntries(Object.entries(limits).filter(([, words]) => words));
  const { state: whole, ...attributes } = attributesOf(model, state);
  const script = new URL(`attention-deck.js${language ? `?lang=${language}` : ''}`, site);
  const page = new URL(
    `${language ? `${language}/` : ''}simulators/${model.tag.replace('attn-', '')}.html`,
    site,
  );
  const inAddress = whole ? { [model.tag]: whole } : attributes;
  const bare = { hide: ['title', 'summary', ...(own.hide?.split(/[\s,]+/) ?? [])].join(',') };
  const frame = {
    src: addressWith(page, { ...inAddress, ...own, ...bare }),
    title: model.title,
    width: '100%',
    height: String(height + AROUND),
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
