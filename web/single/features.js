/** In place of wasm-feature-detect, for the loader: a single file holds no build with relaxed vectors. */
export { simd } from 'wasm-feature-detect';

export const relaxedSimd = async () => false;
