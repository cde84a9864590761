/**
 * Makes the pages that the recipes' test opens, with the real tools: `node tests/browser/hosts/make.mjs [HOST …]`. Nobody
 * else needs the tools: what they made is kept in `output`. They are looked for on the PATH; README.md says which.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SITE } from '../../../web/pages/embed/recipes.js';

const HERE = path.dirname(fileURLToPath(import.meta.url));

const read = (file) => readFileSync(file, 'utf8');
const run = (command, parameters, cwd) =>
  execFileSync(command, parameters, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });

/** A copy of a host's sources, in a folder where a tool may write what it likes. */
function copyOf(host) {
  const folder = mkdtempSync(path.join(tmpdir(), `attention-${host}-`));
  cpSync(path.join(HERE, host), folder, {
    recursive: true,
    filter: (file) => path.basename(file) !== 'output',
  });
  return folder;
}

/** Nothing may be fetched from elsewhere: neither when the page is tested nor when it is read. */
function withoutRemote(html) {
  return html
    .replace(/<script[^>]*\ssrc="https?:\/\/(?!attention\.example)[^>]*>\s*<\/script>/g, '')
    .replace(/<link[^>]*\shref="https?:\/\/(?!course\.example)[^>]*>/g, '');
}

const hosts = {
  marp(folder, output) {
    run('marp', ['--html', 'deck.md', '-o', path.join(output, 'deck.html')], folder);
  },

  /** Beside the slides themselves Slidev builds rooms that nobody enters here: presenter, overview, notes, code. */
  slidev(folder, output) {
    const { SLIDEV } = process.env;
    symlinkSync(path.join(SLIDEV, 'node_modules'), path.join(folder, 'node_modules'));
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    const cli = path.join(SLIDEV, 'node_modules/.bin/slidev');
    run(cli, ['build', '--base', './', '--out', output, 'slides.md'], folder);
    const unused =
      /^(404|logo|presenter|overview|notes|entry|NoteDisplay|NoteEditable|TimerBar|file-saver)[-.]/;
    for (const file of readdirSync(output, { recursive: true })) {
      if (unused.test(path.basename(file))) rmSync(path.join(output, file));
    }
    for (const file of ['404.html', '_redirects']) rmSync(path.join(output, file), { force: true });
  },

  mkdocs(folder, output) {
    run('mkdocs', ['build', '--quiet', '--site-dir', output], folder);
    const kept =
      /(^|\/)(index\.html|query\.html|sitemap\.xml|main\.\w+\.min\.css|bundle\.\w+\.min\.js|favicon\.png)$/;
    for (const entry of readdirSync(output, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isFile() && !kept.test(file)) rmSync(file);
    }
    dropEmpty(output);
  },

  /** The notebook as nbconvert publishes it, less its style sheets and what it fetches from elsewhere. */
  jupyter(folder, output) {
    run(
      'jupyter',
      ['nbconvert', '--execute', '--to', 'notebook', '--inplace', 'query.ipynb'],
      folder,
    );
    cpSync(path.join(folder, 'query.ipynb'), path.join(output, 'query.ipynb'));
    run('jupyter', ['nbconvert', '--to', 'html', 'query.ipynb'], folder);
    const html = withoutRemote(read(path.join(folder, 'query.html')));
    const bare = html
      .replace(/<style[\s\S]*?<\/style>/g, '')
      .replace(/<script type="text\/x-mathjax-config">[\s\S]*?<\/script>/g, '')
      .replace(/<!-- (Load|MathJax|End of)[\s\S]*?-->/g, '')
      .replace(/<script type="module">[\s\S]*?mermaid[\s\S]*?<\/script>/, '');
    writeFileSync(path.join(output, 'query.html'), bare);
    bundleLab(folder, output);
  },

  /** Quarto turns its settings into these, and pandoc makes the page. */
  quarto(folder, output) {
    const [, header] = /include-in-header:\n {2}text: \|\n((?: {4}.*\n)+)/.exec(
      read(path.join(folder, 'deck.qmd')),
    );
    writeFileSync(path.join(folder, 'header.html'), header.replace(/^ {4}/gm, ''));
    const pandoc = (from, to, more) =>
      run(
        'pandoc',
        ['-s', '-f', 'markdown', '-H', 'header.html', from, ...more, '-o', path.join(output, to)],
        folder,
      );
    const settings = { width: 1050, height: 700, margin: 0.1, center: false, transition: 'none' };
    pandoc('deck.qmd', 'deck.html', [
      ...['-t', 'revealjs', '--slide-level=2', '-V', 'revealjs-url=/reveal'],
      ...Object.entries(settings).flatMap(([name, value]) => ['-V', `${name}=${value}`]),
    ]);
    pandoc('page.qmd', 'page.html', ['-t', 'html']);
  },
};

/**
 * JupyterLab's renderer and its command registry in one file (lab/page.js says what for); what talks to a server is left out.
 */
function bundleLab(folder, output) {
  const { JUPYTERLAB } = process.env;
  const modules = path.join(JUPYTERLAB, 'node_modules');
  symlinkSync(modules, path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'nothing.cjs'), 'module.exports = {};');
  run(
    path.join(modules, '.bin/esbuild'),
    [
      'lab/page.js',
      `--outfile=${path.join(output, 'jupyterlab.js')}`,
      ...['--bundle', '--format=esm', '--minify', '--legal-comments=inline'],
      ...['--loader:.svg=text', '--loader:.css=empty'],
      `--alias:@jupyterlab/services=${path.join(folder, 'nothing.cjs')}`,
    ],
    folder,
  );
}

function dropEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) dropEmpty(path.join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}

const wanted = process.argv.slice(2);
for (const [host, make] of Object.entries(hosts)) {
  if (wanted.length > 0 && !wanted.includes(host)) continue;
  const output = path.join(HERE, host, 'output');
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output);
  const folder = copyOf(host);
  make(folder, output);
  rmSync(folder, { recursive: true, force: true });
  console.log(`${host}: made for ${SITE}`);
}
