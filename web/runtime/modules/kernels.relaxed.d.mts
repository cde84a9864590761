export { default } from '../../../wasm-bindings/kernels.js';
