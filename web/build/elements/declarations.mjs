/** attention-deck.d.ts: what an editor and a type checker know of the elements. */
import * as base from './base.mjs';
import { isProperty, rangeOf } from './collect.mjs';

const json = (value) => JSON.stringify(value);
const key = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : json(name));
/** Words in a comment, which they must not end. */
const safe = (text) => text.replaceAll('*/', '* /');
const comment = (text, indent = '  ') => `${indent}/** ${safe(text)} */`;

const described = (field) =>
  [`${field.label}.`, rangeOf(field), `By default ${json(field.default)}.`]
    .filter(Boolean)
    .join(' ');

const casesOf = ({ cases }) => cases.map(({ id }) => json(id)).join(' | ');

function stateOf(element) {
  return [
    `/** The state of <${element.tag}>, as it travels in a link. */`,
    `export interface ${element.className}State {`,
    ...element.fields.flatMap((field) => [
      comment(described(field)),
      `  ${key(field.key)}: ${field.type};`,
    ]),
    '}',
  ].join('\n');
}

function classOf(element) {
  const own = element.fields.filter(({ attribute }) => attribute);
  return [
    `/** ${safe([`<${element.tag}>: ${element.title}.`, element.summary].filter(Boolean).join(' '))} */`,
    `export declare class ${element.className} extends Simulator<${element.className}State> {`,
    ...(element.cases.length > 0
      ? [
          comment('The named case that is shown, while nothing has been edited since.'),
          `  get case(): ${casesOf(element)} | undefined;`,
          `  set case(id: ${casesOf(element)} | null | undefined);`,
        ]
      : []),
    ...own.flatMap((field) => [comment(described(field)), `  ${key(field.key)}: ${field.type};`]),
    '}',
  ].join('\n');
}

/** Attributes in JSX are strings, or what React makes strings of. */
function attributesOf(element) {
  const own = element.fields.filter(({ attribute }) => attribute);
  return [
    `export interface ${element.className}Attributes extends SimulatorAttributes {`,
    ...(element.cases.length > 0 ? [`  case?: ${casesOf(element)};`] : []),
    ...own.map(
      (field) =>
        `  ${key(field.attribute)}?: ${field.kind === 'number' ? 'number | string' : field.type};`,
    ),
    '}',
  ].join('\n');
}

const parametersOf = (parameters) =>
  parameters.map(({ name, type, optional }) => `${name}${optional ? '?' : ''}: ${type}`).join(', ');

const SHARED =
  () => `/** What every simulator tells; all of it bubbles and leaves the shadow tree. */
export interface SimulatorEventMap<State> {
${base.events
  .flatMap(({ name, detail, description }) => [
    comment(description),
    `  ${name}: CustomEvent<${detail}>;`,
  ])
  .join('\n')}
}

/** What every simulator has. */
export declare class Simulator<State> extends HTMLElement {
${base.attributes
  .filter(isProperty)
  .flatMap(({ name, type, description }) => [comment(description), `  ${name}: ${type};`])
  .join('\n')}
${base.properties
  .flatMap(({ name, type, readonly, description }) => [
    comment(description),
    `  ${readonly ? 'readonly ' : ''}${name}: ${type};`,
  ])
  .join('\n')}
${base.methods
  .flatMap(({ name, parameters, returns, description }) => [
    comment(description),
    `  ${name}(${parametersOf(parameters)}): ${returns};`,
  ])
  .join('\n')}
  addEventListener<Type extends keyof SimulatorEventMap<State>>(
    type: Type,
    listener: (this: this, event: SimulatorEventMap<State>[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Type extends Exclude<keyof HTMLElementEventMap, keyof SimulatorEventMap<State>>>(
    type: Type,
    listener: (this: this, event: HTMLElementEventMap[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** Attributes that every simulator has, for JSX. */
export interface SimulatorAttributes {
${base.attributes
  .map(({ name, type }) => `  ${name}?: ${type === 'boolean' ? 'boolean | string' : type};`)
  .join('\n')}
}`;

export function declarations(elements) {
  const map = (name, valueOf, indent = '') =>
    [
      `${indent}${name} {`,
      ...elements.map((element) => `${indent}  ${json(element.tag)}: ${valueOf(element)};`),
      `${indent}}`,
    ].join('\n');
  return `${[
    '// Made by web/build/elements.mjs of the simulators’ schemas.',
    SHARED(),
    ...elements.flatMap((element) => [stateOf(element), classOf(element), attributesOf(element)]),
    [
      '/** The attributes of each element by its tag, for JSX: see react.d.ts. */',
      map('export interface AttentionDeckElements', (one) => `${one.className}Attributes`),
    ].join('\n'),
    `declare global {\n${map('interface HTMLElementTagNameMap', (one) => one.className, '  ')}\n}`,
  ].join('\n\n')}\n`;
}

/** JSX of React 19, which sets properties of custom elements and passes on their attributes. */
export const reactDeclarations =
  () => `import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { AttentionDeckElements } from './attention-deck.js';

type Elements = {
  [Tag in keyof AttentionDeckElements]: AttentionDeckElements[Tag] &
    DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement>;
};

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends Elements {}
  }
}
`;
