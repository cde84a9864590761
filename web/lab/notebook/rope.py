# %% task
# Attention does not know which word came first. RoPE tells it by turning: numbers 0 and 1 of a vector are one hand of a
# clock, 2 and 3 the next, and each clock is slower than the one before. Pair i, at position p, turns by
# p * base ** (-2 i / d). Then the score depends on how far apart the words are, and on nothing else.

# %% gap
def turned(vector, position, base=10_000):
    d = len(vector)
    angles = position * base ** (-2 * np.arange(d // 2) / d)
    x, y = vector[0::2], vector[1::2]
    result = np.empty(d)
    result[0::2] = x  # <- turn each hand (x, y) by its angle
    result[1::2] = y
    return result

# %% check
q = np.array([-1.5, 0, -2, 0, -3.5, 1, -3.5, -0.5])
k = np.array([0.5, 0.5, -2, -1.5, 1.5, 1.5, 0.5, -3])
near([turned(q, m) @ turned(k, n) for m, n in ((3, 1), (10, 8), (1000, 998))],
     golden['rope.same'], 'the scores of words two apart')

# %% hint
# Turning (x, y) by an angle gives (x cos - y sin, x sin + y cos), with `np.cos(angles)` and `np.sin(angles)`.

# %% solution
def turned(vector, position, base=10_000):
    d = len(vector)
    angles = position * base ** (-2 * np.arange(d // 2) / d)
    x, y = vector[0::2], vector[1::2]
    result = np.empty(d)
    result[0::2] = x * np.cos(angles) - y * np.sin(angles)
    result[1::2] = x * np.sin(angles) + y * np.cos(angles)
    return result
