/** A tag or an attribute that is nearly one of ours is told to whoever writes the page, once, in the console. Fetched when there is one. */
import { tags } from './bring.js';

/** Slips of the hand: letters that are missing, added, wrong, or two that changed places. */
function slips(one, other) {
  const rows = [];
  for (let i = 0; i <= one.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= other.length; j += 1) {
      if (i === 0) {
        rows[0].push(j);
        continue;
      }
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, rows[i - 2][j - 2] + 1);
      rows[i].push(least);
    }
  }
  return rows[one.length][other.length];
}

/**
 * The name that was probably meant: one slip for every three letters, and dashes are free.
 * @param {string} name
 * @param {string[]} names
 * @returns {string | undefined}
 */
export function nearest(name, names) {
  const bare = (text) => text.replace(/^attn-/, '').replace(/[-_]/g, '');
  const [best] = names
    .map((one) => ({ one, far: slips(bare(name), bare(one)) }))
    .sort((a, b) => a.far - b.far);
  return best && best.far <= Math.ceil(bare(best.one).length / 3) ? best.one : undefined;
}

const told = new Set();

function tell(sentence) {
  if (told.has(sentence)) return;
  told.add(sentence);
  console.warn(`attention-deck: ${sentence}`);
}

/** @param {Element} element whose tag begins as ours do */
export function tellTag({ localName }) {
  // Another's script may have brought an element of this name meanwhile.
  if (customElements.get(localName)) return;
  const meant = nearest(localName, tags);
  tell(
    `there is no element <${localName}>. ${meant ? `Did you mean <${meant}>?` : `There are ${tags.join(', ')}.`}`,
  );
}

/**
 * @param {Element} element one of ours
 * @param {string[]} odd its attributes that it does not know
 */
export function tellAttributes(element, odd) {
  for (const name of odd) {
    const meant = nearest(name, element.constructor.observedAttributes);
    if (meant) tell(`<${element.localName}> has no attribute “${name}”. Did you mean “${meant}”?`);
  }
}
