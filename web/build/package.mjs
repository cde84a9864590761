/**
 * `npm run package`: the npm package in build/package, ready for `npm pack` and `npm publish`.
 *
 * The runtime goes as it is written: its modules and vocabularies are addressed by `new URL(…, import.meta.url)`, which Node, Vite and
 * webpack understand, and whoever debugs reads our sources. The elements are put together by Vite, for their style sheets and their
 * list are Vite's own notation; the runtime stays outside of them, so that a page has it once.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { elementFiles } from './elements.mjs';
import { reactDeclarations } from './elements/declarations.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const inRoot = (...parts) => path.join(ROOT, ...parts);
const OWN = 'web/build/package';
/** A name that nothing else has, for the runtime while the elements are put together. */
const OUTSIDE = 'attention-deck-runtime-outside';

/** What is bundled, each with the text of its licence. */
const BUNDLED = [
  'lit',
  'lit-html',
  'lit-element',
  '@lit/reactive-element',
  '@lit/localize',
  'wasm-feature-detect',
];
/** Where the vocabularies come from (web/build/vocabularies.mjs). */
const VOCABULARIES = 'gpt-tokenizer';

const simulators = () =>
  readdirSync(inRoot('web/simulators'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();

/** Keeps the runtime out of the elements. */
const runtimeOutside = {
  name: 'runtime-outside',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer || !source.startsWith('.')) return undefined;
    const file = path.resolve(path.dirname(importer), source);
    return file === inRoot('web/runtime/index.js') ? { id: OUTSIDE, external: true } : undefined;
  },
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      const up = '../'.repeat(chunk.fileName.split('/').length);
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replaceAll(OUTSIDE, `${up}runtime/index.js`);
    }
  },
};

async function buildElements(folder) {
  const entries = simulators().map((name) => [name, inRoot(`web/simulators/${name}/index.js`)]);
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    publicDir: false,
    plugins: [runtimeOutside],
    build: {
      outDir: path.join(folder, 'elements'),
      emptyOutDir: true,
      lib: {
        formats: ['es'],
        entry: { index: inRoot('web/embed/attention-deck.js'), ...Object.fromEntries(entries) },
      },
      rolldownOptions: {
        checks: { pluginTimings: false },
        output: { entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
      },
    },
  });
  const left = filesBelow(path.join(folder, 'elements')).filter((file) =>
    /import\.meta\.glob\(|\.css\?inline['"]|data:application/.test(readFileSync(file, 'utf8')),
  );
  if (left.length > 0) throw new Error(`Vite’s own notation is left in ${left.join(', ')}`);
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}

/** Our sources, with the one dependency beside them. */
function copyRuntime(folder) {
  const runtime = path.join(folder, 'runtime');
  const wanted = /\.(js|mjs|wasm|bpe|maps)$|types\/.*\.d\.m?ts$/;
  const from = inRoot('web/runtime');
  for (const file of filesBelow(from).filter((name) => wanted.test(name))) {
    if (file.endsWith('.d.mts') && !file.includes(`${path.sep}types${path.sep}`)) continue;
    const to = path.join(runtime, path.relative(from, file));
    mkdirSync(path.dirname(to), { recursive: true });
    cpSync(file, to);
  }
  cpSync(
    inRoot('node_modules/wasm-feature-detect/dist/esm/index.js'),
    path.join(runtime, 'wasm-feature-detect.js'),
  );
  rewrite(path.join(runtime, 'loader.js'), `'wasm-feature-detect'`, `'./wasm-feature-detect.js'`);
  const raw = path.join(runtime, 'types/raw.d.ts');
  rewrite(raw, '../../../wasm-bindings/', '../bindings/');
  cpSync(inRoot('wasm-bindings/core.d.ts'), path.join(runtime, 'bindings/core.d.ts'));
  for (const name of ['wasm', 'mjs']) {
    const built = readdirSync(path.join(runtime, 'modules')).filter((one) => one.endsWith(name));
    if (built.length === 0) throw new Error('The modules are not built: npm run modules');
  }
}

function rewrite(file, from, to) {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} holds no ${from} any more`);
  writeFileSync(file, text.replaceAll(from, to));
}

async function writeTypes(folder) {
  const files = await elementFiles({ module: (name) => `elements/${name}.js` });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  writeFileSync(path.join(folder, 'react.d.ts'), reactDeclarations());
  cpSync(inRoot(OWN, 'index.d.ts'), path.join(folder, 'index.d.ts'));
  const { modules } = JSON.parse(files['custom-elements.json']);
  for (const { path: file, declarations } of modules) {
    writeFileSync(
      path.join(folder, file.replace(/\.js$/, '.d.ts')),
      `export { ${declarations.map(({ name }) => name).join(', ')} } from '../attention-deck.js';\n`,
    );
  }
}

function notice() {
  const texts = [...BUNDLED, VOCABULARIES].map((name) => {
    const folder = inRoot('node_modules', name);
    const { version, license } = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const words = file ? readFileSync(path.join(folder, file), 'utf8').trim() : '';
    return `## ${name} ${version}, ${license}\n\n${words}`.trim();
  });
  return `# What is bundled\n\nThe elements hold Lit, the runtime holds wasm-feature-detect, and the vocabularies are made of ${VOCABULARIES}.\n\n${texts.join('\n\n')}\n`;
}

