export { default } from '../../../wasm-bindings/core.js';
