#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times conjugate gradients in Python, with ghosts and with the alltoallv of mpi4py, interleaved:

    PYTHONPATH=python CARPOOL_BUILD=build/mpich-release \\
        chrt --rr 1 tools/launch -n 8 .venv-mpich/bin/python bench/ghosts_cg.py 8 16 32

Arguments: widths of cubes of points, of which each rank has a slab; the matrix is a 27-point stencil.
"""

import sys
import time
from pathlib import Path

import numpy as np
from mpi4py import MPI
from scipy import sparse

import carpool

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))
from spmv import Matrix  # noqa: E402

REPETITIONS, ITERATIONS = 60, 20


class MatrixOfMpi:
    """As Matrix of examples/spmv.py, with functions of MPI alone."""

    def __init__(self, comm, rows, ranges):
        first, last = ranges[comm.rank:comm.rank + 2]
        columns = rows.indices
        is_own = (first <= columns) & (columns < last)
        numbers = np.unique(columns[~is_own])
        entries = np.where(is_own, columns - first,
                           last - first + np.searchsorted(numbers, columns))
        owners = np.searchsorted(ranges, numbers, side="right") - 1
        asked, given = np.bincount(owners, minlength=comm.size), np.zeros(comm.size, int)
        comm.Alltoall(asked, given)
        wanted = np.zeros(given.sum(), numbers.dtype)
        comm.Alltoallv([numbers, asked], [wanted, given])
        sources, targets = np.flatnonzero(asked), np.flatnonzero(given)
        self.graph = comm.Create_dist_graph_adjacent(sources, targets)
        self.sent, self.out = wanted - first, np.zeros(len(wanted))
        self.x = np.zeros(last - first + len(numbers))
        self.send, self.receive = [self.out, given[targets]], [self.x[last - first:], asked[sources]]
        self.rows = type(rows)((rows.data, entries, rows.indptr),
                               shape=(rows.shape[0], len(self.x)))

    def __matmul__(self, x):
        self.x[:len(x)] = x
        np.take(self.x, self.sent, out=self.out)
        self.graph.Neighbor_alltoallv(self.send, self.receive)
        return self.rows @ self.x


class MatrixByCalls(Matrix):
    def __matmul__(self, x):
        self.x[:len(x)] = x
        self.ghosts.update(self.x)
        return self.rows @ self.x


class SumOfMpi:
    def __init__(self, comm):
        self.mine, self.all = np.zeros(1), np.zeros(1)
        self.add = lambda: comm.Allreduce(self.mine, self.all)

    def __call__(self, number):
        self.mine[0] = number
        self.add()
        return self.all[0]


class Sum(SumOfMpi):
    def __init__(self, comm):
        super().__init__(comm)
        request = carpool.allreduce_init(comm, self.mine, self.all)
        self.add = lambda: request.start().wait()


def stencil(width):
    beside = sparse.diags_array([np.ones(width - 1), np.ones(width), np.ones(width - 1)],
                                offsets=[-1, 0, 1])
    return (28 * sparse.eye_array(width**3)
            - sparse.kron(sparse.kron(beside, beside), beside)).tocsr()


def solved(a, b, total, most):
    """As in examples/conjugate_gradients.py."""
    x = np.zeros_like(b)
    r = b.copy()
    p = r.copy()
    rr = total(r @ r)
    small, iterations = 1e-24 * rr, 0
    while rr > small and iterations < most:
        ap = a @ p
        alpha = rr / total(p @ ap)
        x += alpha * p
        r -= alpha * ap
        before, rr = rr, total(r @ r)
        p = r + rr / before * p
        iterations += 1
    return x


def seconds(comm, solve):
    """Seconds of an iteration on the slowest rank."""
    comm.Barrier()
    began = time.perf_counter()
    solve()
    return comm.allreduce((time.perf_counter() - began) / ITERATIONS, MPI.MAX)


def gain(host, way):
    first, median, third = np.quantile(np.array(host) / np.array(way), [0.25, 0.5, 0.75])
    return f"{median:.2f} ({first:.2f}–{third:.2f})"


def race(comm, width):
    whole = stencil(width)
    ranges = np.arange(comm.size + 1) * whole.shape[0] // comm.size
    own = slice(ranges[comm.rank], ranges[comm.rank + 1])
    kinds = MatrixOfMpi, MatrixByCalls, Matrix
    of_mpi, by_calls, by_request = (kind(comm, whole[own], ranges) for kind in kinds)
    mpi_sum, own_sum = SumOfMpi(comm), Sum(comm)
    ways = {"mpi4py": (of_mpi, mpi_sum), "call": (by_calls, mpi_sum),
            "request": (by_request, mpi_sum), "requests": (by_request, own_sum)}
    expected = np.sin(0.1 * np.arange(whole.shape[0])) + 1
    b = (whole @ expected)[own]
    for a, total in ways.values():
        assert np.abs(solved(a, b, total, 1000) - expected[own]).max() < 1e-9
    times = {name: [] for name in ways}
    random = np.random.default_rng(1)
    for _ in range(REPETITIONS):
        for name in random.permutation(list(ways)):
            a, total = ways[name]
            times[name].append(seconds(comm, lambda a=a, total=total: solved(a, b, total, ITERATIONS)))
    if comm.rank == 0:
        host = times.pop("mpi4py")
        print(f"| {comm.size} | {width} | {np.median(host) * 1e6:.0f} | "
              + " | ".join(gain(host, way) for way in times.values()) + " |", flush=True)


for argument in sys.argv[1:]:
    race(MPI.COMM_WORLD, int(argument))
