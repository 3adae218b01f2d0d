# SPDX-License-Identifier: MIT
"""Assembles a finite-element vector on an unstructured mesh: mpiexec -n 4 python assembly.py

Each rank has a part of the triangles. A vertex that several ranks have is owned by the first of
them, and is a ghost on the others. Each rank sums what its own triangles contribute; then one
reduction adds the sums of ghosts into those of their owners.
"""

import numpy as np
from mpi4py import MPI
from scipy.spatial import Delaunay

import carpool


def parts_of(points, ranks):
    """A rank for each point, by bisection along the longer side."""
    part = np.zeros(len(points), dtype=int)
    if ranks > 1:
        half = ranks // 2
        order = np.argsort(points[:, np.argmax(np.ptp(points, axis=0))])
        first, second = np.split(order, [len(points) * half // ranks])
        part[first] = parts_of(points[first], half)
        part[second] = half + parts_of(points[second], ranks - half)
    return part


def numbered(points, triangles, part, ranks):
    """The mesh with its vertices numbered owner by owner, and the ranges of numbers."""
    owner = np.full(len(points), ranks - 1)
    np.minimum.at(owner, triangles, part[:, None])
    order = np.argsort(owner, kind="stable")
    ranges = np.searchsorted(owner[order], np.arange(ranks + 1))
    return points[order], np.argsort(order)[triangles], ranges


def shares(points, triangles):
    """What triangles contribute to their corners: a third of their area times f(x, y) = 1 + x y."""
    a, b, c = points[triangles].transpose(1, 2, 0)
    area = abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2
    return area[:, None] / 3 * (1 + points[triangles].prod(axis=2))


def assembled(comm, points, triangles, ranges):
    """This rank's entries of the vector, from its own triangles and those of other ranks."""
    first, last = ranges[comm.rank:comm.rank + 2]
    is_own = (first <= triangles) & (triangles < last)
    needed = np.unique(triangles[~is_own])
    place = np.where(is_own, triangles - first, last - first + np.searchsorted(needed, triangles))
    with carpool.Ghosts.of_ranges(comm, ranges, needed) as ghosts:
        vector = np.bincount(place.ravel(), shares(points, triangles).ravel(),
                             minlength=ghosts.owned + ghosts.size)
        ghosts.reduce(vector)
        return vector[:ghosts.owned], ghosts.size


comm = MPI.COMM_WORLD
points = np.random.default_rng(1).random((2000, 2))
triangles = Delaunay(points).simplices
part = parts_of(points[triangles].mean(axis=1), comm.size)
points, triangles, ranges = numbered(points, triangles, part, comm.size)
vector, ghosts = assembled(comm, points, triangles[part == comm.rank], ranges)

whole = np.bincount(triangles.ravel(), shares(points, triangles).ravel(), minlength=len(points))
error = abs(vector - whole[ranges[comm.rank]:ranges[comm.rank + 1]]).max(initial=0)
print(f"rank {comm.rank}: {len(vector)} vertices and {ghosts} ghosts, error {error:.1e}", flush=True)
assert error < 1e-12
