export type { MainModule } from '../../wasm-bindings/core.js';
