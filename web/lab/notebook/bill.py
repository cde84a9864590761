# %% task
# How many bytes does the cache of one user take? For each token and layer there is a key and a value in each head that
# keeps them. Three things are wrong: the program counts the heads that ask and not those that keep, it forgets that there
# are keys and values, and a local layer needs no more tokens than its window.

# %% gap
def cache_bytes(full_layers, local_layers, window, n_heads, n_kv_heads, head_dim, tokens, bytes_per_number=2):
    one = n_heads * head_dim * bytes_per_number  # <- bytes of one token in one layer
    return full_layers * tokens * one + local_layers * tokens * one  # <- needs all of them?

# %% check
llama = dict(full_layers=32, local_layers=0, window=0, n_heads=32, n_kv_heads=8, head_dim=128)
near(cache_bytes(**llama, tokens=1) / 2**10, golden['kv.8b.token'], 'KiB of one token, Llama 3 8B')
near(cache_bytes(**llama, tokens=131_072) / 2**30, golden['kv.8b.128k'], 'GiB of 131,072 tokens')
local = dict(full_layers=0, local_layers=32, window=1024, n_heads=32, n_kv_heads=8, head_dim=128)
near(cache_bytes(**local, tokens=131_072) / 2**10, 1024 * golden['kv.8b.token'],
     'KiB of the same layers with a window of 1,024')

# %% hint
# One token in one layer takes `2 * n_kv_heads * head_dim` numbers. A local layer keeps `min(window, tokens)` tokens.

# %% solution
def cache_bytes(full_layers, local_layers, window, n_heads, n_kv_heads, head_dim, tokens, bytes_per_number=2):
    one = 2 * n_kv_heads * head_dim * bytes_per_number
    return full_layers * tokens * one + local_layers * min(window, tokens) * one
