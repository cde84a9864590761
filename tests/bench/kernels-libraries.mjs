/** Who is measured by `npm run bench:kernels`: our builds and the peers, at these versions, and their scripts. */
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../architecture/files.js';
import { installPeers } from './peers.mjs';

const ONNX = '1.30.0';
const TFJS = '4.22.0';

/**
 * @typedef {object} Library
 * @property {string} name
 * @property {string} entry  Which script of kernel-peers opens it.
 * @property {object} [options]  For the script.
 * @property {boolean} [ours]
 */

/** Ours are told apart by build, and measured with each of their back ends. @type {Library[]} */
const OURS = ['scalar', 'simd', 'relaxed'].map((variant) => ({
  name: variant,
  entry: 'attention-deck',
  options: { variant },
  ours: true,
}));

/** @type {Library[]} */
const ON_THE_PROCESSOR = [
  ...OURS,
  { name: 'naive JavaScript', entry: 'naive' },
  { name: `onnxruntime-web ${ONNX}`, entry: 'onnxruntime' },
  { name: `tfjs-wasm ${TFJS}`, entry: 'tfjs-wasm' },
];

/** @type {Library[]} */
const ON_WEBGPU = [
  { ...OURS[0], name: 'plain kernel, processor', ours: false },
  { name: 'attention-deck', entry: 'attention-deck-webgpu', ours: true },
  { name: `onnxruntime-web ${ONNX}`, entry: 'onnxruntime-webgpu' },
  { name: `tfjs-webgpu ${TFJS}`, entry: 'tfjs-webgpu' },
];

export const LIBRARIES = { node: ON_THE_PROCESSOR, chromium: ON_THE_PROCESSOR, webgpu: ON_WEBGPU };

/** Where the scripts are run from: as deep as where they are written, so that what they import is found from both. */
const folder = path.join(ROOT, 'build/bench');

export const bundles = path.join(folder, 'dist');

/**
 * Puts the scripts beside the peers that they import.
 * @param {(text: string) => void} say
 */
export function installLibraries(say) {
  const cache = installPeers(
    'bench-kernels',
    {
      'onnxruntime-web': ONNX,
      '@tensorflow/tfjs-core': TFJS,
      '@tensorflow/tfjs-backend-wasm': TFJS,
      '@tensorflow/tfjs-backend-webgpu': TFJS,
    },
    say,
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(ROOT, 'tests/bench/kernel-peers'), path.join(folder, 'kernel-peers'), {
    recursive: true,
  });
  symlinkSync(path.join(cache, 'node_modules'), path.join(folder, 'node_modules'));
}

/** The script of each entry: one for every engine, or one of its own. */
export function entriesFor(engine) {
  const script = (entry) =>
    [`${entry}.${engine}.js`, `${entry}.js`]
      .map((name) => path.join(folder, 'kernel-peers', name))
      .find((file) => existsSync(file));
  const entries = new Set(LIBRARIES[engine].map(({ entry }) => entry));
  return Object.fromEntries([...entries].map((entry) => [entry, script(entry)]));
}
