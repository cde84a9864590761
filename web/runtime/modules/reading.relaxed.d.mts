export { default } from '../../../wasm-bindings/reading.js';
