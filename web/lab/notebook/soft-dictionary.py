# %% task
# The scores are there. Turn them into weights that are positive and sum to 1, so that `look_up` returns the weighted
# average of the values.

# %% gap
def look_up(query, keys, values):
    scores = keys @ query / np.sqrt(len(query))
    weights = scores  # <- may be negative, and what do they sum to?
    return weights @ values

# %% check
near(look_up(np.array([1, 3]), np.array([[1, 0], [0, 1]]), np.array([[3], [7]])),
     golden['deck.soft.out'], 'the answer of the soft dictionary')

# %% hint
# `np.exp` makes every score positive and keeps their order. Then divide each by the sum of all of them: the softmax.

# %% solution
def look_up(query, keys, values):
    scores = keys @ query / np.sqrt(len(query))
    powers = np.exp(scores - scores.max())
    weights = powers / powers.sum()
    return weights @ values