function description() {
  const {
    version,
    description: words,
    license,
    engines,
    repository,
  } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  // Where a workflow publishes, the registry compares this with where it runs.
  const place = process.env.GITHUB_REPOSITORY;
  const known =
    repository ?? (place && { type: 'git', url: `git+https://github.com/${place}.git` });
  return {
    name: 'attention-deck',
    version,
    description: words,
    keywords: [
      ...['attention', 'transformer', 'self-attention', 'kv-cache', 'tokenizer', 'bpe', 'rope'],
      ...['teaching', 'simulation', 'custom-elements', 'web-components', 'webassembly', 'wasm'],
    ],
    license,
    ...(known ? { repository: known } : {}),
    type: 'module',
    engines,
    exports: {
      '.': {
        types: './index.d.ts',
        browser: './elements/index.js',
        node: './elements/server.js',
        default: './elements/index.js',
      },
      './runtime': { types: './runtime/types/index.d.ts', default: './runtime/index.js' },
      './elements/*': { types: './elements/*.d.ts', default: './elements/*.js' },
      './elements/index': null,
      './elements/server': null,
      './elements/shared/*': null,
      './react': { types: './react.d.ts' },
      './data/*': './data/*',
      './vocabularies/*': './runtime/vocabularies/*',
      './recordings/*': './runtime/recordings/*',
      './custom-elements.json': './custom-elements.json',
      './package.json': './package.json',
    },
    types: './index.d.ts',
    customElements: './custom-elements.json',
    sideEffects: ['./elements/*.js'],
    files: [
      ...['elements', 'runtime', 'data', '*.d.ts', 'custom-elements.json'],
      ...['CHANGELOG.md', 'NOTICE.md'],
    ],
    publishConfig: { access: 'public', provenance: true },
  };
}

/** Writes the package into a folder, which is then as `npm publish` wants it. */
export async function writePackage(to) {
  // Beside it first: a build that fails leaves the last good package.
  const folder = `${to}.fresh`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await buildElements(folder);
  cpSync(inRoot(OWN, 'server.js'), path.join(folder, 'elements/server.js'));
  copyRuntime(folder);
  await writeTypes(folder);
  for (const name of ['lecture', 'deck'])
    cpSync(inRoot(`tests/golden/${name}.json`), path.join(folder, `data/${name}.json`));
  cpSync(inRoot(OWN, 'README.md'), path.join(folder, 'README.md'));
  for (const name of ['LICENSE', 'CHANGELOG.md']) cpSync(inRoot(name), path.join(folder, name));
  writeFileSync(path.join(folder, 'NOTICE.md'), notice());
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(description(), null, 2)}\n`);
  rmSync(to, { recursive: true, force: true });
  renameSync(folder, to);
}

/** Packs it as the registry would get it. @returns {string} the tarball */
export function pack(folder, destination) {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['pack', '--json', '--offline', '--ignore-scripts', '--pack-destination', destination],
    { cwd: folder, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`npm pack: ${stderr}`);
  return path.join(destination, JSON.parse(stdout)[0].filename);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: inRoot('build/package') } },
  });
  const folder = path.resolve(values.out);
  await writePackage(folder);
  const destination = `${folder}.tarball`;
  if (!existsSync(destination)) mkdirSync(destination);
  const tarball = pack(folder, destination);
  const bytes = filesBelow(folder).reduce((sum, file) => sum + statSync(file).size, 0);
  const kilobytes = (count) => `${(count / 1000).toFixed(0)} kB`;
  console.log(
    `${path.relative(process.cwd(), tarball)}: ${kilobytes(statSync(tarball).size)}, unpacked ${kilobytes(bytes)}. Publish it from ${path.relative(process.cwd(), folder)}.`,
  );
}
