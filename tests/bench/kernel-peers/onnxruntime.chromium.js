import * as ort from 'onnxruntime-web/wasm';
import { openOnnx } from './onnxruntime.js';

export const open = async () => openOnnx(ort);
