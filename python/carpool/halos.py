# SPDX-License-Identifier: MIT
"""Halo exchanges of distributed arrays."""

import itertools
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from mpi4py import MPI

from carpool._device import is_array, stream_of
from carpool._integers import integers
from carpool._library import check, ffi, handle, lib, refused_as
from carpool._memory import array_of
from carpool.neighborhoods import Neighborhood, cartesian
from carpool.requests import Request
from carpool.settings import Settings, info_of

# An array of numpy, or of another library by DLPack or __cuda_array_interface__.
Array = Any


class Halo(Request):
    """A persistent request that fills the halos of distributed arrays. No cell is sent twice.

    Collective over the communicator of the grid. The arrays belong to the exchange from start() to
    its end, and the request keeps them alive. Errors that one rank finds are raised on all ranks.

    grid      a Neighborhood, or a communicator of MPI_Cart_create, of d dimensions
    arrays    one array, or several of one shape, type and strides, halo included. Their first d
              dimensions are those of the grid; further dimensions are the components of a cell.
              They may be slices of other arrays, and lie on a GPU (cupy, torch, numba)
    width     the cells of halo on each side: one number, or for each dimension a number or
              (before, after). Error texts of the library call these lower and upper
    stencil   the offsets that are read, a row of d coordinates for each. They determine which
              sides and corners are filled; by default those of the Neighborhood, and for a
              communicator all
    settings  info keys without their prefix, such as algorithm="direct"

    Example:

        >>> cells = np.ones((6, 7))
        >>> with carpool.Neighborhood(comm, offsets=carpool.moore(2)) as grid:
        ...     with carpool.Halo(grid, cells, width=1) as halo:
        ...         halo.start().wait()
    """

    def __init__(self, grid: Neighborhood | MPI.Cartcomm, arrays: Array | Sequence[Array],
                 width: int | Sequence[int | tuple[int, int]] = 1, *,
                 stencil: Sequence[Sequence[int]] | np.ndarray | None = None,
                 **settings: Unpack[Settings]):
        comm = grid.comm if isinstance(grid, Neighborhood) else cartesian(
            "grid", grid, "a Neighborhood or a communicator of Create_cart")
        if stencil is None and isinstance(grid, Neighborhood):
            stencil = grid.offsets
        made = ffi.new("Carpool_Request *")
        nothing = ffi.NULL, ffi.NULL, handle(comm), handle(MPI.INFO_NULL), made
        with refused_as(lib.Carpool_Halo_init_strided, *nothing):
            arrays = [array_of(one) for one in ([arrays] if is_array(arrays) else arrays)]
            read = _read(comm.ndim, arrays, width, stencil)
            stream = stream_of(arrays)
        with _described(*read) as (halo, strides), info_of(settings) as info:
            check(lib.Carpool_Halo_init_strided(halo, strides, handle(comm), handle(info), made))
        super().__init__(made, arrays)
        self._take_stream(stream)


@dataclass(frozen=True)
class _Layout:
    """The layout of the cells of a field."""
    shape: tuple[int, ...]
    strides: tuple[int, ...]  # bytes from a cell to the next
    dtype: np.dtype
    components: int

    def element(self) -> MPI.Datatype:
        """The datatype of a cell, committed."""
        return MPI.BYTE.Create_contiguous(self.dtype.itemsize * self.components).Commit()


def _read(d: int, arrays: list[np.ndarray], width, stencil):
    """The fields, their layout, the widths and the offsets."""
    lower, upper = _widths(width, d)
    offsets = _full(lower, upper) if stencil is None else integers(stencil)
    if offsets.ndim != 2 or offsets.shape[1] != d:
        raise ValueError(f"a stencil of shape {offsets.shape}, expected rows of {d} coordinates")
    fields = [field for array in arrays for field in _fields(array, d)]
    for array in arrays:
        _check_room(array.shape, lower, upper)
    layouts = {_layout(field, d) for field in fields}
    if len(layouts) != 1:
        raise ValueError("arrays of one halo have one shape, type and strides; these have "
                         f"{len(layouts)}" if layouts else "a halo has at least one array")
    return fields, layouts.pop(), (lower, upper), offsets


def _widths(width, d: int) -> tuple[list[int], list[int]]:
    each = [width] * d if np.isscalar(width) else list(width)
    if len(each) != d:
        raise ValueError(f"{len(each)} widths, expected {d}, or one for all")
    pairs = [integers((one, one) if np.isscalar(one) else one) for one in each]
    if any(pair.shape != (2,) for pair in pairs):
        raise ValueError(f"widths {width}, expected of each dimension a number or (before, after)")
    return [int(before) for before, _ in pairs], [int(after) for _, after in pairs]


def _check_room(shape, lower, upper) -> None:
    for k, (cells, before, after) in enumerate(zip(shape, lower, upper, strict=False)):
        if before + after > cells:
            raise ValueError(f"width is {before} before and {after} after in dimension {k}, "
                             f"expected at most {cells} together in an array of shape {shape}")


def _full(lower, upper) -> np.ndarray:
    """All directions in which there is a halo."""
    steps = [[0] + [-1] * (before > 0) + [1] * (after > 0)
             for before, after in zip(lower, upper, strict=True)]
    return np.array(list(itertools.product(*steps)), dtype=np.intc)


def _fields(array: np.ndarray, d: int) -> list[np.ndarray]:
    """The array, or an array for each component of a cell if these do not lie together."""
    if array.ndim < d:
        raise TypeError(f"a field is an array of at least {d} dimensions, those of the grid")
    if not array.flags.writeable:
        raise ValueError(f"a field of shape {array.shape} is read-only")
    if array.ndim == d or array[(0,) * d if all(array.shape[:d]) else ...].flags.c_contiguous:
        return [array]
    return [array[(..., *index)] for index in np.ndindex(array.shape[d:])]


def _layout(field: np.ndarray, d: int) -> _Layout:
    return _Layout(field.shape[:d], field.strides[:d], field.dtype, int(np.prod(field.shape[d:])))


@contextmanager
def _described(fields, layout: _Layout, widths, offsets: np.ndarray):
    """The Carpool_Halo for C, and the strides."""
    element = layout.element()
    address = ffi.new("void *[]", [ffi.cast("void *", field.ctypes.data) for field in fields])
    inner = np.array(layout.shape) - np.sum(widths, axis=0)
    shape, lower, upper, stencil = (ffi.new("int[]", np.ravel(numbers).tolist())
                                    for numbers in (inner, *widths, offsets))
    halo = ffi.new("Carpool_Halo *", {
        "fields": len(fields), "field": address, "shape": shape, "lower": lower, "upper": upper,
        "order": MPI.ORDER_C, "element": handle(element), "t": len(offsets), "stencil": stencil})
    try:
        yield halo, ffi.new("MPI_Aint[]", list(layout.strides))
    finally:
        element.Free()
