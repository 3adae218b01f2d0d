# SPDX-License-Identifier: MIT
"""The memory of an array, and the MPI datatype of its elements."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from mpi4py import MPI

HOST_DEVICES = (1, 3, 13)  # DLPack's numbers: memory of the CPU, pinned for CUDA, managed by it


@dataclass(slots=True)
class Memory:
    """The memory of an array. `owner` keeps it alive."""
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
    if not isinstance(array, np.ndarray):
        _check_device(array)
        if not hasattr(array, "__dlpack__") and hasattr(array, "__array_interface__"):
            array = np.asarray(array)
    if isinstance(array, np.ndarray):
        _check_flags(array, is_read_only)
    if isinstance(array, (int, float, list, tuple)):
        raise TypeError(f"a buffer is an array, such as numpy.array([1, 2]), not {array!r:.60} of "
                        f"type {type(array).__name__}")
    found = MPI.buffer.frombuffer(array, readonly=is_read_only)
    return Memory(found.address, found.nbytes, _type_of(_code(array)), found)


def _check_flags(array: np.ndarray, is_read_only: bool) -> None:
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        raise ValueError(f"an array of shape {array.shape} and strides {array.strides} has gaps; "
                         "give a copy (numpy.ascontiguousarray), or the whole array with a derived "
                         "datatype")
    if not is_read_only and not array.flags.writeable:
        raise ValueError(f"an array of shape {array.shape} is read-only, but is received into")


def _check_device(array) -> None:
    on_device = hasattr(array, "__cuda_array_interface__")
    if hasattr(array, "__dlpack_device__"):
        on_device = array.__dlpack_device__()[0] not in HOST_DEVICES
    if on_device:
        raise TypeError(f"a {type(array).__module__}.{type(array).__qualname__} lies in the memory "
                        "of a GPU, which Carpool does not read; give a copy on the host "
                        "(cupy.asnumpy(array), array.cpu())")


def _code(array) -> str:
    """The type code of the elements, for which MPI may have a datatype."""
    if not isinstance(array, np.ndarray):
        try:
            return memoryview(array).format
        except TypeError:
            array = np.from_dlpack(array)
    return array.dtype.char if array.dtype.isnative else array.dtype.str


def _type_of(code: str) -> MPI.Datatype | None:
    if code not in _types:
        try:
            found = MPI.Datatype.fromcode(code)
        except ValueError:
            found = MPI.DATATYPE_NULL
        _types[code] = None if found == MPI.DATATYPE_NULL else found
    return _types[code]
