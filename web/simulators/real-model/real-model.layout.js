/** Where the small drawings stand: geometry only, no result is computed here. */

/** Units of a bar's slot across, and of a whole weight up. */
export const SLOT = 10;
export const HIGH = 100;

/** One bar for each layer, over an axis from 0 to 1. */
export const bars = (values) =>
  Array.from(values, (value, layer) => ({
    x: layer * SLOT + 1,
    y: HIGH - HIGH * value,
    height: HIGH * value,
    width: SLOT - 2,
  }));

export const heightOf = (value) => HIGH - HIGH * value;
export const widthOf = (count) => count * SLOT;

/** Where an arrow key leads from a head: along the layers, or along the heads of one. */
export function headAfter(key, { layer, head, n_layers, n_heads, across }) {
  const along = across ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  const over = across ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
  const by = ([back, on]) => (key === on ? 1 : key === back ? -1 : 0);
  const to = {
    layer: layer + by(along),
    head: head + by(over),
  };
  if (key === 'Home') to.layer = 0;
  if (key === 'End') to.layer = n_layers - 1;
  const moved = to.layer !== layer || to.head !== head;
  const fits = to.layer >= 0 && to.layer < n_layers && to.head >= 0 && to.head < n_heads;
  return moved && fits ? to : undefined;
}

/** A head’s place among those of all layers. */
export const numberOf = (layer, head, n_heads) => layer * n_heads + head;
