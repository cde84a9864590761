/** `npm start [-- --port 8000]`: from a fresh machine to the lecture on a local address. */
import { spawn } from 'node:child_process';
import { buildPlan } from './build-steps.mjs';
import { serveOptions } from './site/serve-options.mjs';
import { StepError, fail, inRoot, runSteps } from './steps.mjs';

try {
  serveOptions();
} catch ({ message }) {
  fail(new StepError(`${message}\nUse: npm start -- --port 8000`));
}
try {
  await runSteps(buildPlan());
} catch (error) {
  fail(error);
}
const server = spawn(
  process.execPath,
  [inRoot('web/build/site/serve.mjs'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.removeAllListeners(signal);
  process.on(signal, () => server.kill(signal));
}
server.on('exit', (code) => process.exit(code ?? 0));
