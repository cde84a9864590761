export { default } from '../../../wasm-bindings/model.js';
