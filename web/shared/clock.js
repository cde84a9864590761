/**
 * One pair of numbers of a query and of a key, as the two hands of a clock: the first number points up, the second to
 * the right, so that a growing position turns the hand as clocks turn. A hand can be dragged round and answers the keys
 * of a slider. Hands differ by their letter and by what stands at their tip, not by colour alone.
 */
import { html, nothing, svg } from 'lit';
import { canChange } from './limits.js';

const RIM = 92;
/** The longest hand of all clocks ends here. */
const LONGEST = 75;
const KNOB = 14;
const SECTOR = 40;
const FULL = 2 * Math.PI;

const place = (number) => Number(number.toFixed(2));

/** Where a pair lies on the face. */
const tipOf = ([first, second], reach) => {
  const unit = reach > 0 ? LONGEST / reach : 0;
  return [place(second * unit), place(-first * unit)];
};

/** Radians from straight up, as clocks go. */
const angleOf = ([first, second]) => Math.atan2(second, first);

const TICKS = Array.from({ length: 12 }, (_, i) => {
  const [sine, cosine] = [Math.sin((i * FULL) / 12), -Math.cos((i * FULL) / 12)];
  const inner = i % 3 === 0 ? RIM - 12 : RIM - 7;
  return svg`<path class=${i % 3 === 0 ? 'clock-tick clock-quarter' : 'clock-tick'}
    d="M${place(inner * sine)} ${place(inner * cosine)}L${place((RIM - 2) * sine)} ${place((RIM - 2) * cosine)}"></path>`;
});

/** The angle between the hands, the shorter way. */
function sector(query, key, sign) {
  const [from, to] = [angleOf(key), angleOf(query)];
  const turn = ((to - from + 3 * Math.PI) % FULL) - Math.PI;
  const at = (angle) => `${place(SECTOR * Math.sin(angle))} ${place(-SECTOR * Math.cos(angle))}`;
  return svg`<path class="clock-sector clock-${sign}"
    d="M0 0L${at(from)}A${SECTOR} ${SECTOR} 0 0 ${turn > 0 ? 1 : 0} ${at(to)}Z"></path>`;
}

/** A hand under way: where the pointer was last, and by how much it has turned in all. */
const drags = new WeakMap();

function pointerAngle(event) {
  const box = event.currentTarget.ownerSVGElement.getBoundingClientRect();
  const x = event.clientX - (box.left + box.width / 2);
  const y = event.clientY - (box.top + box.height / 2);
  return Math.atan2(x, -y);
}

/**
 * The hand follows the pointer round and round; a full turn is so many tokens.
 * @param {{value: number, max: number}} hand
 */
function turning(hand, tokensPerTurn, { onMove, onCommit }) {
  return {
    down: (event) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      event.preventDefault();
      event.currentTarget.focus();
      drags.set(event.currentTarget, { angle: pointerAngle(event), turned: 0, start: hand.value });
    },
    move: (event) => {
      const drag = drags.get(event.currentTarget);
      if (!drag) return;
      const angle = pointerAngle(event);
      drag.turned += ((angle - drag.angle + 3 * Math.PI) % FULL) - Math.PI;
      drag.angle = angle;
      const wanted = Math.round(drag.start + (drag.turned / FULL) * tokensPerTurn);
      onMove(Math.min(hand.max, Math.max(0, wanted)));
    },
    up: (event) => {
      if (!drags.delete(event.currentTarget)) return;
      event.currentTarget.releasePointerCapture(event.pointerId);
      onCommit();
    },
  };
}

/** Arrows go token by token, Page Up and Page Down by a twelfth of a turn, Home to token 0. */
function keyed(hand, tokensPerTurn, { onStep, onSet }) {
  const page = Math.max(1, Math.round(tokensPerTurn / 12));
  const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };
  const pages = { PageUp: page, PageDown: -page };
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = steps[event.key] ?? pages[event.key];
    if (by !== undefined) onStep(by);
    else if (event.key === 'Home') onSet(0);
    else if (event.key === 'End') onSet(hand.max);
    else return;
    event.preventDefault();
    // Page Up and Page Down belong to the hand here, not to the slides.
    event.stopPropagation();
  };
}

