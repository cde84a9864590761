import * as ort from 'onnxruntime-web';
import { openOnnx } from './onnxruntime.js';

export const open = async () => openOnnx(ort);
