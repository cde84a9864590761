/** What the page of an element says: controls that change its attributes, and tables of all that it has. */
import * as base from '../elements/base.mjs';
import { escapeText } from './tree.mjs';

const code = (text) => `<code>${escapeText(text)}</code>`;
const json = (value) => JSON.stringify(value);
const inside = (markup) =>
  `<div class="element-table" tabindex="0" role="group" aria-label="${markup.label}"><table>${markup.table}</table></div>`;

/** A table that scrolls by itself where it is wider than the page. */
function table(label, heads, rows) {
  const head = heads.map((text) => `<th scope="col">${escapeText(text)}</th>`).join('');
  const body = rows
    .map(
      ([first, ...cells]) =>
        `<tr><th scope="row">${first}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
    )
    .join('');
  return inside({
    label: escapeText(label),
    table: `<thead><tr>${head}</tr></thead><tbody>${body}</tbody>`,
  });
}

const rangeText = ({ min, max }) => `${code(json(min))} … ${code(json(max))}`;

/** What a field may be, and in which range. */
function kindOf(field, say) {
  switch (field.kind) {
    case 'number':
      return field.integer ? say('whole number') : say('number');
    case 'choice':
      return field.options.map(code).join(', ');
    case 'text':
      return say('text');
    case 'vector':
      return say('numbers: {n}').replace('{n}', field.length);
    default:
      return say('rows of numbers: {n}').replace('{n}', `${field.rows} × ${field.columns}`);
  }
}

function rangeOf(field, say) {
  if (field.kind === 'text')
    return say('at most {n} characters').replace('{n}', code(json(field.longest)));
  return field.min === undefined ? '' : rangeText(field);
}

/** A default is shown as it would be written; of a long text its beginning. */
function defaultOf(value) {
  const text = typeof value === 'string' ? value : json(value);
  return code(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

const caseNames = (cases) => cases.map(({ id }) => code(id)).join(', ');

export function attributeTable({ cases, fields }, say) {
  const own = fields.filter(({ attribute }) => attribute);
  return table(
    say('Attributes'),
    [say('Attribute'), say('What'), say('Values'), say('Range'), say('Default')],
    [
      ...(cases.length > 0
        ? [[code('case'), say('The named case that it opens with.'), caseNames(cases), '', '']]
        : []),
      ...own.map((field) => [
        code(field.attribute),
        escapeText(field.label),
        kindOf(field, say),
        rangeOf(field, say),
        defaultOf(field.default),
      ]),
      ...base.attributes.map(({ name, type, description }) => [
        code(name),
        say(description),
        say(type === 'boolean' ? 'there or not' : 'text'),
        '',
        '',
      ]),
    ],
  );
}

export function propertyTable({ fields }, say, stateName) {
  const rest = fields.filter(({ attribute }) => !attribute);
  return [
    table(
      say('Properties'),
      [say('Property'), say('Type'), say('What')],
      base.properties.map(({ name, type, description }) => [
        code(name),
        code(type.replace(/\bState\b/, stateName)),
        say(description),
      ]),
    ),
    rest.length === 0
      ? ''
      : `<p>${say('Fields of the state that no attribute carries:')}</p>${table(
          say('Fields of the state that no attribute carries:'),
          [say('Field'), say('What'), say('Values'), say('Range'), say('Default')],
          rest.map((field) => [
            code(field.key),
            escapeText(field.label),
            kindOf(field, say),
            rangeOf(field, say),
            defaultOf(field.default),
          ]),
        )}`,
  ].join('\n');
}

export const methodTable = (say, stateName) =>
  table(
    say('Methods'),
    [say('Method'), say('Answers'), say('What')],
    base.methods.map(({ name, parameters, returns, description }) => [
      code(`${name}(${parameters.map((one) => one.name).join(', ')})`),
      code(returns.replace(/\bState\b/, stateName)),
      say(description),
    ]),
  );

export const eventTable = (say, stateName) =>
  table(
    say('Events'),
    [say('Event'), 'detail', say('When')],
    base.events.map(({ name, detail, description }) => [
      code(name),
      code(detail.replace(/\bState\b/, stateName)),
      say(description),
    ]),
  );

export const partTable = (say) =>
  table(
    say('Parts'),
    [say('Part'), say('What')],
    base.cssParts.map(({ name, description }) => [code(`::part(${name})`), say(description)]),
  );

export const stateTable = (say) =>
  table(
    say('States'),
    [say('State'), say('What')],
    base.cssStates.map(({ name, description }) => [code(`:state(${name})`), say(description)]),
  );

export const cssPropertyTable = (say, properties) =>
  table(
    say('Custom properties'),
    [say('Custom property'), say('Default'), say('What')],
    properties.map(({ name, default: value, description }) => [
      code(name),
      code(value),
      say(description),
    ]),
  );

export const slotTable = (say) =>
  table(
    say('Slots'),
    [say('Slot'), say('What')],
    base.slots.map(({ name, description }) => [
      name ? code(name) : say('without a name'),
      say(description),
    ]),
  );

const FIRST = 9;

/** A control for one attribute; its label is the attribute, its title what it is called in the simulator. */
function control(attribute, inner, title = '') {
  return `<label title="${escapeText(title)}"><span>${code(attribute)}</span>${inner(`data-attribute="${attribute}" disabled`)}</label>`;
}

const options = (list, chosen) =>
  list
    .map(
      ([value, text]) =>
        `<option value="${escapeText(value)}"${value === chosen ? ' selected' : ''}>${escapeText(text)}</option>`,
    )
    .join('');

function fieldControl(field) {
  const { attribute, kind, label } = field;
  if (kind === 'choice') {
    const list = field.options.map((one) => [one, one]);
    return control(
      attribute,
      (own) => `<select ${own}>${options(list, field.default)}</select>`,
      label,
    );
  }
  if (kind === 'number') {
    const step = field.integer ? '1' : 'any';
    return control(
      attribute,
      (own) =>
        `<input type="number" ${own} min="${field.min}" max="${field.max}" step="${step}" value="${field.default}" />`,
      label,
    );
  }
  return control(
    attribute,
    (own) =>
      `<input type="text" ${own} maxlength="${field.longest}" value="${escapeText(field.default)}" />`,
    label,
  );
}

/** Controls for all attributes; of many, all but the first ones are folded away. */
export function controls({ cases, fields }, say) {
  const list = [
    ...(cases.length > 0
      ? [
          control(
            'case',
            (own) =>
              `<select ${own}>${options([['', '–'], ...cases.map(({ id, label }) => [id, `${id}: ${label}`])], '')}</select>`,
          ),
        ]
      : []),
    ...fields.filter(({ attribute }) => attribute).map(fieldControl),
    ...['hide', 'lock'].map((name) =>
      control(name, (own) => `<input type="text" ${own} value="" autocomplete="off" />`),
    ),
  ];
  const shown = list.slice(0, FIRST).join('');
  const more = list.slice(FIRST).join('');
  const folded = more
    ? `<details class="element-more"><summary>${say('More attributes')}</summary><div class="element-fields">${more}</div></details>`
    : '';
  return `<div class="element-fields">${shown}</div>${folded}`;
}

/** One line for each element, with what it is. */
export const list = (elements) =>
  elements
    .map(
      ({ name, tag, title, summary }) =>
        `<li><a href="${name}.html">${escapeText(title)}</a> ${code(`<${tag}>`)}${summary ? `<span>${escapeText(summary)}</span>` : ''}</li>`,
    )
    .join('');
