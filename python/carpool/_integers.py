# SPDX-License-Identifier: MIT
"""Converts integers for C. Raises an error for other numbers and numbers that are too large, which
numpy would truncate."""

import numpy as np


def integers(given, dtype=np.intc) -> np.ndarray:
    """An array of integers without gaps; the given array itself, if it is one already."""
    array = np.asarray(given)
    if array.size and array.dtype.kind not in "biu":
        raise TypeError(f"{_shown(given)} of type {array.dtype}, expected integers")
    found = np.asarray(array, dtype=dtype, order="C")
    if found is not array and (found != array).any():
        raise OverflowError(f"{_shown(given)}, expected integers of {found.itemsize} bytes")
    return found


def _shown(given) -> str:
    text = " ".join(str(given).split())
    return text if len(text) <= 60 else f"{text[:60]} …"
