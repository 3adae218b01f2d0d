# SPDX-License-Identifier: MIT
"""Who needs whose values: the pattern of a matrix, a mesh or a graph, and how its rows are dealt to ranks."""

from dataclasses import dataclass

import numpy as np

from carpool_cli import files
from carpool_cli.edge_files import Graph, Takers
from carpool_cli.planner import MOST_RANKS


@dataclass(frozen=True)
class Pattern:
    """Row `needing[k]` needs value `needed[k]`, as for y = A x: row i and x_i are with one rank, which needs x_j
    of another where it stores some a_ij."""

    rows: int
    columns: int
    needing: np.ndarray
    needed: np.ndarray
    noun: str = "row"  # what a row is in the file

    @property
    def size(self):
        return f"{self.rows} by {self.columns}"

    @property
    def nouns(self):
        return "vertices" if self.noun == "vertex" else f"{self.noun}s"


def of_matrix(matrix):
    """@param matrix: sparse, of scipy"""
    entries = matrix.tocoo()
    return Pattern(*matrix.shape, entries.row, entries.col)


def check(file, pattern):
    """Other people's files may have any numbers."""
    for ends, count, what in ((pattern.needing, pattern.rows, pattern.noun), (pattern.needed, pattern.columns, "column")):
        if len(ends) and not (0 <= ends.min() and ends.max() < count):
            raise files.Unreadable(f"{file}: an entry in {what} {ends.max() if ends.min() >= 0 else ends.min()}, expected "
                                   f"from 0 to {count - 1}")


def graph_of_rows(file, pattern):
    """Each row is a rank; an edge carries one block."""
    if pattern.rows != pattern.columns:
        raise files.Unreadable(f"{file} is {pattern.size}, expected a square matrix, or --ranks to deal its rows to")
    if pattern.rows > MOST_RANKS:
        raise files.Unreadable(f"{file} has {pattern.rows} {pattern.nouns}, expected at most {MOST_RANKS} to take each "
                               f"for a rank; --ranks P deals them out")
    edges = unique_pairs(pattern.needed, pattern.needing, max(pattern.rows, 1))
    return Graph(pattern.rows, *edges)


def unique_pairs(first, second, count, among=None):
    """Each pair of numbers once, in ascending order; of different numbers, unless it is given which pairs count.
    @param count: more than any second number"""
    first, second = np.asarray(first, np.int64), np.asarray(second, np.int64)
    different = first != second if among is None else among
    return np.divmod(unique(first[different] * count + second[different]), count)


def unique(numbers):
    """Sorted, which for many numbers is faster than np.unique, which looks them up one by one."""
    numbers.sort()
    return numbers[np.flatnonzero(np.diff(numbers, prepend=-1))]


def dealt(pattern, owners, ranks):
    """The graph of ranks, each edge with the values that its target needs of its source.
    @param owners: of rows and of columns, each a function from their numbers to ranks"""
    row_owner, column_owner = owners
    taker = row_owner(pattern.needing)
    crosses = taker != column_owner(pattern.needed)
    columns, takers = unique_pairs(pattern.needed, taker, ranks, among=crosses)
    holders = column_owner(columns)
    edges, along = np.unique(holders * ranks + takers, return_inverse=True)
    return Graph(ranks, edges // ranks, edges % ranks, values=np.bincount(along, minlength=len(edges)),
                 takers=in_classes(columns, holders, takers, along, ranks))


def in_classes(columns, holders, takers, along, ranks):
    """The classes: columns of one owner that the same ranks take are one."""
    if not len(columns):
        return Takers.none()
    starts = np.flatnonzero(np.diff(columns, prepend=-1))
    signs = np.random.default_rng(1).integers(1, 1 << 63, (2, ranks), dtype=np.uint64)
    # equal sets have equal sums; unequal ones collide by chance about once in 2^64 pairs
    sums = np.add.reduceat(signs[0][takers], starts) + signs[1][holders[starts]]
    _, first, classes, counts = np.unique(sums, return_index=True, return_inverse=True, return_counts=True)
    lengths = np.diff(np.append(starts, len(columns)))
    is_first = np.zeros(len(starts), bool)
    is_first[first] = True
    listed = np.repeat(is_first, lengths)
    return Takers(counts, np.repeat(classes, lengths)[listed], along[listed])
