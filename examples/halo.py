# SPDX-License-Identifier: MIT
"""Halo exchange of a 9-point stencil on a torus of ranks: mpiexec -n 6 python halo.py

Each rank has N x N cells and a halo one cell wide, as in halo.c.
"""

import numpy as np
from mpi4py import MPI

import carpool

N = 5


def content(grid):
    """A number for every cell of the whole torus, as this rank with its halo sees them."""
    rows, columns = (np.arange(-1, N + 1) + N * at for at in grid.coords)
    height, width = (N * size for size in grid.dims)
    return 1.0 + (rows[:, None] % height) * width + columns % width


grid = carpool.Neighborhood(MPI.COMM_WORLD, offsets=carpool.moore(2))
expected = content(grid)
cells = np.zeros((N + 2, N + 2))
cells[1:-1, 1:-1] = expected[1:-1, 1:-1]

halo = carpool.Halo(grid, cells, width=1)
halo.start()  # these two lines in every step
halo.wait()

wrong = np.count_nonzero(cells != expected)
print(f"rank {grid.rank} of {grid.size}: {wrong} wrong cells; {halo.plan}", flush=True)
assert wrong == 0
halo.free()
grid.free()
