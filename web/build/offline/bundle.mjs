/**
 * The scripts of a single file: one module that imports nothing and fetches nothing. What the site reaches by an address,
 * a module of WebAssembly, a vocabulary or a recording, is asked for by its name in the file.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

const slashed = (file) => file.split(path.sep).join('/');

/** A file of the runtime by its address, as bundlers find it. */
const ADDRESS =
  /new URL\(\s*(['"])(?:\.\/)?(?:[\w-]+\/)*([\w.-]+\.(?:wasm|bpe|maps))\1,\s*import\.meta\.url\s*,?\s*\)/g;
/** Where a script came from, as what is copied into other people's pages says: a single file is no site that serves them. */
const OWN_ADDRESS = /(?<=\{ url: \w+ \} = )import\.meta(?=;)/g;
/** How the site's scripts ask for those of every simulator. */
const ALL_SIMULATORS = "import.meta.glob('../simulators/*/index.js')";
/** What Node alone imports, of a name that no bundler sees. */
const NODE_IMPORT = /await import\(\s*\/\* @vite-ignore \*\/ builtin\s*\)/g;
const GLUE = /\/runtime\/modules\/(\w+)\.(\w+)\.mjs$/;

/** One glue for all variants: they differ in the name of the bytes alone, which are handed to it. */
function sharedGlue(file, variant) {
  const [first] = VARIANTS;
  const common = file.replace(`.${variant}.mjs`, `.${first}.mjs`);
  const [own, other] = [file, common].map((one) => readFileSync(one, 'utf8'));
  if (own.replaceAll(`.${variant}.wasm`, `.${first}.wasm`) !== other)
    throw new Error(`${file} is no longer the glue of ${first} under another name`);
  return common;
}

/**
 * What is other than on the site.
 * @param {{root: string, modules: string[], simulators?: string[]}} what  `simulators`: all unless told.
 */
function single({ root, modules, simulators }) {
  const stands = (file) => path.join(root, 'web/single', file);
  /** A file of the site's scripts, and what stands in its place. */
  const instead = new Map([
    [path.join(root, 'web/deck/addresses.js'), stands('addresses.js')],
    [path.join(root, 'node_modules/wasm-feature-detect/dist/esm/index.js'), stands('features.js')],
  ]);
  for (const file of [...instead.keys(), ...instead.values()]) {
    if (!existsSync(file)) throw new Error(`there is no ${path.relative(root, file)}`);
  }
  const mine = new Set(instead.values());
  let narrowed = false;
  return {
    name: 'single-file',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      // Style sheets stand in the page already; those of shadow trees are texts of the script.
      if (source.endsWith('.css')) return '\0nothing';
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (!found) return found;
      const [, module, variant] = GLUE.exec(slashed(found.id)) ?? [];
      if (module) {
        if (!modules.includes(module) || !VARIANTS.includes(variant)) return '\0nothing';
        return sharedGlue(found.id, variant);
      }
      // What stands in the place of a file may use the file itself.
      return mine.has(importer) ? found : (instead.get(found.id) ?? found);
    },
    load: (id) => (id === '\0nothing' ? 'export default undefined;' : undefined),
    transform(code, id) {
      if (!slashed(id).includes('/web/')) return undefined;
      const own = simulators?.map((one) => `../simulators/${one}/index.js`);
      if (own && code.includes(ALL_SIMULATORS)) narrowed = true;
      return code
        .replace(ALL_SIMULATORS, own ? `import.meta.glob(${JSON.stringify(own)})` : ALL_SIMULATORS)
        .replace(ADDRESS, (_, quote, name) => `new URL(${quote}inside:${name}${quote})`)
        .replace(OWN_ADDRESS, "{ url: '' }")
        .replace(NODE_IMPORT, 'await Promise.reject()');
    },
    buildEnd(error) {
      if (!error && simulators && !narrowed)
        throw new Error(
          `nothing asks for ${ALL_SIMULATORS} any more: the file would hold them all`,
        );
    },
  };
}

/** The two that a single file holds: what the third gains is no reason for a file half as large again. */
export const VARIANTS = ['simd', 'scalar'];

/**
 * @param {{root: string, entry: string, modules: string[], simulators?: string[]}} what
 * @returns {Promise<string>} the script
 */
export async function bundle({ root, entry, modules, simulators }) {
  const { output } = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [single({ root, modules, simulators })],
    build: {
      write: false,
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: path.join(root, entry),
        output: { format: 'es', codeSplitting: false },
      },
    },
  });
  const [{ code, fileName: own, imports, dynamicImports }, ...others] = output;
  const named = [...others.map(({ fileName }) => fileName), ...imports, ...dynamicImports];
  const elsewhere = named.filter((file) => file !== own);
  if (elsewhere.length > 0) throw new Error(`${entry} is not one file: ${elsewhere.join(', ')}`);
  return code.trim();
}
