# SPDX-License-Identifier: MIT
"""Reads the capsules of DLPack, which tell where arrays of other libraries lie."""

import ctypes
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from cffi import FFI

CUDA, ROCM = 2, 10  # DLPack's numbers: memory of a GPU
HOST = 1, 3, 11, 13  # memory of the CPU, pinned for CUDA, pinned for ROCm, managed by CUDA

_KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}  # DLPack's codes of types that numpy has
_READ_ONLY = 1

_ffi = FFI()
_ffi.cdef("""
typedef struct { int32_t type, number; } DLDevice;
typedef struct { uint8_t code, bits; uint16_t lanes; } DLDataType;
typedef struct {
    uintptr_t data; DLDevice device; int32_t ndim; DLDataType dtype; int64_t *shape, *strides;
    uint64_t byte_offset;
} DLTensor;
typedef struct { DLTensor tensor; void *manager; void (*deleter)(void *); } DLManagedTensor;
typedef struct {
    uint32_t major, minor; void *manager; void (*deleter)(void *); uint64_t flags; DLTensor tensor;
} DLManagedTensorVersioned;
""")

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.argtypes = [ctypes.py_object, ctypes.c_char_p]


@dataclass(slots=True)
class Tensor:
    """An array as a capsule describes it. The capsule keeps its memory, since nobody renames it."""
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]  # in bytes
    dtype: np.dtype
    is_read_only: bool
    capsule: Any


def device_of(array) -> int | None:
    """DLPack's number of the kind of memory in which an array lies; None if it does not say."""
    return array.__dlpack_device__()[0] if hasattr(array, "__dlpack_device__") else None


def tensor_of(array, stream: int | None) -> Tensor:
    """The array, whose values are ready for what is launched on the stream from now on; None for
    memory of the host."""
    try:
        capsule = array.__dlpack__(stream=stream, max_version=(1, 0), copy=False)
    except TypeError:  # a library from before the versions
        capsule = array.__dlpack__(stream=stream)
    return _read(capsule)


def _read(capsule) -> Tensor:
    flags = 0
    if _is_valid(capsule, b"dltensor_versioned"):
        given = _ffi.cast("DLManagedTensorVersioned *", _pointer(capsule, b"dltensor_versioned"))
        if given.major != 1:
            raise BufferError(f"DLPack's version is {given.major}, expected 1")
        flags = given.flags
    else:
        given = _ffi.cast("DLManagedTensor *", _pointer(capsule, b"dltensor"))
    tensor, dtype = given.tensor, _dtype(given.tensor.dtype)
    shape = tuple(tensor.shape[0:tensor.ndim])
    if tensor.strides:
        strides = tuple(one * dtype.itemsize for one in tensor.strides[0:tensor.ndim])
    else:
        strides = tuple(dtype.itemsize * prod(shape[k + 1:]) for k in range(tensor.ndim))
    return Tensor(tensor.data + tensor.byte_offset if tensor.data else 0, shape, strides, dtype,
                  bool(flags & _READ_ONLY), capsule)


def _dtype(type) -> np.dtype:
    """The type of the elements: raw bytes, if it is none of numpy's."""
    bits = type.bits * type.lanes
    if bits % 8:
        raise BufferError(f"elements have {bits} bits, expected whole bytes")
    kind = _KINDS.get(type.code, "V") if type.lanes == 1 else "V"
    return np.dtype(f"{kind}{bits // 8}")
