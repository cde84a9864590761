/**
 * `npm run fuzz [-- --minutes 10] [--only packed]`: throws damaged files at the readers of vocabularies, of
 * configurations, of GGUF headers and of models, with libFuzzer and the address and undefined-behaviour sanitizers, and
 * shares the minutes among them. Exit code 1 on a finding.
 *
 * clang comes from the same private packages as Emscripten's (cmake/provision.py, part `fuzz`). What the fuzzer
 * learnt stays in the user's cache folder, so that the next run goes on from there.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { constants, cpus, homedir, setPriority } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HERE = path.join(ROOT, 'tests/fuzz');
const BUILD = path.join(ROOT, 'build/fuzz');
const READERS = [
  ...['packed', 'tiktoken', 'tokenizer_json', 'config_json', 'gguf_header'],
  ...['model_gguf', 'model_safetensors'],
];
const LONGEST_FILE = 16_384;
const SHOW_EVERY_MS = 15_000;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, only: { type: 'string' } },
});
const minutes = Number(values.minutes);
const readers =
  values.only === undefined ? READERS : READERS.filter((name) => name === values.only);
if (!(minutes > 0) || readers.length === 0) {
  console.error(`--minutes must be above 0, and --only one of ${READERS.join(', ')}.`);
  process.exit(2);
}

const cache = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'attention-deck/fuzz',
);
const findings = path.join(cache, 'findings');
const number = new Intl.NumberFormat('en-GB');

// Inherited by all that is started from here.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

let child;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    child?.kill('SIGTERM');
    process.exit(130);
  });
}

/** Runs a command; what it printed is shown only if it fails. */
function quietly(command, parameters) {
  const { status, stdout, error } = spawnSync(command, parameters, {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status === 0) return stdout;
  console.error(stdout ?? error?.message);
  return process.exit(2);
}

function build() {
  const clang = JSON.parse(
    quietly('python3', [
      path.join(ROOT, 'cmake/provision.py'),
      ...'--for fuzz --format json'.split(' '),
    ]),
  );
  const link = [
    '-fuse-ld=lld',
    // The runtime is for the C library beside the compiler, which may be newer than this machine's.
    `-Wl,--dynamic-linker=${clang.clang_loader}`,
    `-Wl,--disable-new-dtags,-rpath,${clang.clang_libraries}`,
  ].join(' ');
  quietly('cmake', [
    ...['-S', HERE, '-B', BUILD, '-G', 'Ninja', '-Wno-dev'],
    `-DCMAKE_CXX_COMPILER=${clang.clang}`,
    `-DCMAKE_SYSROOT=${clang.clang_root}`,
    `-DCMAKE_EXE_LINKER_FLAGS=${link}`,
  ]);
  quietly('cmake', ['--build', BUILD, '-j', String(Math.min(2, cpus().length))]);
  return clang;
}

/** Runs one reader's fuzzer; what it did, and its file if it found one. */
async function fuzz(reader, seconds, symbolizer) {
  const corpus = path.join(cache, reader);
  const artifacts = path.join(findings, `${reader}-`);
  mkdirSync(corpus, { recursive: true });
  const dictionary = readdirSync(HERE).includes(`${reader}.dict`)
    ? [`-dict=${path.join(HERE, `${reader}.dict`)}`]
    : [];
  const known = new Set(readdirSync(findings));
  child = spawn(
    path.join(BUILD, `fuzz_${reader}`),
    [
      ...[
        `-max_total_time=${seconds}`,
        `-max_len=${LONGEST_FILE}`,
        '-timeout=20',
        '-rss_limit_mb=2048',
      ],
      ...['-print_final_stats=1', `-artifact_prefix=${artifacts}`, ...dictionary],
      ...[corpus, path.join(cache, 'seeds', reader)],
    ],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        ASAN_SYMBOLIZER_PATH: symbolizer,
        UBSAN_OPTIONS: 'print_stacktrace=1',
      },
    },
  );
  const done = { reader, runs: 0, perSecond: 0, edges: 0, files: 0, finding: null };
  const report = [];
  let shown = Date.now();
  for await (const line of createInterface({ input: child.stderr })) {
    const status = /^#(\d+)\s.*cov: (\d+).*corp: (\d+).*exec\/s: (\d+)/.exec(line);
    const final = /^stat::(\w+):\s+(\d+)/.exec(line);
    if (status) {
      [done.runs, done.edges, done.files, done.perSecond] = status.slice(1).map(Number);
      if (Date.now() - shown >= SHOW_EVERY_MS) {
        shown = Date.now();
        console.log(
          `  ${reader}: ${number.format(done.runs)} runs, ${number.format(done.perSecond)}/s, ${done.edges} edges`,
        );
      }
    } else if (final) {
      if (final[1] === 'number_of_executed_units') done.runs = Number(final[2]);
      if (final[1] === 'average_exec_per_sec') done.perSecond = Number(final[2]);
    } else if (!/^(INFO|Done|#|\t*NEW_FUNC|"|stat::|\s*$)/.test(line)) {
      report.push(line);
    }
  }
  const code = await new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode ?? 1);
    else child.once('exit', (exit) => resolve(exit ?? 1));
  });
  child = undefined;
  if (code !== 0) {
    const file = readdirSync(findings).find((name) => !known.has(name));
    done.finding = file ? path.join(findings, file) : `exit code ${code}`;
    console.log(report.slice(0, 60).join('\n'));
  }
  return done;
}

const clang = build();
mkdirSync(findings, { recursive: true });
const seeds = path.join(cache, 'seeds');
rmSync(seeds, { recursive: true, force: true });
quietly(path.join(BUILD, 'fuzz_seeds'), [seeds]);
cpSync(path.join(ROOT, 'tests/golden/configs'), path.join(seeds, 'config_json'), {
  recursive: true,
});

const seconds = Math.max(1, Math.round((minutes * 60) / readers.length));
const results = [];
for (const reader of readers) {
  console.log(`${reader}, ${seconds} s`);
  results.push(await fuzz(reader, seconds, clang.clang_symbolizer));
}

for (const { reader, runs, perSecond, edges, files, finding } of results) {
  console.log(
    `${reader}: ${number.format(runs)} runs, ${number.format(perSecond)}/s, ${edges} edges covered by ${files} files, ` +
      (finding ? `finding: ${finding}` : 'no finding'),
  );
}
process.exitCode = results.some(({ finding }) => finding) ? 1 : 0;
