# SPDX-License-Identifier: MIT
"""The offsets of named stencils: arrays with a row of coordinates for each neighbor."""

from collections.abc import Sequence

import numpy as np

from carpool._library import check, ffi, lib


def _offsets(dimensions: int, function, *arguments) -> np.ndarray:
    number = ffi.new("int *")
    check(function(*arguments, 0, number, ffi.NULL))
    found = np.zeros((number[0], dimensions), dtype=np.intc)
    check(function(*arguments, number[0], number, ffi.from_buffer("int[]", found)))
    return found


def moore(d: int, radius: int = 1) -> np.ndarray:
    """All offsets except zero with coordinates from -radius to radius, an array of d columns.

    Example:

        >>> carpool.moore(2).shape
        (8, 2)
    """
    return _offsets(d, lib.Carpool_Stencil_moore, d, radius)


def von_neumann(d: int, radius: int = 1) -> np.ndarray:
    """All offsets except zero that are at most radius unit steps long; a star if radius is 1.

    Example:

        >>> carpool.von_neumann(3).shape
        (6, 3)
    """
    return _offsets(d, lib.Carpool_Stencil_von_neumann, d, radius)


def positive_octant(d: int, radius: int = 1) -> np.ndarray:
    """All offsets except zero with coordinates from 0 to radius.

    Example:

        >>> carpool.positive_octant(3).shape
        (7, 3)
    """
    return _offsets(d, lib.Carpool_Stencil_positive_octant, d, radius)


def shales(d: int, radii: Sequence[int]) -> np.ndarray:
    """All offsets whose largest |coordinate| is one of the radii.

    Example:

        >>> carpool.shales(2, [1, 3]).shape
        (32, 2)
    """
    return _offsets(d, lib.Carpool_Stencil_shales, d, len(radii), list(radii))


def box(d: int, n: int, f: int) -> np.ndarray:
    """All offsets with coordinates from f to f + n - 1, also zero if it is among them.

    Example:

        >>> carpool.box(2, 3, -1).shape
        (9, 2)
    """
    return _offsets(d, lib.Carpool_Stencil_box, d, n, f)


def stencil(text: str) -> np.ndarray:
    """The stencil that a text describes, such as "moore 3 1" or "offsets 2: 0,1 0,-1".

    Example:

        >>> carpool.stencil("offsets 2: 0,1 0,-1").tolist()
        [[0, 1], [0, -1]]
    """
    d = ffi.new("int *")
    check(lib.Carpool_Stencil(text.encode(), 0, d, ffi.new("int *"), ffi.NULL))
    return _offsets(d[0], lambda most, *rest: lib.Carpool_Stencil(text.encode(), most, d, *rest))
