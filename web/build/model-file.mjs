/** Where the model of the tests, the recording and the benchmark lies: `npm run model` brings it. */
import { homedir } from 'node:os';
import path from 'node:path';

export const FILE = 'SmolLM2-135M-Instruct.Q4_1.gguf';

/** Of the user, outside the repository. */
export const FOLDER = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'attention-deck/model',
);

/** Where it lies, or will. */
export const MODEL = path.join(FOLDER, FILE);
