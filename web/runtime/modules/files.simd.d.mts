export { default } from '../../../wasm-bindings/files.js';
