export { default } from '../../../wasm-bindings/cache.js';
