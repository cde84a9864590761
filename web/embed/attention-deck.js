/**
 * The one script of other people's pages:
 *
 *     <script type="module" src="https://…/attention-deck.js"></script>
 *     <attn-query case="river"></attn-query>
 *
 * It looks for the tags of the simulators, also for those that are put into the page later, and fetches what a tag needs
 * when the element comes near the viewport or is printed. `attention-deck.js?lang=pt-BR` sets their language; without it they
 * speak the page's. Frames that show a page of ours are made as high as the page says that it is.
 *
 * All that it needs lies beside it and is fetched from there, whatever page asks. Loaded twice, from one address or from two, the
 * first copy does the work.
 */
import { wishFor } from '../shared/page-language.js';
import { sizeFrames } from './frames.js';
import { keepInPlace } from './place.js';
import { watch } from './watch.js';

/** So that copies from other addresses, which share nothing else, know of each other. */
const HERE = Symbol.for('attention-deck.embed');

const language = new URL(import.meta.url).searchParams.get('lang');
if (language) wishFor(language);

if (!globalThis[HERE]) {
  globalThis[HERE] = { watch };
  watch(document);
  sizeFrames();
  keepInPlace();
}

/**
 * Does the same in a shadow tree, into which a page's script does not see: `wake(host.shadowRoot)`.
 * @param {Document | ShadowRoot} root
 */
export const wake = (root) => globalThis[HERE].watch(root);

/**
 * A module of the lecture, for scripts of the page's own: the one that the simulators use. Errors have a `code` (AttentionDeckError).
 * @param {Parameters<typeof import('../runtime/index.js').load>} wanted
 */
export const load = async (...wanted) => (await import('../runtime/index.js')).load(...wanted);
