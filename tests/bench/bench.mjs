/**
 * `npm run bench [-- --json] [--rounds 5] [--only node|chromium|webgpu]`: the kernels beside their peers, then the speed
 * and size of the built site. `npm run bench:kernels` and `npm run bench:site` are the parts, with flags of their own.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../architecture/files.js';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
  },
});
const json = options.json ? ['--json'] : [];
const only = options.only ? ['--only', options.only] : [];

/** Runs a part; gives what it printed when that is for a machine. */
function run(script, flags) {
  const { status, stdout } = spawnSync(
    process.execPath,
    [path.join(ROOT, 'tests/bench', script), ...json, ...flags],
    {
      stdio: ['ignore', options.json ? 'pipe' : 'inherit', 'inherit'],
      maxBuffer: 2 ** 26,
      encoding: 'utf8',
    },
  );
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

const kernels = run('kernels.mjs', ['--rounds', options.rounds, ...only]);
if (!options.json) console.log();
const site = run('site.mjs', []);
if (options.json) {
  console.log(JSON.stringify({ kernels: JSON.parse(kernels), site: JSON.parse(site) }, null, 2));
}
