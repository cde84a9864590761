export { default } from '../../../wasm-bindings/layer.js';
