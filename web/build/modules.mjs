/** `npm run modules`: the WebAssembly modules, the vocabularies and the texts of other languages alone, for the tests of the runtime. */
import {
  modules,
  npmPackages,
  placeModules,
  provision,
  system,
  texts,
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
    texts(),
  ]);
} catch (error) {
  fail(error);
}
