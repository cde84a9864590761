# %% task
# Somebody hands you `dA`, how the loss changes with each weight. You hand on `dS`, how it changes with each score.
# Weights of a row sum to 1, so pushing one up pushes the others down. The program forgets that.

# %% gap
def way_back(A, dA):
    products = A * dA
    return products  # <- something is still missing

# %% check
dA = np.array([golden['back.bank']['dA']])
dS = way_back(np.array([golden['bank.w']]), dA)
near(dS, [golden['back.bank']['dS']], 'dS of the bank row')
near(np.sum(dS), 0, 'the sum of the row')
A = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])
near(way_back(A, np.ones((2, 3))), np.zeros((2, 3)), 'dS when every weight is pushed alike')

# %% hint
# dS = A * (dA - rowsum(dA * A)). The products are already there: their sum, row by row with `keepdims=True`, is what has
# to be taken from each dA before it is weighted.

# %% solution
def way_back(A, dA):
    products = A * dA
    return A * (dA - products.sum(axis=1, keepdims=True))
