/** `npm run modules`: the WebAssembly modules and the vocabularies alone, for the tests of the runtime. */
import {
  modules,
  npmPackages,
  placeModules,
  provision,
  system,
  vocabularies,
} from './build-steps.mjs';
import { fail, runSteps } from './steps.mjs';

try {
  await runSteps([
    system(),
    [provision(), npmPackages()],
    ...modules(),
    placeModules(),
    vocabularies(),
  ]);
} catch (error) {
  fail(error);
}
