/**
 * `npm run recall`: trains the models of the recall task (tests/native/recall/write_numbers.cpp) and writes
 * src/efficient/recall_numbers.cpp. Minutes on one core; never part of a start or a test. On the machine that wrote the file
 * it writes the same again; on another the last digits of exponentials may round a number to the level beside.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function run(command, parameters, options) {
  const { status, error, stdout } = spawnSync(command, parameters, {
    cwd: ROOT,
    stdio: 'inherit',
    ...options,
  });
  if (status !== 0) throw new Error(error?.message ?? `${command} ended with code ${status}.`);
  return stdout;
}

run('cmake', ['--preset', 'native-release']);
run('cmake', ['--build', '--preset', 'native-release', '--target', 'attn_recall_numbers']);
const program = path.join(ROOT, 'build/native-release/tests/native/attn_recall_numbers');
const numbers = run(program, [], { stdio: ['ignore', 'pipe', 'inherit'] });
writeFileSync(path.join(ROOT, 'src/efficient/recall_numbers.cpp'), numbers);
