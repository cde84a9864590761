# %% task
# Words come one after the other, and each brings its query, its key and its value once. Let the cache keep what is needed:
# the new word's key and value, and no more than the last `window` words. `decode` returns an output for each word, and how
# many words are in the cache at the end.

# %% gap
def decode(Q, K, V, window):
    keys, values, outputs = [], [], []
    for q, k, v in zip(Q, K, V):
        keys, values = [k], [v]  # <- forgets everybody who came before
        scores = np.array(keys) @ q / np.sqrt(len(q))
        powers = np.exp(scores - scores.max())
        outputs.append(powers / powers.sum() @ np.array(values))
    return np.array(outputs), len(keys)

# %% check
K = np.array([[0.2, 0.1], [0.9, 0.3], [0.1, 0.8]])
V = np.array([[0, 0.1], [0.8, 0.6], [0.2, 0.9]])
Q = np.array([[0, 0], [0, 0], [1.2, 0.4]])
outputs, kept = decode(Q, K, V, window=3)
near(outputs, [V[0], (V[0] + V[1]) / 2, golden['recap.out']], 'the outputs')
near(kept, 3, 'words in the cache')
outputs, kept = decode(Q, K, V, window=1)
near(outputs, V, 'the outputs when a word sees itself alone')
near(kept, 1, 'words in the cache with a window of 1')

# %% hint
# `keys.append(k)` keeps the new one. When there are more than `window` of them, `keys.pop(0)` drops the oldest. The same
# for the values.

# %% solution
def decode(Q, K, V, window):
    keys, values, outputs = [], [], []
    for q, k, v in zip(Q, K, V):
        keys.append(k)
        values.append(v)
        if len(keys) > window:
            keys.pop(0)
            values.pop(0)
        scores = np.array(keys) @ q / np.sqrt(len(q))
        powers = np.exp(scores - scores.max())
        outputs.append(powers / powers.sum() @ np.array(values))
    return np.array(outputs), len(keys)
