# SPDX-License-Identifier: MIT
"""Product of a sparse matrix with a vector, dealt to ranks by rows: mpiexec -n 4 python spmv.py

Which entries of the vector a rank needs follows from its rows. It has ghosts of those that other
ranks own, and a persistent request updates them before each product.
"""

import numpy as np
from mpi4py import MPI
from scipy import sparse

import carpool

STEPS = 3


class Matrix:
    """The rows of this rank. Their columns are its own entries of a vector, and then the ghosts."""

    def __init__(self, comm, rows, ranges):
        self.ghosts, self.rows = carpool.ghosts_of(rows, ranges, comm)
        self.x = np.zeros(self.ghosts.owned + self.ghosts.size)
        self.entries = self.ghosts.update_init(self.x)

    def __matmul__(self, x):
        self.x[:len(x)] = x
        self.entries.start().wait()
        return self.rows @ self.x

    def free(self):
        self.entries.free()
        self.ghosts.free()


def laplacian(width):
    """Each point of a width x width grid, its four neighbors, and its mirror image."""
    one, all = sparse.eye_array(width), sparse.eye_array(width**2, format="csr")
    beside = sparse.diags_array([-1.0, -1.0], offsets=[-1, 1], shape=(width, width))
    return 5.5 * all - all[::-1] + sparse.kron(one, beside) + sparse.kron(beside, one)


def dealt(comm, whole):
    """This rank's part of a matrix, and its rows as a slice."""
    ranges = np.arange(comm.size + 1) * whole.shape[0] // comm.size
    own = slice(ranges[comm.rank], ranges[comm.rank + 1])
    return Matrix(comm, whole[own], ranges), own


def wrong_entries(a, own, whole, step):
    """How many entries of this rank are not those of the whole product, which all ranks know."""
    x = np.sin(np.arange(whole.shape[0]) + step)
    return np.count_nonzero(abs(a @ x[own] - (whole @ x)[own]) > 1e-12)


def main():
    comm = MPI.COMM_WORLD
    whole = laplacian(12)
    a, own = dealt(comm, whole)
    plan = a.entries.plan
    wrong = comm.allreduce(sum(wrong_entries(a, own, whole, step) for step in range(STEPS)))
    if comm.rank == 0:
        print(f"{whole.shape[0]} rows on {comm.size} ranks, {STEPS} products: {wrong} wrong entries; "
              f"{plan.algorithm}, {plan.messages} messages of rank 0", flush=True)
    a.free()
    assert wrong == 0


if __name__ == "__main__":
    main()
