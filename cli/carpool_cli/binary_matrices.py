# SPDX-License-Identifier: MIT
"""Matrices in other forms than Matrix Market's: scipy's .npz, PETSc's binary files, and Harwell-Boeing's."""

import io

import numpy as np
from scipy.io import hb_read
from scipy.sparse import coo_array, load_npz

from carpool_cli import files, patterns

PETSC_CLASS = 1211216  # the first integer of a matrix, as wide as its indices


def of_npz(file, content, given):
    try:
        return patterns.of_matrix(coo_array(load_npz(io.BytesIO(content))))
    except Exception as error:  # whatever zip files and arrays may have wrong
        raise files.Unreadable(f"{file} is no sparse matrix that scipy.sparse.save_npz has written: {error}") from None


def of_boeing(file, content, given):
    try:
        return patterns.of_matrix(hb_read(io.StringIO(files.decoded(file, content)), spmatrix=False))
    except files.Unreadable:
        raise
    except Exception as error:  # scipy has no one kind of error for files that it does not take
        raise files.Unreadable(f"{file}: a matrix in Harwell-Boeing's form, of which scipy reads those with real or "
                               f"integer values and no symmetry: {error}") from None


def of_petsc(file, content, given):
    """PETSc's own reader is not on PyPI without PETSc. All numbers are big-endian: the class, rows, columns, entries,
    the entries of each row, then their columns and their values."""
    wide = content.startswith(bytes(4))
    numbers = np.frombuffer(content, ">i8" if wide else ">i4", count=len(content) // (8 if wide else 4))
    if len(numbers) < 4 or numbers[0] != PETSC_CLASS or numbers[1:4].min() < 0:
        raise files.Unreadable(f"{file} is no sparse matrix of PETSc: expected the numbers of rows, columns and entries")
    rows, columns, entries = (int(number) for number in numbers[1:4])
    lengths, needed = numbers[4:4 + rows], numbers[4 + rows:4 + rows + entries]
    if len(lengths) != rows or len(needed) != entries or lengths.min(initial=0) < 0 or lengths.sum() != entries:
        raise files.Unreadable(f"{file} is no sparse matrix of PETSc: expected the lengths of {rows} rows, and "
                               f"{entries} columns")
    return patterns.Pattern(rows, columns, np.repeat(np.arange(rows), lengths), needed.astype(np.int64))
