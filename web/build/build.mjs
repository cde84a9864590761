/** `npm run build`: the static site in dist/, for any file server. */
import { buildPlan } from './build-steps.mjs';
import { fail, runSteps } from './steps.mjs';

try {
  await runSteps(buildPlan());
  console.log('The site is in dist/.');
} catch (error) {
  fail(error);
}
