"""Fast paths of attention, dropout, coverage, centrality and log probabilities, each beside its plain formula.

The files of the mechanisms hold the papers' formulas; here are the kernels that compute them, the only autograd
functions of the package.
"""
