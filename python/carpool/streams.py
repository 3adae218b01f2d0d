# SPDX-License-Identifier: MIT
"""Streams of CUDA, on which buffers in memory of a GPU are packed and unpacked."""

from contextlib import contextmanager
from operator import index
from typing import Any

from mpi4py import MPI

from carpool._library import check, handle, lib

# A stream of cupy, torch or cuda.core, or its handle; None is the legacy default stream.
Stream = Any

_key = MPI.Comm.Create_keyval()  # of what set_stream has set, since C does not tell


def set_stream(comm: MPI.Comm, stream: Stream) -> None:
    """Sets the stream on which later calls on comm pack and unpack buffers in memory of a GPU. Local.

    Before that it is the legacy default stream. With any other stream, a call or request ends when its
    unpacking has been launched: what is launched on the stream later finds what has come, and other
    readers wait for the stream. Arrays that tell their stream (cupy) go by that.

    stream  a stream of cupy or torch, or the handle of a stream as a number; None for the legacy
            default stream

    Example:

        >>> carpool.set_stream(comm, None)
    """
    check(lib.Carpool_Comm_set_stream(handle(comm), number(stream)))
    comm.Set_attr(_key, stream)


@contextmanager
def stream_for_call(comm: MPI.Comm, stream: int):
    """Sets the stream of a communicator for one call."""
    check(lib.Carpool_Comm_set_stream(handle(comm), number(stream)))
    try:
        yield
    finally:
        lib.Carpool_Comm_set_stream(handle(comm), number(comm.Get_attr(_key)))


def number(stream: Stream) -> int:
    """The handle of the stream; 0 for the legacy default stream."""
    if stream is None:
        return 0
    if hasattr(stream, "__cuda_stream__"):
        return stream.__cuda_stream__()[1]
    for name in ("ptr", "cuda_stream"):  # cupy, torch
        if hasattr(stream, name):
            return getattr(stream, name)
    try:
        return index(stream)
    except TypeError:
        raise TypeError(f"stream is of type {type(stream).__name__}, expected a stream of cupy or "
                        "torch, the handle of a stream, or None") from None
