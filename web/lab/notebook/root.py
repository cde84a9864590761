# %% task
# Queries and keys of N(0, 1) numbers: the longer they are, the further apart their scores lie. Choose the divisor that
# brings the spread of the scores back to about 1, whatever `d_k` is. `divisor` gets `d_k` and returns a number.

# %% gap
def divisor(d_k):
    return 1  # <- which one?

# %% check
near(divisor(64), golden['sqrt.sd'], 'the deviation of a score at d_k 64')
for d_k in (4, 64, 1024):
    random = np.random.default_rng(1)
    scores = np.sum(random.standard_normal((4000, d_k)) * random.standard_normal((4000, d_k)), axis=1)
    deviation = np.std(scores / divisor(d_k))
    print('d_k', d_k, 'deviation', round(deviation, 3))
    assert abs(deviation - 1) < 0.1, f'at d_k {d_k} the deviation is {deviation:.3f}, not about 1'

# %% hint
# A score is a sum of `d_k` products, each of variance 1, so its variance is `d_k`. Dividing a number by c divides its
# variance by c squared.

# %% solution
def divisor(d_k):
    return np.sqrt(d_k)
