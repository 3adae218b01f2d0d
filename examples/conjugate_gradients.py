# SPDX-License-Identifier: MIT
"""Solves A x = b by conjugate gradients: mpiexec -n 4 python conjugate_gradients.py

The matrix is that of spmv.py. The two exchanges, ghosts of a vector and a sum, are planned once.
"""

import numpy as np
from mpi4py import MPI
from spmv import dealt, laplacian

import carpool


class Sum:
    """The sum of a number over all ranks."""

    def __init__(self, comm):
        self.mine, self.all = np.zeros(1), np.zeros(1)
        self.request = carpool.allreduce_init(comm, self.mine, self.all)

    def __call__(self, number):
        self.mine[0] = number
        self.request.start().wait()
        return self.all[0]


def solved(a, b, total):
    """x, and how many iterations it took."""
    x = np.zeros_like(b)
    r = b.copy()
    p = r.copy()
    rr = total(r @ r)
    small, iterations = 1e-24 * rr, 0
    while rr > small:
        ap = a @ p
        alpha = rr / total(p @ ap)
        x += alpha * p
        r -= alpha * ap
        before, rr = rr, total(r @ r)
        p = r + rr / before * p
        iterations += 1
    return x, iterations


comm = MPI.COMM_WORLD
whole = laplacian(12)
a, own = dealt(comm, whole)
total = Sum(comm)
expected = np.sin(0.1 * np.arange(whole.shape[0])) + 1
x, iterations = solved(a, (whole @ expected)[own], total)
error = np.abs(x - expected[own]).max(initial=0)
print(f"rank {comm.rank}: {iterations} iterations, error {error:.1e}; "
      f"sums by {total.request.plan}", flush=True)
assert error < 1e-9
total.request.free()
a.free()
