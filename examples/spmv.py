"""Product of a sparse matrix with a vector, dealt to ranks by rows: mpiexec -n 4 python spmv.py

Who needs which entries of the vector follows from the matrix. Each rank tells their owners once, and
a persistent request on the graph of all this brings the entries before each product.
"""

import numpy as np
from mpi4py import MPI

import carpool

STEPS = 3


class Matrix:
    """The rows of this rank, as triples of row, column and value."""

    def __init__(self, comm, n, rows, columns, values):
        self.n = n
        bounds = np.arange(comm.size + 1) * n // comm.size
        self.first, self.last = bounds[comm.rank:comm.rank + 2]
        self.rows, self.values = rows - self.first, values
        is_own = (columns >= self.first) & (columns < self.last)
        needed = np.unique(columns[~is_own])
        self.length = self.last - self.first
        self.columns = np.where(is_own, columns - self.first,
                                self.length + np.searchsorted(needed, columns))
        self._plan(comm, needed, np.searchsorted(bounds, needed, side="right") - 1)

    def _plan(self, comm, needed, owners):
        """Asks the owners, who learn so whom they serve, and plans what is repeated."""
        sources, counts = np.unique(owners, return_counts=True)
        asked = carpool.sparse_exchange(comm, sources, needed, counts=counts)
        self.sent = np.concatenate([wanted for _, wanted in asked] or [needed[:0]]) - self.first
        self.out, self.x = np.zeros(len(self.sent)), np.zeros(self.length + len(needed))
        self.graph = carpool.Graph(comm, sources, asked.sources)
        self.entries = self.graph.alltoallv_init([self.out, [len(wanted) for _, wanted in asked]],
                                                 [self.x[self.length:], counts])

    def __matmul__(self, x):
        self.x[:self.length] = x
        self.out[:] = x[self.sent]
        self.entries.start().wait()
        return np.bincount(self.rows, self.values * self.x[self.columns], minlength=self.length)

    def free(self):
        self.entries.free()
        self.graph.free()


def laplacian(width):
    """Each point of a width x width grid, its four neighbors, and its mirror image."""
    n = width * width
    i = np.arange(n)
    near = [(i, i, 5.5), (i[:-width], i[width:], -1), (i[width:], i[:-width], -1),
            (i[:-1][(i[1:] % width) > 0], i[1:][(i[1:] % width) > 0], -1),
            (i[1:][(i[1:] % width) > 0], i[:-1][(i[1:] % width) > 0], -1), (i, n - 1 - i, -1)]
    return n, *(np.concatenate([np.broadcast_to(one[k], one[0].shape) for one in near])
                for k in range(3))


def dealt(comm, n, rows, columns, values):
    first, last = comm.rank * n // comm.size, (comm.rank + 1) * n // comm.size
    mine = (rows >= first) & (rows < last)
    return Matrix(comm, n, rows[mine], columns[mine], values[mine])


def wrong_entries(a, step, rows, columns, values):
    """How many of this rank are not what they must be, which is known on all ranks."""
    x = np.sin(np.arange(a.n) + step)
    expected = np.bincount(rows, values * x[columns], minlength=a.n)
    wrong = abs(a @ x[a.first:a.last] - expected[a.first:a.last]) > 1e-12
    return np.count_nonzero(wrong)


def main():
    comm = MPI.COMM_WORLD
    n, rows, columns, values = laplacian(12)
    a = dealt(comm, n, rows, columns, values)
    plan = a.entries.plan
    wrong = sum(wrong_entries(a, step, rows, columns, values) for step in range(STEPS))
    wrong = comm.allreduce(wrong)
    if comm.rank == 0:
        print(f"{n} rows on {comm.size} ranks, {STEPS} products: {wrong} wrong entries; "
              f"{plan.algorithm}, {plan.messages} messages of rank 0", flush=True)
    a.free()
    assert wrong == 0


if __name__ == "__main__":
    main()
