# SPDX-License-Identifier: MIT
"""Opens libcarpool for the MPI that mpi4py has loaded, and raises its errors as mpi4py does."""

import ctypes
import os
from contextlib import contextmanager
from pathlib import Path

from cffi import FFI
from mpi4py import MPI

from carpool._declarations import FUNCTIONS

# Handles are ints on MPICH and pointers on Open MPI, and both are numbers here.
_BYTES = MPI._sizeof(MPI.Comm)
_MASK = (1 << 8 * _BYTES) - 1
_HANDLE = "unsigned int" if _BYTES == 4 else "uintptr_t"
_TYPES = f"""
typedef {_HANDLE} MPI_Comm, MPI_Datatype, MPI_Op, MPI_Info;
typedef long long MPI_Count;
typedef intptr_t MPI_Aint;
typedef struct Carpool_Request_s *Carpool_Request;
typedef struct Carpool_Delivery_s *Carpool_Delivery;
typedef struct Carpool_Ghosts_s *Carpool_Ghosts;
typedef struct Carpool_Halo {{
    int fields; void *const *field; const int *shape; const int *lower; const int *upper; int order;
    MPI_Datatype element; int t; const int *stencil;
}} Carpool_Halo;
typedef struct Carpool_Plan {{
    char algorithm[32];
    MPI_Count phases, rounds, messages, volume, bytes, shared_bytes, without_memory;
}} Carpool_Plan;
"""
_NAMES = {"libmpi.so.12": "MPICH", "libmpi.so.40": "Open MPI"}


def _path() -> str:
    """The library: in the build folder CARPOOL_BUILD, in the wheel, or where the system looks."""
    if build := os.environ.get("CARPOOL_BUILD"):
        return str(Path(build) / "src" / "libcarpool.so")
    packaged = Path(__file__).parent / "lib" / "libcarpool.so"
    return str(packaged) if packaged.exists() else "libcarpool.so"


def _refused(built_for: str) -> ImportError:
    return ImportError(f"carpool: {_path()} is built for {built_for}, but mpi4py runs "
                       f"{_named(MPI.Get_library_version())}; install the wheel of carpool for "
                       "that MPI, or build it: pip install .")


def _named(version: str) -> str:
    """Name and number of an MPI, from its version text."""
    first = version.strip("\0").split("\n")[0].split(",")[0]
    return " ".join(first.replace("Version:", "").split())


def _opened(ffi: FFI):
    """The opened library. It must use the MPI of mpi4py, because two MPIs in one process cannot
    work together."""
    try:
        library = ffi.dlopen(_path())
    except OSError as error:
        for file, name in _NAMES.items():
            if file in str(error):
                raise _refused(name) from None
        raise ImportError(f"carpool: {error}") from None
    own, theirs = ctypes.CDLL(_path()), ctypes.CDLL(MPI.__file__)
    if _address(own.MPI_Init) != _address(theirs.MPI_Init):
        text = ctypes.create_string_buffer(8192)
        own.MPI_Get_library_version(text, ctypes.byref(ctypes.c_int()))
        raise _refused(_named(text.value.decode()))
    return library


def _address(function) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _declared() -> FFI:
    ffi = FFI()
    ffi.cdef(_TYPES + FUNCTIONS)
    return ffi


ffi = _declared()
lib = _opened(ffi)


def version() -> str:
    """The version of the library, such as "1.2.3"."""
    numbers = [ffi.new("int *") for _ in range(3)]
    lib.Carpool_Get_version(*numbers)
    return ".".join(str(number[0]) for number in numbers)


def handle(thing) -> int:
    """The handle of an object of mpi4py."""
    return MPI._handleof(thing) & _MASK


@contextmanager
def refused_as(function, *arguments):
    """If an argument cannot be read, calls C with arguments that it refuses before the exception
    goes on: so the other ranks, which are in that call or will be, get an error too."""
    try:
        yield
    except Exception:
        function(*arguments)
        raise


def check(code: int) -> None:
    """Raises the error of a code. Its text names the argument, its value and the rank."""
    if code:
        raise MPI.Exception(code)
