export { default } from '../../../wasm-bindings/experiments.js';
