#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Partitions tetrahedra over random points of a cube, and writes the ghosts of each part to
bench/out/mesh-POINTS-PARTS.txt, for bench/ghosts.cpp: a point has ghosts of those with which it
shares an edge.

    bench/mesh_parts.py 100000 16

Needs numpy, scipy and pymetis.
"""

import sys
from pathlib import Path

import numpy as np
import pymetis
from scipy import sparse
from scipy.spatial import Delaunay

OUT = Path(__file__).resolve().parent / "out"


def graph_of(points):
    """The edges of all tetrahedra, as a matrix."""
    starts, neighbors = Delaunay(points).vertex_neighbor_vertices
    return sparse.csr_array((np.ones(len(neighbors)), neighbors, starts), shape=2 * (len(points), ))


def parts_of(graph, parts):
    """The part of each point, by METIS."""
    _, part = pymetis.part_graph(parts, pymetis.CSRAdjacency(graph.indptr, graph.indices))
    return np.array(part)


def ghosts_of(graph, part, number):
    """The points of other parts that a part needs, in the order of their owners and of points."""
    needed = np.unique(graph[np.flatnonzero(part == number)].indices)
    others = needed[part[needed] != number]
    return others[np.argsort(part[others], kind="stable")]


def lines(graph, part, parts):
    """The lines of the file."""
    index = np.zeros(len(part), int)  # of a point among those of its part
    for number in range(parts):
        own = part == number
        index[own] = np.arange(np.count_nonzero(own))
    yield str(parts)
    for number in range(parts):
        ghosts = ghosts_of(graph, part, number)
        yield f"{np.count_nonzero(part == number)} {len(ghosts)}"
        yield from (f"{owner} {at}" for owner, at in zip(part[ghosts], index[ghosts], strict=True))


def written(points, parts):
    """The file, which is made unless it is there."""
    path = OUT / f"mesh-{points}-{parts}.txt"
    if not path.exists():
        OUT.mkdir(exist_ok=True)
        graph = graph_of(np.random.default_rng(1).random((points, 3)))
        path.write_text("\n".join(lines(graph, parts_of(graph, parts), parts)) + "\n")
    return path


if __name__ == "__main__":
    print(written(*map(int, sys.argv[1:])))
