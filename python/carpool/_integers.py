"""Integers as C takes them. What is none, or too large, is refused: numpy would cut it off."""

import numpy as np


def integers(given, dtype=np.intc) -> np.ndarray:
    """In one piece; the array itself, if it is that already."""
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
