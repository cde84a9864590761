/** custom-elements.json, schema 2.1.0 of the Web Components community group. */
import * as base from './base.mjs';
import { isProperty, rangeOf } from './collect.mjs';

const json = (value) => JSON.stringify(value);
const typed = (text) => ({ text });
const withoutUndefined = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

const sentence = (...parts) => parts.filter(Boolean).join(' ');
const described = (field) => sentence(`${field.label}.`, rangeOf(field));

function attributesOf({ cases, fields }) {
  const own = fields.filter(({ attribute }) => attribute);
  return [
    ...(cases.length > 0
      ? [
          {
            name: 'case',
            type: typed(cases.map(({ id }) => json(id)).join(' | ')),
            description: 'The named case that it opens with.',
            fieldName: 'case',
          },
        ]
      : []),
    ...base.attributes.map(({ name, type, description }) => ({
      name,
      type: typed(type),
      description,
      fieldName: name,
    })),
    ...own.map((field) => ({
      name: field.attribute,
      type: typed(field.type),
      default: json(field.default),
      description: described(field),
      fieldName: field.key,
    })),
  ];
}

function membersOf(element, stateName) {
  const named = (type) => typed(type.replaceAll(/\bState\b/g, stateName));
  const reflected = (name, type, description, more = {}) => ({
    kind: 'field',
    name,
    type: typed(type),
    description,
    reflects: true,
    ...more,
  });
  return [
    ...(element.cases.length > 0
      ? [
          reflected(
            'case',
            `${element.cases.map(({ id }) => json(id)).join(' | ')} | undefined`,
            'The named case that is shown, while nothing has been edited since.',
            { attribute: 'case' },
          ),
        ]
      : []),
    ...base.attributes
      .filter(isProperty)
      .map(({ name, type, description }) =>
        reflected(name, type, description, { attribute: name }),
      ),
    ...element.fields
      .filter(({ attribute }) => attribute)
      .map((field) =>
        reflected(field.key, field.type, described(field), {
          default: json(field.default),
          attribute: field.attribute,
        }),
      ),
    ...base.properties.map(({ name, type, readonly, description }) =>
      withoutUndefined({
        kind: 'field',
        name,
        type: named(type),
        readonly,
        description,
        attribute: base.attributes.find((one) => one.name === name)?.name,
      }),
    ),
    ...base.methods.map(({ name, parameters, returns, description }) => ({
      kind: 'method',
      name,
      description,
      parameters: parameters.map(({ type, ...one }) => ({ ...one, type: named(type) })),
      return: { type: named(returns) },
    })),
  ];
}

/** `module(name)` is the file that defines a simulator’s element, from where the manifest stands. */
export function manifest(elements, { module, cssProperties }) {
  const modules = new Map();
  for (const element of elements) {
    const file = module(element.name);
    const stateName = `${element.className}State`;
    const declaration = withoutUndefined({
      kind: 'class',
      name: element.className,
      customElement: true,
      tagName: element.tag,
      superclass: { name: 'HTMLElement', package: 'global:' },
      summary: element.title,
      description: element.summary,
      attributes: attributesOf(element),
      members: membersOf(element, stateName),
      events: base.events.map(({ name, detail, description }) => ({
        name,
        type: typed(`CustomEvent<${detail.replaceAll(/\bState\b/g, stateName)}>`),
        description,
      })),
      slots: base.slots,
      cssParts: base.cssParts,
      cssStates: base.cssStates,
      cssProperties,
    });
    const reference = { name: element.className, module: file };
    const entry = modules.get(file) ?? {
      kind: 'javascript-module',
      path: file,
      declarations: [],
      exports: [],
    };
    entry.declarations.push(declaration);
    entry.exports.push({
      kind: 'custom-element-definition',
      name: element.tag,
      declaration: reference,
    });
    modules.set(file, entry);
  }
  return { schemaVersion: '2.1.0', readme: '', modules: [...modules.values()] };
}
