export { default } from '../../../wasm-bindings/bill.js';
