/** `npm run modules`: the WebAssembly modules alone, for the tests of the runtime. */
import { modules, npmPackages, placeModules, provision, system } from './build-steps.mjs';
import { fail, runSteps } from './steps.mjs';

try {
  await runSteps([system(), [provision(), npmPackages()], ...modules(), placeModules()]);
} catch (error) {
  fail(error);
}
