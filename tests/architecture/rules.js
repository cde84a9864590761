/**
 * The layer rules as functions from a file's path and text to a list of complaints, so that the tests can
 * try each of them on a file that breaks it.
 */
import { posix } from 'node:path';
import {
  importsOf,
  includesOf,
  nodesOf,
  resolveImport,
  syntaxOf,
  withoutComments,
} from './files.js';

// The C++23 library less what the core must not do: print, open files, start threads.
const STANDARD = new Set(
  `algorithm array bit bitset cassert cfloat charconv climits cmath compare complex concepts cstddef cstdint
  cstdlib cstring deque exception expected functional initializer_list iterator limits list map memory new
  numbers numeric optional queue random ranges ratio set span stack stdexcept string string_view tuple
  type_traits unordered_map unordered_set utility valarray variant vector version format`
    .split(/\s+/)
    .filter(Boolean),
);
const PRINTING =
  /^(iostream|ostream|istream|fstream|sstream|iomanip|print|cstdio|stdio\.h|syncstream)$/;
const EMSCRIPTEN = /^emscripten(\/|\.h$)|^webgpu\//;

const folderOf = (file) => {
  if (file.startsWith('src/kernels/')) return 'kernels';
  if (file.startsWith('src/')) return 'src';
  if (file.startsWith('wasm-bindings/')) return 'bindings';
  return 'other';
};

/** The file that a quoted include means, as a path from the root. */
function includedFile(file, name, exists) {
  const beside = posix.normalize(posix.join(posix.dirname(file), name));
  if (exists(beside)) return beside;
  const fromSrc = posix.join('src', name);
  if (exists(fromSrc)) return fromSrc;
  const fromBindings = posix.join('wasm-bindings', name);
  return exists(fromBindings) ? fromBindings : undefined;
}

