# SPDX-License-Identifier: MIT
"""Stands in for cupy where there is no GPU: as much of it as examples use, by the tests' driver.

As with cupy, functions return before the stream that is current has done what they say.
"""

import types

import gpu
import numpy as np


class Stream:
    def __init__(self, non_blocking=False):
        self.ptr = gpu.driver.stream()

    def __enter__(self):
        self._outer, ndarray.stream = ndarray.stream, self.ptr
        return self

    def __exit__(self, *error):
        ndarray.stream = self._outer


class Device:
    def __init__(self, number):
        assert number == 0

    def use(self):
        pass


cuda = types.SimpleNamespace(Device=Device, Stream=Stream,
                             runtime=types.SimpleNamespace(getDeviceCount=lambda: 1))


class ndarray(gpu.ByInterface):
    stream = 0  # the current one

    @property
    def __cuda_array_interface__(self):
        return {**super().__cuda_array_interface__, "stream": self.stream or gpu.LEGACY}

    def __add__(self, other):
        return _computed(np.add, self, other)

    def __truediv__(self, number):
        return _computed(np.divide, self, number)

    def __setitem__(self, index, values):
        part = self[index]

        def work():
            part.get()
            part._view[...] = _on_host(values)
            part.memory.write(part._whole)

        gpu.driver.launch(self.stream, work)


def _on_host(given):
    return given.get() if isinstance(given, ndarray) else given


def _computed(function, *operands):
    shapes = [one._view if isinstance(one, ndarray) else one for one in operands]
    made = ndarray(np.zeros_like(function(*shapes)))
    gpu.driver.launch(ndarray.stream, lambda: made.memory.write(function(*map(_on_host, operands))))
    return made


def asarray(values):
    return ndarray(values)


def zeros(shape, dtype=float):
    return ndarray(np.zeros(shape, dtype))


def asnumpy(array):
    gpu.driver.finish(array.stream)
    return array.get()
