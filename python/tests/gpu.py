# SPDX-License-Identifier: MIT
"""Arrays on a GPU, as cupy, torch and numba have them, by the driver that CARPOOL_TEST_CUDA names.

Those of the tests' own driver (tests/mpi/device) are memory that the CPU cannot read.
"""

import copy
import ctypes
import os

import numpy as np
from cffi import FFI

LEGACY = 1  # the legacy default stream in both protocols

_ffi = FFI()
_ffi.cdef("""
typedef struct {
    uintptr_t data; int32_t kind, number, ndim; uint8_t code, bits; uint16_t lanes;
    int64_t *shape, *strides; uint64_t byte_offset;
} Tensor;
typedef struct { Tensor tensor; uintptr_t manager, deleter; } Managed;
typedef struct { uint32_t major, minor; uintptr_t manager, deleter; uint64_t flags; Tensor tensor; } Versioned;
""")
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_name_of = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_GetName", ctypes.pythonapi))
_pointer_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))
_managed = {}  # what the living capsules describe, by address


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _release(capsule):
    del _managed[_pointer_in(capsule, _name_of(capsule))]


_CODES = {"i": 0, "u": 1, "f": 2, "V": 4, "c": 5, "b": 6}


class Driver:
    """The functions of the driver that the tests use."""

    def __init__(self, path):
        self._library = ctypes.CDLL(path)
        self._context = ctypes.c_void_p()
        self("cuInit", 0)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), 0)
        self.allocated = 0
        self._launched = []

    def __call__(self, name, *arguments):
        result = self._library[name](*arguments)
        assert result == 0, f"{name} failed with {result}"

    def here(self, name, *arguments):
        """A call for which the context is current."""
        self("cuCtxPushCurrent_v2", self._context)
        try:
            self(name, *arguments)
        finally:
            self("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))


    def stream(self):
        """The handle of a new stream."""
        self._library.fake_cuda_stream.restype = ctypes.c_void_p
        return self._library.fake_cuda_stream()

    def launch(self, stream, work):
        """Puts a function of Python on a stream of the tests' driver."""
        kept = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: work())
        self._launched.append(kept)
        self._library.fake_cuda_launch(ctypes.c_void_p(stream), kept, None)

    def finish(self, stream):
        self.here("cuStreamSynchronize", ctypes.c_void_p(stream))


driver = Driver(os.environ["CARPOOL_TEST_CUDA"]) if "CARPOOL_TEST_CUDA" in os.environ else None


class Memory:
    """Memory of the GPU with the bytes of an array."""

    def __init__(self, array):
        self.bytes = array.nbytes
        address = ctypes.c_uint64(0)
        if self.bytes:
            driver.here("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(self.bytes))
        self.address = address.value
        if self.bytes:
            self.write(array)
        driver.allocated += 1

    def write(self, array):
        driver.here("cuMemcpyHtoD_v2", ctypes.c_uint64(self.address),
                    ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(self.bytes))

    def read_into(self, array):
        if self.bytes:
            driver.here("cuMemcpyDtoH_v2", ctypes.c_void_p(array.ctypes.data),
                        ctypes.c_uint64(self.address), ctypes.c_size_t(self.bytes))

    def __del__(self):
        if self.address:
            driver.here("cuMemFree_v2", ctypes.c_uint64(self.address))
        driver.allocated -= 1


class OnGpu:
    """An array on the GPU with the values of one of numpy. Slices are views of it."""

    def __init__(self, array, **said):
        """`said` is what the protocol says otherwise than of a plain array."""
        array = np.asarray(array)
        gapless = array if array.flags.f_contiguous else np.ascontiguousarray(array)
        self.memory = Memory(gapless)
        self.said = said
        self._whole = np.empty_like(gapless)  # of the same layout, on the host
        self._view = self._whole

    def __getitem__(self, index):
        made = copy.copy(self)
        made._view = self._view[index]
        return made

    @property
    def shape(self):
        return self._view.shape

    @property
    def dtype(self):
        return self._view.dtype

    @property
    def address(self):
        return self.memory.address and self.memory.address + self.offset

    @property
    def offset(self):
        """From the beginning of the memory."""
        return self._view.ctypes.data - self._whole.ctypes.data

    def get(self):
        """A copy on the host."""
        self.memory.read_into(self._whole)
        return self._view.copy()


class ByInterface(OnGpu):
    """As cupy and numba have it."""

    @property
    def __cuda_array_interface__(self):
        is_plain = self._view.flags.c_contiguous
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.address, False),
                "strides": None if is_plain else self._view.strides, "version": 3, "stream": None,
                **self.said}


class ByOldInterface(ByInterface):
    """As torch has it, without DLPack."""

    @property
    def __cuda_array_interface__(self):
        described = {**super().__cuda_array_interface__, "version": 2}
        del described["stream"]
        return described


class ByDlpack(OnGpu):
    """As DLPack was before versions."""

    kind = 2
    asked = ()  # the streams that were asked for

    def __dlpack_device__(self):
        return self.said.get("kind", self.kind), 0

    def __dlpack__(self, stream=None):
        self.asked = [*self.asked, stream]
        made = _ffi.new("Managed *")
        return self._described(made, made.tensor, b"dltensor")

    def _described(self, made, tensor, name):
        width = self.dtype.itemsize
        tensor.kind, tensor.number = self.__dlpack_device__()
        tensor.ndim, tensor.code, tensor.bits = self._view.ndim, _CODES[self.dtype.kind], 8 * width
        tensor.lanes = 1
        tensor.data, tensor.byte_offset = self.address and self.address - self.offset, self.offset
        shape = tensor.shape = _ffi.new("int64_t[]", list(self.shape))
        strides = _ffi.new("int64_t[]", [one // width for one in self._view.strides])
        tensor.strides = _ffi.NULL if self._view.flags.c_contiguous else strides
        address = int(_ffi.cast("uintptr_t", made))
        _managed[address] = made, shape, strides, self.memory
        return _new_capsule(address, name, _release)


class ByVersionedDlpack(ByDlpack):
    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        assert max_version >= (1, 0) and copy is False
        self.asked = [*self.asked, stream]
        made = _ffi.new("Versioned *", {"major": 1, "flags": self.said.get("flags", 0)})
        return self._described(made, made.tensor, b"dltensor_versioned")


PROTOCOLS = [ByInterface, ByOldInterface, ByDlpack, ByVersionedDlpack]


def on_gpu(buffer, make=ByInterface):
    """A buffer, with its array on the GPU."""
    if isinstance(buffer, list):
        return [on_gpu(buffer[0], make), *buffer[1:]]
    return make(buffer) if isinstance(buffer, np.ndarray) else buffer


def on_host(given):
    """The same arguments with copies on the host."""
    if isinstance(given, OnGpu):
        return given.get()
    return type(given)(map(on_host, given)) if type(given) in (list, tuple) else given
