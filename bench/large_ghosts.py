#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Updates of ghosts on many nodes of 64 ranks, without MPI: rule `node` against `direct`, by
`carpool explain` and `carpool simulate`. Prints a table for docs/measurements/ghosts.md.

    CARPOOL_BUILD=build/mpich-release bench/large_ghosts.py --nodes 16 128 --machines leonardo lumi

The matrices are kept in bench/out. Of the stencil they have only couplings between ranks. Needs
numpy, scipy and pymetis.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pymetis
from scipy import sparse
from scipy.spatial import Delaunay

OUT = Path(__file__).resolve().parent / "out"
PER_NODE = 64
EDGE = 8  # of the cube of points that a rank has of the stencil
COLUMNS = 2000  # that a rank has in the power law, and needs
POINTS = 200  # of the mesh, on each rank


def matrix(rows, columns, size):
    return sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(size, size))


def stencil(ranks):
    """27 points on cubes of 8^3 points, which lie in a box of ranks."""
    box = [1, 1, 1]
    while np.prod(box) < ranks:
        box[np.argmin(box)] *= 2
    lengths = EDGE * np.array(box)[:, None]
    points = np.indices(lengths[:, 0]).reshape(3, -1)
    number = row_numbers(points, box)
    rows, columns = [], []
    for offset in np.indices((3, 3, 3)).reshape(3, -1).T - 1:
        there = points + offset[:, None]
        inside = ((there >= 0) & (there < lengths)).all(axis=0)
        row, column = number[inside], row_numbers(there[:, inside], box)
        kept = (row // EDGE**3 != column // EDGE**3) | (row == column)
        rows.append(row[kept])
        columns.append(column[kept])
    return matrix(np.concatenate(rows), np.concatenate(columns), ranks * EDGE**3), None


def row_numbers(points, box):
    """Rank by rank."""
    rank, row = 0, 0
    for at, ranks in zip(points, box, strict=True):
        rank, row = rank * ranks + at // EDGE, row * EDGE + at % EDGE
    return rank * EDGE**3 + row


def power_law(ranks):
    """That of ghosts.cpp: column g is needed with a probability that falls as g^(-2/3)."""
    size = ranks * COLUMNS
    column = (size * np.random.default_rng(1).random(size)**3).astype(int)
    return matrix(np.arange(size), column % ranks * COLUMNS + column // ranks, size), None


def mesh(ranks):
    """Tetrahedra over random points, dealt by METIS to nodes, and then to the ranks of each."""
    points = POINTS * ranks
    starts, neighbors = Delaunay(np.random.default_rng(1).random((points, 3))).vertex_neighbor_vertices
    graph = sparse.csr_matrix((np.ones(len(neighbors)), neighbors, starts), shape=(points, points))
    node = parts_of(graph, ranks // PER_NODE)
    rank = np.zeros(points, int)
    for number in range(ranks // PER_NODE):
        own = np.flatnonzero(node == number)
        rank[own] = PER_NODE * number + parts_of(graph[own][:, own], PER_NODE)
    return graph, rank


def parts_of(graph, parts):
    return np.array(pymetis.part_graph(parts, pymetis.CSRAdjacency(graph.indptr, graph.indices))[1])


MATRICES = {"stencil": stencil, "power law": power_law, "mesh": mesh}


def files(name, ranks):
    """The arguments of the command for a matrix, which is made unless it is there."""
    path = OUT / f"large-{name.replace(' ', '-')}-{ranks}.npz"
    parts = path.with_suffix(".parts")
    if not path.exists():
        made, rank = MATRICES[name](ranks)
        OUT.mkdir(exist_ok=True)
        if rank is not None:
            np.savetxt(parts, rank, fmt="%d")
        sparse.save_npz(path, made)
    return [path, "--ranks", ranks, *(["--parts", parts] if parts.exists() else [])]


def asked(command, arguments, nodes, machine):
    """The answer of the command carpool."""
    carpool = Path(os.environ["CARPOOL_BUILD"]) / "bin" / "carpool"
    done = subprocess.run([carpool, command, *map(str, arguments), "--json", "--machine", machine,
                           "--platform", f"cluster:{nodes}x{PER_NODE}"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return json.loads(done.stdout)


def row(name, nodes, machine):
    given = files(name, nodes * PER_NODE)
    explained = asked("explain", given, nodes, machine)
    rules = {rule["name"]: rule for rule in explained["rules"]}
    direct = rules["direct"]["nodes"]
    best = min((rule for rule in rules if rule.startswith("node")),
               key=lambda rule: rules[rule]["nodes"]["once"]["estimate"])
    node = rules[best]["nodes"]
    simulated = [asked("simulate", [*given, "--algorithm", rule], nodes, machine)
                 for rule in ("direct", best)]
    times = [answer["methods"][0]["costs"][0]["time"] for answer in simulated]
    messages = [answer["methods"][0]["costs"][0]["between"]["messages"] for answer in simulated]
    estimates = [direct["estimate"], node["estimate"], node["once"]["estimate"]]
    bytes_between = [part["between"]["all_bytes"] for part in (direct, node, node["once"])]
    return [f"{name}, {nodes}", machine, best,
            " → ".join(f"{number:,}" for number in messages),
            " → ".join(f"{number / 2**20:.3g}" for number in bytes_between[1:]),
            " → ".join(f"{time * 1e6:.3g}" for time in times),
            " → ".join(f"{time * 1e6:.3g}" for time in estimates)]


HEAD = ("matrix, nodes", "machine", "rule", "messages between nodes", "MiB between nodes",
        "simulated, µs", "estimated, µs")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, nargs="+", default=[16, 128], help="of 64 ranks")
    parser.add_argument("--machines", nargs="+", default=["leonardo", "lumi"])
    parser.add_argument("--matrices", nargs="+", default=list(MATRICES), choices=MATRICES)
    options = parser.parse_args()
    print(f"| {' | '.join(HEAD)} |\n{'|---' * len(HEAD)}|")
    for nodes in options.nodes:
        for name in options.matrices:
            for machine in options.machines:
                print(f"| {' | '.join(row(name, nodes, machine))} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
