/**
 * `npm run lint`: formatting and linting of C++, JavaScript, CSS and HTML. `npm run format` puts right what a
 * tool can put right by itself.
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { provision, toolchain } from './build-steps.mjs';
import { capture, inRoot, tail } from './steps.mjs';

/** Files that git knows or would take up, by how their names end. */
function files(...endings) {
  const patterns = endings.map((ending) => `*${ending}`);
  const listed = execFileSync(
    'git',
    [
      'ls-files',
      '-z',
      '--cached',
      '--others',
      '--exclude-standard',
      '--deduplicate',
      '--',
      ...patterns,
      // What other people's tools made (tests/browser/hosts).
      ':(exclude)tests/browser/hosts/*/output/*',
    ],
    { cwd: inRoot(), encoding: 'utf8' },
  );
  const gone = execFileSync('git', ['ls-files', '-z', '--deleted'], {
    cwd: inRoot(),
    encoding: 'utf8',
  });
  const absent = new Set(gone.split('\0'));
  return listed.split('\0').filter((name) => name && !absent.has(name));
}

const module = (file, ...parameters) => [
  process.execPath,
  inRoot('node_modules', file),
  ...parameters,
];

/** The command of each tool. */
const tools = (fix) => ({
  'clang-format': [
    toolchain.clang_format,
    ...(fix ? ['-i'] : ['--dry-run', '-Werror']),
    ...files('.cpp', '.hpp'),
  ],
  eslint: module('eslint/bin/eslint.js', '--max-warnings=0', ...(fix ? ['--fix'] : []), '.'),
  prettier: module(
    'prettier/bin/prettier.cjs',
    '--log-level=warn',
    fix ? '--write' : '--check',
    ...files('.js', '.mjs', '.css', '.html', '.json', '.yml'),
  ),
  stylelint: module('stylelint/bin/stylelint.mjs', ...(fix ? ['--fix'] : []), ...files('.css')),
  'html-validate': module(
    'html-validate/bin/html-validate.mjs',
    // The pages of other people's tools are as those tools want them.
    ...files('.html').filter((name) => !name.startsWith('tests/browser/hosts/')),
  ),
});

/**
 * @param {{fix?: boolean, say?: (line: string) => void}} [options]
 * @returns {Promise<{passed: number, failed: number, note: string}>}
 */
export async function lint({ fix = false, say = console.log } = {}) {
  await provision(['format']).run(say);
  const waiting = Object.entries(tools(fix));
  const failures = [];
  let passed = 0;
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, [command, ...parameters]] = next;
      const { code, output } = await capture(command, parameters, { log: `lint-${name}` });
      if (code === 0) passed += 1;
      else failures.push(`${name}:\n${tail(output)}`);
      say(`${name}: ${code === 0 ? 'clean' : 'not clean'}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, worker));
  return { passed, failed: failures.length, note: failures.join('\n\n') };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { failed, note } = await lint({ fix: process.argv.includes('--fix') });
  if (failed > 0) console.error(`\n${note}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
