# %% task
# Heads are columns: head h looks at its own part of Q, K and V, and the outputs stand side by side. With grouped queries
# there are fewer heads of keys and values than of queries, and several query heads share one. Say which one head h reads,
# so that it works for all three: as many, fewer, or a single one.

# %% gap
def heads(X, W_Q, W_K, W_V, n_heads, n_kv_heads):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    d = Q.shape[1] // n_heads
    outputs = []
    for h in range(n_heads):
        kv = 0  # <- right only while there is a single one
        q, k, v = Q[:, h * d:(h + 1) * d], K[:, kv * d:(kv + 1) * d], V[:, kv * d:(kv + 1) * d]
        powers = np.exp(q @ k.T / np.sqrt(d))
        outputs.append(powers / powers.sum(axis=1, keepdims=True) @ v)
    return np.concatenate(outputs, axis=1)

# %% check
X = np.eye(4)[:3]
W_Q = np.array([[1, 0, 0, 1], [1, 2, 2, 0], [0, 1, 1, 0], [0, 0, 0, 0]])
W_K = np.array([[1, 0, 2, 0], [1, 1, 1, 1], [0, 2, 0, 2], [0, 0, 0, 0]])
W_V = np.array([[1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5], [1, 0, 0, 1], [0, 0, 0, 0]])
near(heads(X, W_Q, W_K, W_V, 2, 2), golden['mha.all']['O'], 'the outputs of two heads')
random = np.random.default_rng(2)
X, wide = random.standard_normal((5, 8)), random.standard_normal((8, 8))
few_k, few_v = random.standard_normal((8, 4)), random.standard_normal((8, 4))
twice = [0, 1, 0, 1, 2, 3, 2, 3]  # each head of two columns, written out for the two that share it
near(heads(X, wide, few_k, few_v, 4, 2), heads(X, wide, few_k[:, twice], few_v[:, twice], 4, 4),
     'four heads that share two, against the same two written out')

# %% hint
# `n_heads // n_kv_heads` neighbours share one: with 4 and 2, heads 0 and 1 read the first, heads 2 and 3 the second.

# %% solution
def heads(X, W_Q, W_K, W_V, n_heads, n_kv_heads):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    d = Q.shape[1] // n_heads
    outputs = []
    for h in range(n_heads):
        kv = h // (n_heads // n_kv_heads)
        q, k, v = Q[:, h * d:(h + 1) * d], K[:, kv * d:(kv + 1) * d], V[:, kv * d:(kv + 1) * d]
        powers = np.exp(q @ k.T / np.sqrt(d))
        outputs.append(powers / powers.sum(axis=1, keepdims=True) @ v)
    return np.concatenate(outputs, axis=1)
