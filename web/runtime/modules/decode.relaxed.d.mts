export { default } from '../../../wasm-bindings/decode.js';
