import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (file) => fileURLToPath(new URL(file, import.meta.url));

/** What every module of the runtime needs; the face of each comes with it. */
const RUNTIME =
  'cache-options errors facade handle heads-options index instance instantiate loader mask-options options';

/** What every simulator needs, or is so small that a request would cost more. */
const SHARED =
  'bar controls embed-site export figure file-drop flash frame history host-colours host-page language limits mark ' +
  'measure-button measurement number opening permalink pick player radio-name schema scheme simulator steps-table transport wanted working';

/** What several simulators need, and others have no use for. */
const TOPICS = {
  plots: 'last-of line-plot log-plot',
  texts: 'list piece-text pieces text-field',
  matrices: 'heads matrix-table',
  scores: 'histogram scaling',
};

/** Scripts and sheets of a folder, by their names, and what else belongs to them. */
function inFolder(folder, names, others) {
  const ours = new RegExp(`/${folder}/(${names.replaceAll(' ', '|')})\\.(js|css)(\\?|$)`);
  return (id) => ours.test(id.replaceAll('\\', '/')) || (others?.test(id) ?? false);
}

/**
 * Scripts and styles only: the pages are put together by web/build/site/build.mjs, which calls this and
 * fills in where the result goes.
 */
export default defineConfig({
  // Relative addresses, so that the site works in any folder of any server.
  base: './',
  publicDir: false,
  resolve: {
    alias: {
      // Written by the site's build before bundling starts.
      '#formulas.css': at('build/site/formulas.css'),
      '#reveal.css': at('build/site/reveal.css'),
    },
  },
  // Workers import the runtime, which fetches each build of a module by itself.
  worker: { format: 'es' },
  build: {
    manifest: true,
    emptyOutDir: true,
    // A file turned into a data: address is a file that the content policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The names tell a reader of the network panel, and the size check, what each file is.
    rolldownOptions: {
      // How long each plugin took is no news to who builds the lecture.
      checks: { pluginTimings: false },
      input: [
        'web/deck/main.js',
        'web/embed/attention-deck.js',
        'web/deck/speaker.js',
        'web/pages/simulator.js',
        'web/pages/element.js',
        'web/pages/read.js',
        'web/pages/bench.js',
        'web/pages/model.js',
        'web/pages/recipes.js',
        'web/lab/lab.js',
      ].filter((file) => existsSync(at(file))),
      // What attention-deck.js exports is for scripts of the pages that load it.
      preserveEntrySignatures: 'exports-only',
      output: {
        // The one script that other people's pages name keeps its name.
        entryFileNames: ({ name }) =>
          name === 'attention-deck' ? '[name].js' : 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
        // Files that are always wanted together are one file; what one simulator alone has comes with it. What every
        // simulator needs is `shared`; a topic that several have, and that others have no use for, is a file of its own.
        codeSplitting: {
          groups: [
            // All that a stranger's page loads before a simulator comes near; it must not bring the rest along.
            {
              name: 'embed',
              test: /web[\\/]embed[\\/](?!attention-deck|misspelt)|shared[\\/]page-language|vite[\\/]preload-helper/,
              priority: 1,
            },
            { name: 'runtime', test: inFolder('web/runtime', RUNTIME, /wasm-feature-detect/) },
            {
              name: 'shared',
              test: inFolder(
                'web/shared',
                SHARED,
                /node_modules[\\/](lit|lit-html|lit-element|@lit)[\\/]/,
              ),
            },
            ...Object.entries(TOPICS).map(([name, files]) => ({
              name,
              test: inFolder('web/shared', files),
            })),
            {
              name: 'page',
              test: /web[\\/]deck[\\/](theme|keys|channel|simulators|lab-progress)\.js|web[\\/]lab[\\/]progress\.js|web[\\/]offline[\\/]keep\.js/,
            },
          ],
        },
      },
    },
  },
});
