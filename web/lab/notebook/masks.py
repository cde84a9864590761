# %% task
# The program hides the future: a score of minus infinity becomes a weight of 0. Two masks are missing. A `window` of W
# shows a word itself and the W - 1 before it. `real[j]` is False where word j is padding, which nobody may see. And a word
# that may see nothing at all gets a row of zeros, never NaN.

# %% gap
def masked_weights(S, window, real):
    n = len(S)
    i, j = np.indices((n, n))
    hidden = j > i  # <- window and padding are missing
    seen = np.where(hidden, -np.inf, S)
    powers = np.exp(seen - seen.max(axis=1, keepdims=True))  # <- and if nothing is left?
    return powers / powers.sum(axis=1, keepdims=True)

# %% check
S = np.array([[2.1, 0.3, 1.7, 0.9], [0.8, 3.2, 0.4, 1.1], [1.4, 0.6, 2.8, 0.2], [0.5, 1.9, 1.2, 2.4]])
everybody = np.array([True] * 4)
near(masked_weights(S, 4, everybody), [golden[f'recap.mask.row{row}'] for row in (1, 2, 3, 4)], 'the causal weights')
two = masked_weights(S, 2, everybody)
near((two > 0).sum(axis=1), [1, 2, 2, 2], 'how many words each sees through a window of 2')
near(two[1], golden['recap.mask.row2'], 'the second row, which the window does not change')
padded = masked_weights(S, 4, np.array([False, True, True, True]))
near(padded[0], [0, 0, 0, 0], 'the row of a word that sees nothing')
near(padded[1], [0, 1, 0, 0], 'the row after it')

# %% hint
# Hidden is what comes later (`j > i`), lies too far back (`i - j >= window`) or is padding (`~real[j]`). Where a row has
# nothing left, put 0 in place of its largest score and 1 in place of its sum.

# %% solution
def masked_weights(S, window, real):
    n = len(S)
    i, j = np.indices((n, n))
    hidden = (j > i) | (i - j >= window) | ~real[j]
    seen = np.where(hidden, -np.inf, S)
    largest = seen.max(axis=1, keepdims=True)
    powers = np.exp(seen - np.where(np.isfinite(largest), largest, 0))
    sums = powers.sum(axis=1, keepdims=True)
    return powers / np.where(sums > 0, sums, 1)
