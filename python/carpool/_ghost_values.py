# SPDX-License-Identifier: MIT
"""Converts the values of entries and ghosts to arguments of C.

A field is an array with the values of the owned entries and then of the ghosts, or a pair of two
arrays, (owned_values, ghost_values). The first dimension counts entries; all others are the
components of an entry.
"""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from mpi4py import MPI

from carpool._library import ffi, handle
from carpool._memory import Memory, array_of, memory_of

BYTE = handle(MPI.BYTE)
REFUSED = [0, 0, -1, BYTE]  # a field that C refuses, so that all ranks of an _init get an error
REFUSED_FIELDS = [-1, ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL]


@dataclass(slots=True)
class Field:
    """The two sides of an exchange, and the elements of an entry."""
    source: Memory
    target: Memory
    count: int
    type: MPI.Datatype

    def for_c(self) -> list:
        return [self.source.address, self.target.address, self.count, handle(self.type)]


def field(values: Any, owned: int, ghosts: int, is_reduction: bool) -> Field:
    """A field of a rank with so many entries and ghosts."""
    entries, copies = _sides(values, owned)
    _check_length("owned_values", entries, owned)
    _check_length("ghost_values", copies, ghosts)
    if (entries.dtype, entries.shape[1:]) != (copies.dtype, copies.shape[1:]):
        raise ValueError(f"an entry has {_described(entries)} and a ghost {_described(copies)}, "
                         "expected the same of both")
    source, target = (copies, entries) if is_reduction else (entries, copies)
    memory = memory_of(source, is_read_only=True)
    type, elements = _element(entries.dtype, memory.type, is_reduction)
    return Field(memory, memory_of(target, is_read_only=False),
                 elements * prod(entries.shape[1:]), type)


def fields_for_c(fields: list[Field]) -> list:
    """The lists of C: sources, targets, counts and types."""
    columns = zip(*(one.for_c() for one in fields), strict=True) if fields else [()] * 4
    kinds = "uintptr_t[]", "uintptr_t[]", "MPI_Count[]", "MPI_Datatype[]"
    return [len(fields), *(ffi.new(kind, list(column))
                           for kind, column in zip(kinds, columns, strict=True))]


def _sides(values, owned: int) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(values, tuple):
        if len(values) != 2:
            raise ValueError(f"a field of {len(values)} arrays, expected (owned_values, "
                             "ghost_values)")
        return _array(values[0]), _array(values[1])
    array = _array(values)
    return array[:owned], array[owned:]


def _array(given) -> np.ndarray:
    given = array_of(given)
    if given.ndim == 0 or not given.flags.c_contiguous:
        raise ValueError(f"an array of shape {given.shape} and strides {given.strides}, expected "
                         "entries one behind the other (numpy.ascontiguousarray)")
    if given.dtype.hasobject:
        raise TypeError(f"values are of type {given.dtype}, expected numbers")
    return given


def _check_length(name: str, array: np.ndarray, expected: int) -> None:
    if len(array) != expected:
        raise ValueError(f"{name} has a length of {len(array)}, expected {expected}")


def _element(dtype: np.dtype, found: MPI.Datatype | None, is_reduction: bool):
    """The type of an element and its number: bytes, where MPI has no type and none is needed.

    MPI's type for strings is that of a single character.
    """
    if found is not None and found.Get_size() == dtype.itemsize:
        return found, 1
    if is_reduction:
        raise TypeError(f"MPI has no datatype for values of type {dtype}, expected numbers")
    return MPI.BYTE, dtype.itemsize


def _described(array: np.ndarray) -> str:
    return f"{prod(array.shape[1:])} of {array.dtype}"
