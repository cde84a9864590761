"""Writes expected.json beside it: what Hugging Face's models compute, in float32, with the weights of the tiny models that
tests/native/tiny_model.hpp writes as files. The weights are made of the tensors' names, here as there; blocks of quantized
weights are unpacked by gguf's own Python package, so that neither the layout of a block nor a formula of a layer is ours.

    python3 -m venv venv && venv/bin/pip install transformers==4.46.3 'jax[cpu]' flax gguf
    venv/bin/python tests/golden/tiny_models/make.py
"""

import importlib.metadata
import json
import pathlib

import gguf
import jax
import numpy as np
from transformers import FlaxGPT2LMHeadModel, FlaxLlamaForCausalLM, GPT2Config, LlamaConfig

MASK = (1 << 64) - 1
TOKENS = [3, 11, 0, 7, 7, 12, 5]
SHOWN = 2  # logits of so many last tokens


class SplitMix64:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)


def seed_of(name):
    total = 0xCBF29CE484222325
    for byte in name.encode():
        total = ((total ^ byte) * 0x100000001B3) & MASK
    return total


def named_floats(name, count, scale, base=0.0):
    bits = SplitMix64(seed_of(name))
    whole = np.array([(bits.next() >> 40) - (1 << 23) for _ in range(count)], np.float32)
    return (whole * np.float32(2.0**-23) * np.float32(scale) + np.float32(base)).astype(np.float32)


# Numbers and bytes of a block; the places of its halves, their exponents, and the bits below them.
FORMATS = {
    'F16': (1, 2, [(0, 11, 10)]),
    'BF16': (1, 2, [(0, 123, 7)]),
    'Q8_0': (32, 34, [(0, 4, 10)]),
    'Q4_0': (32, 18, [(0, 8, 10)]),
    'Q4_1': (32, 20, [(0, 8, 10), (2, 11, 10)]),
    'Q4_K': (256, 144, [(0, 3, 10), (2, 6, 10)]),
    'Q6_K': (256, 210, [(208, 1, 10)]),
}


