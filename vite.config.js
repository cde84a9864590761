import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (file) => fileURLToPath(new URL(file, import.meta.url));

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
        // A few files that are always wanted together are one file.
        codeSplitting: {
          groups: [
            // All that a stranger's page loads before a simulator comes near; it must not bring the rest along.
            {
              name: 'embed',
              test: /web[\\/]embed[\\/](?!attention-deck)|shared[\\/]page-language|vite[\\/]preload-helper/,
              priority: 1,
            },
            { name: 'runtime', test: /web[\\/]runtime[\\/](?!modules)|wasm-feature-detect/ },
            {
              name: 'shared',
              test: /web[\\/]shared[\\/]|node_modules[\\/](lit|lit-html|lit-element|@lit)[\\/]/,
            },
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
