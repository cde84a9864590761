/** The colours of painted maps, as numbers that go into a canvas's memory. */
import { scoreColour, weightColour } from './scale.js';

const SHADES = 256;

const rgba = (colour) => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  // As a canvas keeps it in memory, on the little-endian machines that browsers run on.
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
};

const palettes = new Map();

/** Shades of 0 to 1, then of scores from −1 to 1, the colours of hatching last. @param {'light' | 'dark'} scheme */
export function paletteOf(scheme) {
  if (!palettes.has(scheme)) {
    const shares = Array.from({ length: SHADES }, (_, k) => k / (SHADES - 1));
    palettes.set(scheme, {
      weights: Uint32Array.from(shares, (share) => rgba(weightColour(share, scheme))),
      scores: Uint32Array.from(shares, (share) => rgba(scoreColour(2 * share - 1, 1, scheme))),
      stroke: rgba(scheme === 'dark' ? '#5a6170' : '#b9b2a2'),
      ground: rgba(scheme === 'dark' ? '#1a1d24' : '#ffffff'),
    });
  }
  return palettes.get(scheme);
}

/** The shade of a share from 0 to 1, less and more being taken for these. @param {Uint32Array} shades */
export const shadeAt = (shades, share) =>
  shades[Math.round((SHADES - 1) * Math.min(1, Math.max(0, share)))];
