import { createRequire } from 'node:module';
import path from 'node:path';
import { openWasm } from './tfjs-wasm.js';

const file = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm');

export const open = () => openWasm(path.dirname(file) + path.sep);