/** Who may include whom in C++. */
export function cppComplaints(file, text, exists) {
  const layer = folderOf(file);
  const complaints = [];
  const complain = (message) => complaints.push(`${file}: ${message}`);
  for (const { name, system } of includesOf(text)) {
    if (EMSCRIPTEN.test(name)) {
      if (layer !== 'bindings') complain(`includes <${name}>; only wasm-bindings may`);
      continue;
    }
    if (layer === 'other') continue;
    if (layer !== 'bindings' && PRINTING.test(name)) {
      complain(`includes <${name}>; the core neither prints nor reads files`);
      continue;
    }
    if (system) {
      if (layer === 'bindings' || STANDARD.has(name)) continue;
      const simd = file.startsWith('src/kernels/simd/');
      if (layer === 'kernels') {
        if (simd && (name.startsWith('xsimd/') || name === 'wasm_simd128.h')) continue;
        complain(
          `includes <${name}>; kernels use the standard library${simd ? ' and xsimd' : ''} only`,
        );
      } else if (!/^(xtensor|xtl|xsimd)\//.test(name)) {
        complain(`includes <${name}>, which is neither standard nor xtensor`);
      }
      continue;
    }
    const target = includedFile(file, name, exists);
    if (target === undefined)
      complain(`includes "${name}", which is nowhere in src or wasm-bindings`);
    else if (layer === 'kernels' && !target.startsWith('src/kernels/')) {
      complain(`includes "${name}"; kernels know nothing above them`);
    } else if (layer === 'src' && !target.startsWith('src/')) {
      complain(`includes "${name}"; the core knows no other layer`);
    }
  }
  if (layer !== 'bindings' && layer !== 'other') {
    const code = withoutComments(text);
    const word = /\b(__EMSCRIPTEN__|EM_ASM|EM_JS|EMSCRIPTEN_\w+|emscripten::)/.exec(code);
    if (word) complain(`mentions ${word[1]}; the core knows nothing of the web`);
    const printing =
      /\bstd::(cout|cerr|clog|printf|puts|print|println)\b|[^:\w](printf|puts)\s*\(/.exec(code);
    if (printing) complain(`prints (${printing[0].trim()})`);
  }
  return complaints;
}

const LIT = /^(lit|@lit\/[\w-]+|lit-html)(\/|$)/;

/** Who may import whom in JavaScript. */
export function scriptComplaints(file, text) {
  const complaints = [];
  const complain = (message) => complaints.push(`${file}: ${message}`);
  const simulator = /^web\/simulators\/([^/]+)\//.exec(file)?.[1];
  const raw = /web\/runtime\/modules\//;
  for (const target of importsOf(text)) {
    if (target === undefined) {
      // A computed name could lead past any of the rules below.
      if (/^web\/(simulators|shared|deck)\//.test(file)) complain('imports a computed name');
      continue;
    }
    const to = resolveImport(file, target);
    if (raw.test(to) && !file.startsWith('web/runtime/') && !file.startsWith('web/build/')) {
      complain(`imports the raw module ${to}; only web/runtime may`);
      continue;
    }
    if (/^wasm-bindings\//.test(to) || /^src\//.test(to)) complain(`reaches into ${to}`);
    if (simulator !== undefined) {
      const own = to.startsWith(`web/simulators/${simulator}/`);
      const runtime = to === 'web/runtime/index.js';
      if (!own && !runtime && !to.startsWith('web/shared/') && !LIT.test(to)) {
        complain(
          `imports ${to}; a simulator imports web/runtime/index.js, web/shared, lit and its own folder only`,
        );
      }
      if (file.endsWith('.model.js')) {
        if (LIT.test(to)) complain(`imports ${to}; a model has no DOM`);
        if (to.endsWith('.layout.js') || to.endsWith('.view.js') || to.endsWith('.element.js')) {
          complain(`imports ${to}; a model does not know how it is drawn`);
        }
      }
    } else if (file.startsWith('web/shared/')) {
      if (/^web\/(simulators|deck|pages|build)\//.test(to))
        complain(`imports ${to}; web/shared is below it`);
      if (to.startsWith('web/runtime/') && to !== 'web/runtime/index.js') {
        complain(`imports ${to}; the runtime is reached by its index.js`);
      }
    } else if (file.startsWith('web/embed/')) {
      const light =
        /^web\/(embed\/|shared\/page-language\.js$|(runtime|simulators\/\*)\/index\.js$)/.test(to);
      if (!light) complain(`imports ${to}; a page that embeds would fetch it before it needs it`);
    } else if (file.startsWith('web/runtime/')) {
      if (to.startsWith('web/') && !to.startsWith('web/runtime/'))
        complain(`imports ${to}; the runtime is below it`);
    }
  }
  return complaints;
}

const DOM = new Set(
  `window document navigator location history customElements HTMLElement Element Node Event CustomEvent
  localStorage sessionStorage matchMedia requestAnimationFrame ResizeObserver IntersectionObserver
  MutationObserver getComputedStyle DOMParser alert fetch`.split(/\s+/),
);

/** The names of the page that a script uses as free variables. */
export function domComplaints(file, text) {
  const complaints = [];
  const tree = syntaxOf(text);
  const labels = new Set();
  for (const node of nodesOf(tree)) {
    if (node.type === 'MemberExpression' && !node.computed) labels.add(node.property);
    if ((node.type === 'Property' || node.type === 'MethodDefinition') && !node.computed) {
      if (!node.shorthand) labels.add(node.key);
    }
  }
  for (const node of nodesOf(tree)) {
    if (node.type === 'Identifier' && DOM.has(node.name) && !labels.has(node)) {
      complaints.push(`${file}:${node.loc.start.line}: uses ${node.name}; a model has no DOM`);
    }
    if (
      node.type === 'MemberExpression' &&
      node.object.type === 'Identifier' &&
      node.object.name === 'globalThis'
    ) {
      complaints.push(`${file}:${node.loc.start.line}: uses globalThis; a model has no DOM`);
    }
  }
  return complaints;
}
