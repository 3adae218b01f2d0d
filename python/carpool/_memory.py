# SPDX-License-Identifier: MIT
"""The memory of an array, and the MPI datatype of its elements."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from mpi4py import MPI

from carpool._device import DeviceArray, device_array, host_array


@dataclass(slots=True)
class Memory:
    """The memory of an array. `owner` keeps it alive; it is a DeviceArray, if the memory may be that
    of a device."""
    address: int
    bytes: int
    type: MPI.Datatype | None
    owner: Any


NOTHING = Memory(0, 0, MPI.BYTE, None)
_types: dict[str, MPI.Datatype | None] = {}


def memory_of(array, is_read_only: bool) -> Memory:
    if array is None:
        return NOTHING
    if array is MPI.BOTTOM:
        return Memory(int(MPI.BOTTOM), 1 << 62, None, None)
    if isinstance(array, (int, float, list, tuple)):
        raise TypeError(f"a buffer is an array, such as numpy.array([1, 2]), not {array!r:.60} of "
                        f"type {type(array).__name__}")
    if not isinstance(array, np.ndarray):
        array = _seen_by_numpy(array)
    if isinstance(array, np.ndarray):
        _check_flags(array, is_read_only)
    if isinstance(array, DeviceArray):
        return Memory(array.ctypes.data, array.nbytes, _type_of(_code(array)), array)
    found = MPI.buffer.frombuffer(array, readonly=is_read_only)
    return Memory(found.address, found.nbytes, _type_of(_code(array)), found)


def array_of(given) -> np.ndarray:
    """The given memory as an array of numpy, never a copy."""
    if isinstance(given, np.ndarray):
        return given
    seen = _seen_by_numpy(given)
    if isinstance(seen, np.ndarray):
        return seen
    memory_of(seen, is_read_only=True)  # refuses numbers and lists
    return np.asarray(seen)


def _seen_by_numpy(array):
    """An array of numpy; the given one, if it has nothing but a buffer."""
    found = device_array(array)
    if found is not None:
        return found
    if hasattr(array, "__dlpack__"):
        return host_array(array)
    return np.asarray(array) if hasattr(array, "__array_interface__") else array


def _check_flags(array: np.ndarray, is_read_only: bool) -> None:
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        raise ValueError(f"an array of shape {array.shape} and strides {array.strides} has gaps; "
                         "give a copy (numpy.ascontiguousarray), or the whole array with a derived "
                         "datatype")
    if not is_read_only and not array.flags.writeable:
        raise ValueError(f"an array of shape {array.shape} is read-only, but is received into")


def _code(array) -> str:
    """The type code of the elements, for which MPI may have a datatype."""
    if not isinstance(array, np.ndarray):
        return memoryview(array).format
    return array.dtype.char if array.dtype.isnative else array.dtype.str


def _type_of(code: str) -> MPI.Datatype | None:
    if code not in _types:
        try:
            found = MPI.Datatype.fromcode(code)
        except ValueError:
            found = MPI.DATATYPE_NULL
        _types[code] = None if found == MPI.DATATYPE_NULL else found
    return _types[code]