def named_weights(name, form, rows, columns):
    """[rows, columns] of float32."""
    if form == 'F32':
        return named_floats(name, rows * columns, 0.125).reshape(rows, columns)
    numbers, size, halves = FORMATS[form]
    bits = SplitMix64(seed_of(name))
    made = bytearray()
    for _ in range(rows * columns // numbers):
        block = bytearray()
        while len(block) < size:
            block += bits.next().to_bytes(8, 'little')
        block = block[:size]
        for place, exponent, below in halves:
            half = int.from_bytes(block[place : place + 2], 'little')
            half = (half & (0x8000 | ((1 << below) - 1))) | exponent << below
            block[place : place + 2] = half.to_bytes(2, 'little')
        made += block
    raw = np.frombuffer(bytes(made), np.uint8).reshape(rows, -1)
    return gguf.quants.dequantize(raw, gguf.GGMLQuantizationType[form]).astype(np.float32)


def gain(name, size):
    return named_floats(name, size, 0.25, 1.0)


def bias(name, size):
    return named_floats(name, size, 0.25)


def unpermuted(weights, n_heads):
    """Rows as llama.cpp keeps them, pairs side by side, in Hugging Face's order: the inverse of its converter's permute."""
    rows, columns = weights.shape
    return weights.reshape(n_heads, rows // n_heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)


def llama(case):
    c = case['config']
    d, hd, v, ff = c['d_model'], c['head_dim'], c['vocab_size'], c['d_ff']
    nh, nkv, form, is_gguf = c['n_heads'], c['n_kv_heads'], case['weights'], case['file'] == 'gguf'

    def matrix(name, rows, columns):
        return named_weights(name, form, rows, columns)

    def place(layer, gguf_name, hf_name):
        return f'blk.{layer}.{gguf_name}.weight' if is_gguf else f'model.layers.{layer}.{hf_name}.weight'

    embedding = matrix('token_embd.weight' if is_gguf else 'model.embed_tokens.weight', v, d)
    layers = {}
    for i in range(c['n_layers']):
        q = matrix(place(i, 'attn_q', 'self_attn.q_proj'), nh * hd, d)
        k = matrix(place(i, 'attn_k', 'self_attn.k_proj'), nkv * hd, d)
        if is_gguf:
            q, k = unpermuted(q, nh), unpermuted(k, nkv)
        layers[str(i)] = {
            'input_layernorm': {'weight': gain(place(i, 'attn_norm', 'input_layernorm'), d)},
            'post_attention_layernorm': {'weight': gain(place(i, 'ffn_norm', 'post_attention_layernorm'), d)},
            'self_attn': {
                'q_proj': {'kernel': q.T},
                'k_proj': {'kernel': k.T},
                'v_proj': {'kernel': matrix(place(i, 'attn_v', 'self_attn.v_proj'), nkv * hd, d).T},
                'o_proj': {'kernel': matrix(place(i, 'attn_output', 'self_attn.o_proj'), d, nh * hd).T},
            },
            'mlp': {
                'gate_proj': {'kernel': matrix(place(i, 'ffn_gate', 'mlp.gate_proj'), ff, d).T},
                'up_proj': {'kernel': matrix(place(i, 'ffn_up', 'mlp.up_proj'), ff, d).T},
                'down_proj': {'kernel': matrix(place(i, 'ffn_down', 'mlp.down_proj'), d, ff).T},
            },
        }
    head = embedding if c['tied'] else matrix('output.weight' if is_gguf else 'lm_head.weight', v, d)
    params = {
        'model': {
            'embed_tokens': {'embedding': embedding},
            'layers': layers,
            'norm': {'weight': gain('output_norm.weight' if is_gguf else 'model.norm.weight', d)},
        },
        'lm_head': {'kernel': head.T},
    }
    config = LlamaConfig(
        vocab_size=v,
        hidden_size=d,
        intermediate_size=ff,
        num_hidden_layers=c['n_layers'],
        num_attention_heads=nh,
        num_key_value_heads=nkv,
        # The Flax class cuts its table of angles to so many columns; and its base is 10,000, whatever is asked for.
        max_position_embeddings=512,
        rms_norm_eps=1e-5,
    )
    return FlaxLlamaForCausalLM(config, _do_init=False), params


def gpt2(case):
    c = case['config']
    d, v, ff = c['d_model'], c['vocab_size'], c['d_ff']
    form, is_gguf = case['weights'], case['file'] == 'gguf'

    def linear(layer, gguf_name, hf_name, rows, columns):
        """Flax keeps [rows, columns], Hugging Face's files the transpose."""
        name = f'blk.{layer}.{gguf_name}' if is_gguf else f'h.{layer}.{hf_name}'
        weight = name + '.weight'
        kernel = named_weights(weight, form, rows, columns) if is_gguf else named_weights(weight, form, columns, rows).T
        return {'kernel': kernel, 'bias': bias(name + '.bias', rows)}

    def norm(name):
        return {'scale': gain(name + '.weight', d), 'bias': bias(name + '.bias', d)}

    layers = {}
    for i in range(c['n_layers']):
        layers[str(i)] = {
            'ln_1': norm(f'blk.{i}.attn_norm' if is_gguf else f'h.{i}.ln_1'),
            'ln_2': norm(f'blk.{i}.ffn_norm' if is_gguf else f'h.{i}.ln_2'),
            'attn': {
                'c_attn': linear(i, 'attn_qkv', 'attn.c_attn', 3 * d, d),
                'c_proj': linear(i, 'attn_output', 'attn.c_proj', d, d),
            },
            'mlp': {
                'c_fc': linear(i, 'ffn_up', 'mlp.c_fc', ff, d),
                'c_proj': linear(i, 'ffn_down', 'mlp.c_proj', d, ff),
            },
        }
    embedding = named_weights('token_embd.weight' if is_gguf else 'wte.weight', form, v, d)
    position = 'position_embd.weight' if is_gguf else 'wpe.weight'
    params = {
        'transformer': {
            'wte': {'embedding': embedding},
            'wpe': {'embedding': named_weights(position, form, c['context'], d)},
            'h': layers,
            'ln_f': norm('output_norm' if is_gguf else 'ln_f'),
        }
    }
    tied = c['tied']
    if not tied:
        params['lm_head'] = {'kernel': named_weights('output.weight' if is_gguf else 'lm_head.weight', form, v, d).T}
    config = GPT2Config(
        vocab_size=v,
        n_embd=d,
        n_inner=ff,
        n_layer=c['n_layers'],
        n_head=c['n_heads'],
        n_positions=c['context'],
        layer_norm_epsilon=1e-5,
        tie_word_embeddings=tied,
    )
    return FlaxGPT2LMHeadModel(config, _do_init=False), params


def cases():
    base = {'n_layers': 2, 'context': 16, 'vocab_size': 13, 'rope_base': 10000}
    # Whole blocks of 256 where blocks have as many.
    wide = base | {'d_model': 256, 'n_heads': 4, 'head_dim': 64, 'd_ff': 256}
    # Otherwise nothing is a multiple of 4.
    odd = base | {'d_model': 30, 'n_heads': 3, 'head_dim': 10, 'd_ff': 37}
    halves = base | {'d_model': 96, 'n_heads': 6, 'head_dim': 16, 'd_ff': 160}
    for architecture in ('llama', 'gpt2'):
        for file in ('gguf', 'safetensors'):
            for form in ('F32', 'F16', 'BF16', 'Q8_0', 'Q4_0', 'Q4_1', 'Q4_K', 'Q6_K'):
                is_plain = form in ('F32', 'F16', 'BF16')
                if file == 'safetensors' and not is_plain:
                    continue
                config = odd if is_plain else wide if form.endswith('_K') else halves
                kv = 1 if is_plain else config['n_heads'] // 2
                tied = form in ('F16', 'Q4_1', 'Q6_K')
                config = config | {'n_kv_heads': kv if architecture == 'llama' else config['n_heads'], 'tied': tied}
                yield {'architecture': architecture, 'file': file, 'weights': form, 'config': config}


def main():
    rows = []
    for case in cases():
        model, params = (llama if case['architecture'] == 'llama' else gpt2)(case)
        params = jax.tree_util.tree_map(jax.numpy.asarray, params)
        with jax.default_matmul_precision('highest'):
            out = model(np.array([TOKENS]), params=params, output_attentions=True)
        logits = np.asarray(out.logits)[0, -SHOWN:]
        attention = np.asarray(out.attentions[1])[0, 1, -1]
        shown = lambda numbers: [float(f'{x:.6g}') for x in numbers]
        rows.append(case | {'logits': [shown(row) for row in logits], 'layer_1_head_1_last_row': shown(attention)})
        print(case['architecture'], case['file'], case['weights'], logits[-1][:3], attention[:3])
    packages = ('transformers', 'jax', 'jaxlib', 'flax', 'gguf', 'numpy')
    made = {
        'versions': {name: importlib.metadata.version(name) for name in packages},
        'tokens': TOKENS,
        'cases': rows,
    }
    lines = [f'"versions": {json.dumps(made["versions"])}', f'"tokens": {json.dumps(TOKENS)}']
    lines.append('"cases": [\n' + ',\n'.join('  ' + json.dumps(row) for row in rows) + '\n]')
    pathlib.Path(__file__).with_name('expected.json').write_text('{\n' + ',\n'.join(lines) + '\n}\n')


main()
