export { default } from '../../../wasm-bindings/tokens.js';
