/** The libraries that a benchmark compares us with: installed by it alone, at its versions, outside the repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Installs packages into the user's cache folder, unless they are there. No script of theirs runs.
 * @param {string} benchmark  The name of the folder.
 * @param {Record<string, string>} versions
 * @returns {string} The folder that holds their node_modules.
 */
export function installPeers(benchmark, versions, say) {
  const cache = path.join(
    process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'),
    'attention-deck',
    benchmark,
  );
  const wanted = JSON.stringify({ private: true, type: 'module', dependencies: versions });
  const mark = path.join(cache, 'installed.json');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return cache;
  say(`Installing the peers into ${cache}`);
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  writeFileSync(path.join(cache, 'package.json'), wanted);
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: cache,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(mark, wanted);
  return cache;
}
