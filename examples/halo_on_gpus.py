# SPDX-License-Identifier: MIT
"""Heat on a torus whose cells lie on GPUs, with cupy: mpiexec -n 4 python halo_on_gpus.py

Each rank has N x N cells and a halo one cell wide. At the end the host computes the same.
"""

import cupy
import numpy as np
from mpi4py import MPI

import carpool

N, STEPS = 5, 10


def mean(cells):
    """The mean of the four neighbors of each cell that has them."""
    return (cells[:-2, 1:-1] + cells[2:, 1:-1] + cells[1:-1, :-2] + cells[1:-1, 2:]) / 4


def expected(cells):
    """What the host finds for the whole torus."""
    for _ in range(STEPS):
        cells = mean(np.pad(cells, 1, mode="wrap"))
    return cells


comm = MPI.COMM_WORLD
node = comm.Split_type(MPI.COMM_TYPE_SHARED)
cupy.cuda.Device(node.rank % cupy.cuda.runtime.getDeviceCount()).use()

grid = carpool.Neighborhood(comm, offsets=carpool.von_neumann(2))
torus = np.random.default_rng(1).random([N * size for size in grid.dims])
mine = tuple(slice(N * at, N * (at + 1)) for at in grid.coords)

with cupy.cuda.Stream(non_blocking=True):
    cells = cupy.zeros((N + 2, N + 2))
    cells[1:-1, 1:-1] = cupy.asarray(torus[mine])
    halo = carpool.Halo(grid, cells)
    for _ in range(STEPS):
        halo.start().wait()
        cells[1:-1, 1:-1] = mean(cells)
    found = cupy.asnumpy(cells[1:-1, 1:-1])

error = np.abs(found - expected(torus)[mine]).max()
print(f"rank {grid.rank} of {grid.size}: largest error {error:.1e}; {halo.plan}", flush=True)
assert error < 1e-12
halo.free()
grid.free()
