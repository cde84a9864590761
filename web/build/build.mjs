/** `npm run build`: the static site in dist/, for any file server, and the single files that need none. */
import { buildPlan, singleFiles } from './build-steps.mjs';
import { fail, runSteps } from './steps.mjs';

try {
  await runSteps([...buildPlan(), singleFiles()]);
  console.log('The site is in dist/. The whole lecture in one file is dist/lecture.html.');
} catch (error) {
  fail(error);
}
