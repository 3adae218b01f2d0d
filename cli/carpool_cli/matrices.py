"""Matrices in Matrix Market's form, and the graphs of ranks that multiply them."""

import click
import numpy as np
from scipy.io import mmread
from scipy.sparse import coo_array

# As many ranks as the planner takes (cli/graph_question.cpp).
MOST_ROWS = 1 << 16


def rank_graph(file, ranks):
    """Who needs whose part of x for y = A x: row i and x_i are with one rank, which needs x_j of
    another where it stores some a_ij."""
    matrix = matrix_of(file)
    rows, columns = matrix.shape
    if ranks is None and rows != columns:
        raise click.UsageError(f"{file} is {rows} by {columns}, expected a square matrix, or "
                               f"--ranks to deal its rows to")
    if ranks is None and rows > MOST_ROWS:
        raise click.UsageError(f"{file} has {rows} rows, expected at most {MOST_ROWS} to take each "
                               f"for a rank; --ranks P deals them out")
    count = rows if ranks is None else ranks
    if count > min(rows, columns):
        raise click.UsageError(f"--ranks {ranks}, expected at most {min(rows, columns)}: "
                               f"{file} is {rows} by {columns}")
    needing = owner(matrix.row, rows, count)
    needed = owner(matrix.col, columns, count)
    edges = np.unique((needed * count + needing)[needed != needing])
    return count, (edges // max(count, 1)).tolist(), (edges % max(count, 1)).tolist()


def owner(index, number, ranks):
    """Rank p has those from floor(p number / ranks) on."""
    return ((index.astype(np.int64) + 1) * ranks - 1) // max(number, 1)


def matrix_of(file):
    try:
        return coo_array(mmread(file))
    except (ValueError, OverflowError, TypeError) as error:
        raise click.UsageError(f"{file} is no Matrix Market file: {error}") from None
