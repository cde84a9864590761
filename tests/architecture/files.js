/** The repository as the architecture tests see it: its files, and who imports or includes whom. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'espree';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const SKIPPED = new Set(['node_modules', 'build', 'dist', '.git', 'modules', 'generated']);

/** All files below a folder, as paths from the root with forward slashes, in order. */
export function filesBelow(folder, root = ROOT) {
  let entries;
  try {
    entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return entries
    .flatMap((entry) => {
      const name = path.posix.join(folder, entry.name);
      // `web/build` is source; a folder named build anywhere else is output.
      if (entry.isDirectory() && SKIPPED.has(entry.name) && name !== 'web/build') return [];
      return entry.isDirectory() ? filesBelow(name, root) : [name];
    })
    .sort();
}

export const read = (file, root = ROOT) => readFileSync(path.join(root, file), 'utf8');

export const isCpp = (file) => /\.(hpp|cpp|h|cc|hh|inc)$/.test(file);
export const isScript = (file) => /\.m?js$/.test(file);

/** C++ text without comments and string contents, so that nothing in them reads as code. */
export function withoutComments(text) {
  return text.replace(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|R"([^(\s]*)\([\s\S]*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'/g,
    (match, _tag, offset) => {
      if (match.startsWith('/')) return match.replace(/[^\n]/g, ' ');
      const line = text.slice(text.lastIndexOf('\n', offset) + 1, offset);
      return /^\s*#\s*include\s*$/.test(line) ? match : `""${match.replace(/[^\n]/g, '')}`;
    },
  );
}

/** The includes of a C++ text: `{name, system}` for each. */
export function includesOf(text) {
  return [...withoutComments(text).matchAll(/^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")/gm)].map(
    ([, system, local]) => ({ name: system ?? local, system: system !== undefined }),
  );
}

/** Every syntax node of a parsed script. */
export function* nodesOf(node) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const child of node) yield* nodesOf(child);
    return;
  }
  if (typeof node.type === 'string') yield node;
  for (const [key, child] of Object.entries(node)) {
    if (key !== 'parent' && child !== null && typeof child === 'object') yield* nodesOf(child);
  }
}

export const syntaxOf = (text) =>
  parse(text, { ecmaVersion: 'latest', sourceType: 'module', loc: true });

/**
 * What a script names as another file: imports, re-exports, `import()`, `new URL(…, import.meta.url)`,
 * `import.meta.glob`. An `import()` whose target is computed comes back as undefined.
 */
export function importsOf(text) {
  const found = [];
  const constant = (node) => {
    if (node?.type === 'Literal') return node.value;
    if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) {
      return node.quasis[0].value.cooked;
    }
    return undefined;
  };
  for (const node of nodesOf(syntaxOf(text))) {
    if (
      node.type === 'ImportDeclaration' ||
      node.type === 'ExportAllDeclaration' ||
      (node.type === 'ExportNamedDeclaration' && node.source)
    ) {
      found.push(node.source.value);
    } else if (node.type === 'ImportExpression') {
      found.push(constant(node.source));
    } else if (node.type === 'NewExpression' && node.callee.name === 'URL') {
      const [target, base] = node.arguments;
      const meta = base?.type === 'MemberExpression' && base.object.type === 'MetaProperty';
      if (meta) found.push(constant(target));
    } else if (
      node.type === 'CallExpression' &&
      node.callee.type === 'MemberExpression' &&
      node.callee.object.type === 'MetaProperty' &&
      node.callee.property.name === 'glob'
    ) {
      found.push(constant(node.arguments[0]));
    }
  }
  return found;
}

/** Where a relative import of a file leads, as a path from the root; a bare name stays as it is. */
export function resolveImport(file, target) {
  if (!target.startsWith('.')) return target;
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), target.split('?')[0]));
}
