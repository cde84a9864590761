# %% task
# Nobody writes weights by hand: they are learned. Each word shall look at the word before it. The loss is minus the
# logarithm of the weight on the right word, on average. The queries are `X @ W`, and the way back to them, `dQ`, is there:
# find `dW`, and take a step against it. Watch the loss fall, and the map move.

# %% gap
def train(X, W, targets, steps=120, rate=1.0):
    n, d = X.shape
    right = (np.arange(n), targets)
    losses, maps = [], []
    for _ in range(steps + 1):
        scores = X @ W @ X.T / np.sqrt(d)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        A = powers / powers.sum(axis=1, keepdims=True)
        losses.append(-np.log(A[right]).mean())
        maps.append(A)
        dS = A / n
        dS[right] -= 1 / n
        dQ = dS @ X / np.sqrt(d)
        dW = np.zeros_like(W)  # <- learns nothing yet
        W = W - rate * dW
    return np.array(losses), np.array(maps)

# %% check
X = np.random.default_rng(7).standard_normal((6, 8))
targets = np.array([0, 0, 1, 2, 3, 4])
losses, maps = train(X, np.zeros((8, 8)), targets)
print('loss', losses[0].round(3), '->', losses[-1].round(3))
print(maps[-1].round(2))
near(losses[0], np.log(6), 'the loss before learning: every word looks everywhere')
assert np.all(np.diff(losses) < 0), 'the loss does not fall at every step'
assert losses[-1] < 0.2 * losses[0], f'the loss is still {losses[-1]:.3f}'
near(maps[-1].argmax(axis=1), targets, 'where each word looks most')
# The slope along the first step must be what the gradient promises: minus its squared length.
small, _ = train(X, np.zeros((8, 8)), targets, steps=1, rate=1e-4)
smaller, _ = train(X, np.zeros((8, 8)), targets, steps=1, rate=5e-5)
near((small[1] - small[0]) / (smaller[1] - smaller[0]), 2, 'twice the step, twice the fall', tolerance=1e-3)

# %% hint
# Q = X W, so dW = X transposed times dQ. Its shape is that of W, which is a good check of any gradient.

# %% solution
def train(X, W, targets, steps=120, rate=1.0):
    n, d = X.shape
    right = (np.arange(n), targets)
    losses, maps = [], []
    for _ in range(steps + 1):
        scores = X @ W @ X.T / np.sqrt(d)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        A = powers / powers.sum(axis=1, keepdims=True)
        losses.append(-np.log(A[right]).mean())
        maps.append(A)
        dS = A / n
        dS[right] -= 1 / n
        dQ = dS @ X / np.sqrt(d)
        dW = X.T @ dQ
        W = W - rate * dW
    return np.array(losses), np.array(maps)
