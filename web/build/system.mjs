/** What has to come from the operating system: programs that are looked for, named and, on Debian as root, installed. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { StepError, execute } from './steps.mjs';

/** Which package brings which program. */
const BUILD = {
  python3: 'python3',
  cmake: 'cmake',
  ninja: 'ninja-build',
  'g++': 'g++',
  npm: 'npm',
};
const BROWSERS = {
  chromium: 'chromium',
  'firefox-esr': 'firefox-esr',
  WebKitWebDriver: 'webkit2gtk-driver',
  'xvfb-run': 'xvfb',
  xauth: 'xauth',
  // No program: the library with which the tests run the lab's notebook.
  numpy: 'python3-numpy',
};

/** What the tests are quicker with; elsewhere they do with Chromium itself. */
const ON_DEBIAN = { 'chromium-headless-shell': 'chromium-headless-shell' };

/**
 * A Python that has NumPy, for the lab's notebook: the one on the PATH may be another than the system's, whose package
 * brings it.
 * @returns {string | undefined}
 */
export const pythonWithNumpy = () =>
  ['python3', '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', 'import numpy'], { stdio: 'ignore' }).status === 0,
  );

function onPath(program) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const isThere = (name) => (name === 'numpy' ? pythonWithNumpy() !== undefined : onPath(name));

function isDebian() {
  return existsSync('/etc/debian_version') && onPath('apt-get');
}

/**
 * Makes sure that the programs are there.
 * @param {{browsers?: boolean}} options
 * @param {(line: string) => void} say
 */
export async function systemPackages({ browsers = false }, say) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new StepError(`Node ${process.versions.node} is too old: install Node 20.19 or newer.`);
  }
  const wanted = {
    ...BUILD,
    ...(browsers ? BROWSERS : {}),
    ...(browsers && isDebian() ? ON_DEBIAN : {}),
  };
  const missing = () => Object.keys(wanted).filter((program) => !isThere(program));
  const absent = missing();
  if (absent.length === 0) return undefined;

  const packages = [...new Set(absent.map((program) => wanted[program]))];
  const command = `apt-get install --no-install-recommends ${packages.join(' ')}`;
  const needed = `These programs are missing: ${absent.join(', ')}.`;
  if (!isDebian()) {
    throw new StepError(
      `${needed} Install them; Debian's packages are named ${packages.join(', ')}.`,
    );
  }
  if (process.getuid?.() !== 0)
    throw new StepError(`${needed} Install them with:\n  sudo ${command}`);

  const options = {
    log: 'system',
    append: true,
    onLine: say,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  };
  say(command);
  await execute('apt-get', ['update', '-q'], options);
  await execute(
    'apt-get',
    ['install', '-q', '-y', '--no-install-recommends', ...packages],
    options,
  );
  const still = missing();
  if (still.length > 0) {
    const release = readFileSync('/etc/debian_version', 'utf8').trim();
    throw new StepError(
      `Debian ${release} installed ${packages.join(' ')}, yet ${still.join(', ')} is not there.`,
    );
  }
  return `installed ${packages.join(', ')}`;
}
