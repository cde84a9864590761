"""Writes ids.json beside it: texts, and the ids that Hugging Face's tokenizers gives them with the vocabulary of the GGUF file
that `npm run model` fetches, cut as SmolLM2's tokenizer.json says (Digits, then ByteLevel).

    python3 -m venv venv && venv/bin/pip install tokenizers==0.23.3 gguf==0.19.0
    venv/bin/python tests/model/ids.py ~/.cache/attention-deck/model/SmolLM2-135M-Instruct.Q4_1.gguf
"""

import importlib.metadata
import json
import pathlib
import sys

import gguf
from tokenizers import Tokenizer, models, pre_tokenizers

TEXTS = [
    'The capital of France is',
    'In 2017, 12 heads; 3.14 and 1,024 tokens',
    '  two  spaces\n\n\tand a tab 7',
    "don't we'll I'VE it's 's 5's",
    'São Paulo, ação, coração',
    'привет мир ½ Ⅷ ٣٤',
    '日本語のテキスト 漢字123',
    'e\u0301 \U0001f642\U0001f469\u200d\U0001f4bb',
    'a1b22 c333\t4 5\n6',
    '    ',
    'x  9',
    '\u00a0\u00a01 \u3000二',
    'def f(x):\n    return x**2  # sq\n',
    'bytes without a token: \x04\n\x06 \U00040000 \x1d',
]

fields = gguf.GGUFReader(sys.argv[1]).fields
tokens = fields['tokenizer.ggml.tokens'].contents()
merges = [tuple(merge.split(' ')) for merge in fields['tokenizer.ggml.merges'].contents()]
tokenizer = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(tokens)}, merges=merges))
tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
    [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
)
made = {
    'versions': {name: importlib.metadata.version(name) for name in ('tokenizers', 'gguf')},
    'texts': [{'text': text, 'ids': tokenizer.encode(text).ids} for text in TEXTS],
}
pathlib.Path(__file__).with_name('ids.json').write_text(json.dumps(made, ensure_ascii=False, indent=1) + '\n')
