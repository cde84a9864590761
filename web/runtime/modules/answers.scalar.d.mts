export { default } from '../../../wasm-bindings/answers.js';
