/**
 * The two colour scales: weights from 0 to 1 on one hue, scores on two hues with zero in the middle.
 * Both are even steps in OKLCH lightness, so equal differences look equal, and text on any step is black
 * or white, whichever keeps at least 4.5:1.
 */

const clamp = (value) => Math.min(1, Math.max(0, value));

/** OKLCH to sRGB, by the matrices of Ottosson (2020), "A perceptual color space for image processing". */
function oklch(lightness, chroma, hue) {
  const angle = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((channel) => {
    const bounded = clamp(channel);
    const encoded = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055;
    return Math.round(255 * encoded);
  });
}

const hex = (rgb) => `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;

const HUES = { weight: 300, negative: 200, positive: 355 };
const ENDS = {
  light: { empty: 0.975, full: 0.36 },
  dark: { empty: 0.24, full: 0.86 },
};

function step(share, hue, scheme) {
  const { empty, full } = ENDS[scheme];
  const lightness = empty + (full - empty) * share;
  const chroma = 0.16 * Math.sin((Math.PI / 2) * clamp(share * 1.35)) * (share === 0 ? 0.2 : 1);
  return oklch(lightness, chroma, hue);
}

/** The colour of a weight in [0, 1]. */
export const weightColour = (weight, scheme) => hex(step(clamp(weight), HUES.weight, scheme));

/** The colour of a score, `reach` being the magnitude that takes the full colour. */
export const scoreColour = (score, reach, scheme) =>
  hex(step(clamp(Math.abs(score) / reach), score < 0 ? HUES.negative : HUES.positive, scheme));

/** Relative luminance of a hex colour, WCAG 2.2. */
export function luminance(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast between two hex colours, WCAG 2.2: from 1 to 21. */
export function contrast(one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** Black or white, whichever reads better on a colour. */
export const inkOn = (colour) =>
  contrast(colour, '#000000') >= contrast(colour, '#ffffff') ? '#000000' : '#ffffff';
