# SPDX-License-Identifier: MIT
"""Arrays in the memory of a GPU, as other libraries describe them."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from carpool import _dlpack

LEGACY_STREAM = 1  # the number of the legacy default stream in both protocols, for CUDA
_ROCM_STREAM = 0  # that of the default stream for ROCm
_NO_STREAMS = {0: "which may be either default stream", 2: "the default stream of each thread"}


class DeviceArray(np.ndarray):
    """The address, shape, strides and type of an array on a device. Nobody may read its elements:
    the CPU cannot.

    It is an array of numpy, so that all that reads those takes it: contiguity, slices, types.
    `stream` is the stream on which its values are made; None if it is not known, or need not be.
    """

    stream: int | None = None

    def __array_finalize__(self, parent):
        self.stream = getattr(parent, "stream", None)

    def __repr__(self) -> str:
        return f"<array of shape {self.shape} and type {self.dtype} on a device>"

    __str__ = __repr__


class _Interface:
    """What numpy reads, and what keeps the memory."""

    def __init__(self, described: dict, owner: Any):
        self.__array_interface__ = described
        self.owner = owner


def is_array(thing) -> bool:
    """Whether this is an array, and not a list or tuple of arrays."""
    return isinstance(thing, np.ndarray) or any(
        hasattr(thing, name)
        for name in ("__dlpack__", "__cuda_array_interface__", "__array_interface__"))


def device_array(array) -> DeviceArray | None:
    """The array, if it lies on a device, or if it is memory that CUDA describes; else None.

    Of arrays that speak both protocols, DLPack is asked where __cuda_array_interface__ does not
    tell the stream.
    """
    kind = _dlpack.device_of(array)
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is not None and (kind is None or interface.get("version", 0) >= 3):
        return _by_interface(interface, array)
    if kind == _dlpack.CUDA:
        return _by_dlpack(array, LEGACY_STREAM)
    if kind == _dlpack.ROCM:
        return _by_dlpack(array, _ROCM_STREAM)
    if kind is None or kind in _dlpack.HOST:
        return None
    raise TypeError(f"{named(array)} lies on a device of DLPack's kind {kind}, which Carpool does "
                    "not read, expected memory of CUDA, of ROCm or of the host")


def host_array(array) -> np.ndarray:
    """The array in memory of the host, by DLPack. One of before the versions may be written to:
    numpy would take it for read-only."""
    tensor = _dlpack.tensor_of(array, None)
    return np.asarray(_Interface(_described(tensor), tensor.capsule))


def stream_of(things: Iterable, others: int | None = None) -> int | None:
    """The stream of the arrays on devices among these things, and of others."""
    for one in things:
        mine = one.stream if isinstance(one, DeviceArray) else None
        if mine is not None and others not in (None, mine):
            raise ValueError(f"arrays of one call have the streams {others} and {mine}, expected one")
        others = others if mine is None else mine
    return others


def refuse_device(array) -> None:
    """For functions that take memory of the host alone."""
    kind = None if isinstance(array, np.ndarray) else _dlpack.device_of(array)
    if kind is None:
        on_device = hasattr(array, "__cuda_array_interface__")
    else:
        on_device = kind not in _dlpack.HOST
    if on_device:
        raise TypeError(f"{named(array)} lies in the memory of a GPU, which this function does not "
                        "read; give a copy on the host (cupy.asnumpy(array), array.cpu())")


def named(array) -> str:
    return f"a {type(array).__module__}.{type(array).__qualname__}"


def _by_interface(interface: dict, array) -> DeviceArray:
    if interface.get("mask") is not None:
        raise TypeError(f"{named(array)} has a mask, expected an array without")
    stream = interface.get("stream")
    if stream in _NO_STREAMS:
        raise ValueError(f"{named(array)} has the stream {stream}, {_NO_STREAMS[stream]}, expected "
                         "one that all threads can use")
    return _made({name: interface[name] for name in ("shape", "typestr", "descr", "data", "strides")
                  if interface.get(name) is not None}, array, array, stream)


def _by_dlpack(array, stream: int) -> DeviceArray:
    tensor = _dlpack.tensor_of(array, stream)
    return _made(_described(tensor), array, tensor.capsule, None)


def _described(tensor: _dlpack.Tensor) -> dict:
    return {"shape": tensor.shape, "typestr": tensor.dtype.str, "strides": tensor.strides,
            "data": (tensor.address, tensor.is_read_only), "version": 3}


def _made(described: dict, array, owner: Any, stream: int | None) -> DeviceArray:
    address, _ = described["data"]
    if address == 0 and 0 not in described["shape"]:
        raise ValueError(f"{named(array)} of shape {described['shape']} has the address 0")
    made = np.asarray(_Interface({**described, "version": 3}, owner)).view(DeviceArray)
    made.stream = stream
    return made