function handOf(hand, { reach, tokensPerTurn, ui }) {
  const tip = tipOf(hand.pair, reach);
  const degrees = place((angleOf(hand.pair) * 360) / FULL);
  const length = Math.hypot(...tip);
  const open = canChange(ui, hand.path);
  const turn =
    open &&
    turning(hand, tokensPerTurn, {
      onMove: (value) => ui.move([hand.path], [value]),
      onCommit: () => ui.moved(),
    });
  const keys =
    open &&
    keyed(hand, tokensPerTurn, {
      onStep: (by) => ui.nudge(hand.path, by),
      onSet: (value) => ui.choose(hand.path, value),
    });
  return svg`<g
    class="clock-hand clock-hand-${hand.tone}"
    data-hand=${hand.id}
    role=${ui ? 'slider' : nothing}
    tabindex=${ui ? '0' : nothing}
    aria-disabled=${ui && !open ? 'true' : nothing}
    aria-label=${ui ? hand.label : nothing}
    aria-valuemin=${ui ? 0 : nothing}
    aria-valuemax=${ui ? hand.max : nothing}
    aria-valuenow=${ui ? hand.value : nothing}
    aria-valuetext=${ui ? hand.says : nothing}
    @pointerdown=${turn ? turn.down : nothing}
    @pointermove=${turn ? turn.move : nothing}
    @pointerup=${turn ? turn.up : nothing}
    @pointercancel=${turn ? turn.up : nothing}
    @keydown=${keys || nothing}
  >
    <path class="clock-blade" d="M-3.6 7L-1.9 ${place(-length)}H1.9L3.6 7Z" transform="rotate(${degrees})"></path>
    <path class="clock-grip" d="M0 0L${tip[0]} ${tip[1]}"></path>
    <g transform="translate(${tip[0]} ${tip[1]})">
      <circle class="clock-grip-tip" r="19"></circle>
      ${
        hand.tone === 'q'
          ? svg`<circle class="clock-knob" r=${KNOB}></circle>`
          : svg`<rect class="clock-knob" x="-13" y="-13" width="26" height="26" rx="4"></rect>`
      }
      <text class="clock-letter" y="6.5">${hand.tone}</text>
    </g>
  </g>`;
}

const ghost = ({ start, tone }, reach) => {
  const [x, y] = tipOf(start, reach);
  return svg`<path class="clock-ghost clock-ghost-${tone}" d="M0 0L${x} ${y}"></path>
    <circle class="clock-ghost-tip clock-ghost-${tone}" cx=${x} cy=${y} r="4"></circle>`;
};

/**
 * @param {object|undefined} ui
 * @param {object} clock
 * @param {string} clock.label
 * @param {number} clock.reach the length that the longest hand of all clocks has
 * @param {number} clock.tokensPerTurn
 * @param {'plus'|'minus'|'none'} clock.sign of what the pair adds
 * @param {boolean} clock.moved whether the hands' starts are shown as well
 * @param {{id: string, tone: 'q'|'k', path: string, value: number, max: number, label: string, says: string,
 *   pair: number[], start: number[]}[]} clock.hands the key's, then the query's, which lies above
 */
export function clock(ui, { label, reach, tokensPerTurn, sign, moved, hands }) {
  const [key, query] = hands;
  return html`<svg class="clock" viewBox="-100 -100 200 200" role="group" aria-label=${label}>
    <circle class="clock-face" r=${RIM}></circle>
    ${TICKS} ${sign === 'none' ? nothing : sector(query.pair, key.pair, sign)}
    ${moved ? hands.map((hand) => ghost(hand, reach)) : nothing}
    ${hands.map((hand) => handOf(hand, { reach, tokensPerTurn, ui }))}
    <circle class="clock-pin" r="4.5"></circle>
  </svg>`;
}

/** The length of the longest of some hands. */
export const longestHand = (pairs) => Math.max(0, ...pairs.map((pair) => Math.hypot(...pair)));
