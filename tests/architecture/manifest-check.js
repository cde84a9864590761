/**
 * The rules of custom-elements.json, schema 2.1.0 (github.com/webcomponents/custom-elements-manifest), as far as this project's
 * files use them: which fields must be there, of which type, and what the kinds may be.
 */

const isText = (value) => typeof value === 'string';
const isFlag = (value) => typeof value === 'boolean';
const filled = (value) => isText(value) && value.length > 0;

/** The rules of an object: `name: [required, test]`. A field that no rule knows is a fault as well. */
function complain(where, object, rules) {
  if (object === null || typeof object !== 'object' || Array.isArray(object)) {
    return [`${where} is not an object`];
  }
  const complaints = [];
  for (const [name, [required, test]] of Object.entries(rules)) {
    const value = object[name];
    if (value === undefined) {
      if (required) complaints.push(`${where} has no ${name}`);
      continue;
    }
    const found = test(value, `${where}.${name}`);
    if (found === false) complaints.push(`${where}.${name} is ${JSON.stringify(value)}`);
    else if (Array.isArray(found)) complaints.push(...found);
  }
  for (const name of Object.keys(object)) {
    if (!Object.hasOwn(rules, name))
      complaints.push(`${where} has ${name}, which the schema does not know`);
  }
  return complaints;
}

const must = (test) => [true, test];
const may = (test) => [false, test];
const oneOf =
  (...values) =>
  (value) =>
    values.includes(value);
const listOf = (check) => (value, where) =>
  Array.isArray(value)
    ? value.flatMap((item, at) => check(item, `${where}[${at}]`))
    : [`${where} is not a list`];
const object = (rules) => (value, where) => complain(where, value, rules);

const TYPE = object({ text: must(filled) });
const REFERENCE = object({ name: must(filled), package: may(filled), module: may(filled) });
const words = { summary: may(isText), description: may(isText) };

const ATTRIBUTE = object({
  name: must(filled),
  ...words,
  type: may(TYPE),
  default: may(isText),
  fieldName: may(filled),
});
const EVENT = object({ name: must(filled), ...words, type: must(TYPE) });
const SLOT = object({ name: must(isText), ...words });
const PART = object({ name: must(filled), ...words });
const CSS_PROPERTY = object({
  name: must((name) => /^--[\w-]+$/.test(name)),
  ...words,
  syntax: may(filled),
  default: may(isText),
});
const PARAMETER = object({
  name: must(filled),
  ...words,
  type: may(TYPE),
  optional: may(isFlag),
  default: may(isText),
});
const FIELD = {
  kind: must(oneOf('field')),
  name: must(filled),
  ...words,
  type: may(TYPE),
  default: may(isText),
  readonly: may(isFlag),
  attribute: may(filled),
  reflects: may(isFlag),
};
const METHOD = {
  kind: must(oneOf('method')),
  name: must(filled),
  ...words,
  parameters: may(listOf(PARAMETER)),
  return: may(object({ type: may(TYPE), ...words })),
};
const MEMBER = (value, where) => complain(where, value, value?.kind === 'method' ? METHOD : FIELD);

const DECLARATION = object({
  kind: must(oneOf('class')),
  name: must(filled),
  ...words,
  customElement: must((value) => value === true),
  tagName: may((name) => /^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(name)),
  superclass: may(REFERENCE),
  attributes: may(listOf(ATTRIBUTE)),
  members: may(listOf(MEMBER)),
  events: may(listOf(EVENT)),
  slots: may(listOf(SLOT)),
  cssParts: may(listOf(PART)),
  cssStates: may(listOf(PART)),
  cssProperties: may(listOf(CSS_PROPERTY)),
});
const EXPORT = object({
  kind: must(oneOf('js', 'custom-element-definition')),
  name: must(filled),
  declaration: must(REFERENCE),
});
const MODULE = object({
  kind: must(oneOf('javascript-module')),
  path: must((path) => filled(path) && !/^[./]|^[a-z]+:/.test(path)),
  ...words,
  declarations: may(listOf(DECLARATION)),
  exports: may(listOf(EXPORT)),
});
const MANIFEST = object({
  schemaVersion: must((version) => version === '2.1.0'),
  readme: may(isText),
  modules: must(listOf(MODULE)),
});

/** What is wrong with a manifest, each in words. References must lead to what they name. */
export function manifestComplaints(manifest) {
  const complaints = MANIFEST(manifest, 'manifest');
  if (complaints.length > 0) return complaints;
  const declared = new Set(
    manifest.modules.flatMap(({ path, declarations = [] }) =>
      declarations.map(({ name }) => `${path} ${name}`),
    ),
  );
  for (const { exports = [] } of manifest.modules) {
    for (const { name, declaration } of exports) {
      if (!declared.has(`${declaration.module} ${declaration.name}`))
        complaints.push(`the export ${name} leads to ${declaration.name}, which is nowhere`);
    }
  }
  const tags = manifest.modules.flatMap(({ declarations = [] }) =>
    declarations.map(({ tagName }) => tagName),
  );
  for (const tag of tags) {
    if (tags.indexOf(tag) !== tags.lastIndexOf(tag)) complaints.push(`${tag} is there twice`);
  }
  return complaints;
}
