#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the rank graphs NAME-P.mtx beside it from public matrices, and prints README.md's table.

    python3 -m venv /tmp/graphs && /tmp/graphs/bin/pip install networkx==3.6.1 numpy==2.4.6 \\
        pyamg==5.4.1 scikit-network==0.33.5 scipy==1.17.1
    /tmp/graphs/bin/python tests/graphs/make.py

The graphs are in the repository: only who adds one needs to run this.

A rank graph says who sends to whom when a sparse matrix times a vector is computed by P ranks, each
with a piece of consecutive rows and the same piece of the vector. Same packages, same bytes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import networkx
import numpy as np
import scipy.sparse
import sknetwork.data
from pyamg.gallery import load_example

HERE = Path(__file__).resolve().parent


@dataclass
class Source:
    package: str
    version: str
    licence: str

    def __str__(self):
        return f"{self.package} {self.version}, {self.licence}"


def installed(package, licence):
    return Source(package, version(package), licence)


PYAMG = installed("pyamg", "MIT")
NETWORKX = installed("networkx", "BSD-3-Clause")
SKNETWORK = installed("scikit-network", "BSD-3-Clause")


@dataclass
class Case:
    name: str
    ranks: int
    kind: str
    source: Source
    load: Callable


def pyamg_case(name, ranks, kind):
    return Case(name, ranks, kind, PYAMG, lambda: load_example(name)["A"])


def les_miserables():
    return networkx.to_scipy_sparse_array(networkx.les_miserables_graph())


CASES = [
    pyamg_case("airfoil", 16, "2D finite elements, triangles, around an airfoil"),
    pyamg_case("bar", 32, "3D linear elasticity, hexahedra, 3 rows per node"),
    pyamg_case("helmholtz_2D", 64, "2D Helmholtz, complex, discontinuous Galerkin, 3 rows per "
                                   "triangle"),
    pyamg_case("knot", 16, "finite elements on a knotted surface in 3D: a ring of ranks"),
    pyamg_case("local_disc_galerkin_diffusion", 32, "2D diffusion, local discontinuous Galerkin of "
                                                    "order 5, 21 rows per triangle"),
    pyamg_case("recirc_flow", 16, "2D recirculating flow (convection, diffusion), quadrilaterals"),
    pyamg_case("unit_cube", 32, "3D finite elements, tetrahedra"),
    pyamg_case("unit_square", 13, "2D finite elements, triangles, neighbors numbered far "
                                  "apart: nearly all to all"),
    Case("les_miserables", 32, "social network with hubs: who meets whom in the novel (Knuth)",
         NETWORKX, les_miserables),
    Case("painters", 13, "directed: links between painters' pages on Wikipedia", SKNETWORK,
         sknetwork.data.painters),
]


def without_zeros(matrix):
    """As coordinates, each once; csr adds up those that are given twice."""
    matrix = scipy.sparse.csr_array(matrix)
    matrix.eliminate_zeros()
    return matrix.tocoo()


def owners(indices, n, ranks):
    """Rank p owns floor(p n / P) .. floor((p+1) n / P) - 1."""
    first = np.arange(ranks + 1) * n // ranks
    return np.searchsorted(first, indices, side="right") - 1


def rank_graph(matrix, ranks):
    """P x P booleans: [r, s] where rank r needs a value of rank s."""
    n = matrix.shape[0]
    needs = np.zeros((ranks, ranks), dtype=bool)
    needs[owners(matrix.row, n, ranks), owners(matrix.col, n, ranks)] = True
    np.fill_diagonal(needs, False)
    return needs


def symmetric(needs):
    return bool((needs == needs.T).all())


def out_degrees(needs):
    return needs.sum(axis=0)


def head(case, matrix):
    return [
        "%%MatrixMarket matrix coordinate pattern general",
        f"% rank graph of {case.name} on {case.ranks} ranks: {case.kind}",
        f"% the matrix: {matrix.shape[0]} rows, {matrix.nnz} nonzeros; from {case.source}",
        "% i j: rank i-1 needs a value of rank j-1, edge j-1 -> i-1; made by tests/graphs/make.py",
    ]


def file_name(case):
    return f"{case.name}-{case.ranks}.mtx"


def write(case, matrix, needs):
    entries = [f"{i + 1} {j + 1}" for i, j in np.argwhere(needs)]
    size = f"{case.ranks} {case.ranks} {len(entries)}"
    (HERE / file_name(case)).write_text("\n".join([*head(case, matrix), size, *entries]) + "\n")


def table_row(case, matrix, needs):
    out = out_degrees(needs)
    cells = [f"`{file_name(case)}`", case.name, case.kind, matrix.shape[0], matrix.nnz, case.ranks,
             f"{out.min()} / {out.mean():.1f} / {out.max()}",
             "yes" if symmetric(needs) else "no", case.source]
    return "| " + " | ".join(map(str, cells)) + " |"


def main():
    print("| file | matrix | kind | rows | nonzeros | P | out-degree min / mean / max | symmetric "
          "| source, licence |\n|---|---|---|---|---|---|---|---|---|")
    for case in CASES:
        matrix = without_zeros(case.load())
        needs = rank_graph(matrix, case.ranks)
        write(case, matrix, needs)
        print(table_row(case, matrix, needs))


if __name__ == "__main__":
    main()
