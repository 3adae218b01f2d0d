# SPDX-License-Identifier: MIT
"""Converts buffers, given as mpi4py takes them, to arguments of C.

A buffer is an array, or a list or tuple of an array and its division into blocks:

    blocks  [array, count, type], [array, type], [array, count]                blocks of one size
    pieces  [array, counts, displs, type], [array, (counts, displs)], [array, counts]
                                                                          blocks of different sizes
    typed   [array, counts, displs, types], [array, types]   a type for each, displs in bytes

Parts that are left out follow from the array. An array is any object with a buffer, DLPack or an
array interface, without gaps, in memory of the host or of a GPU.
"""

from operator import index
from typing import Any

import numpy as np
from mpi4py import MPI
from mpi4py.typing import BufSpecB, BufSpecV, BufSpecW, InPlace

from carpool._integers import integers
from carpool._library import ffi, handle
from carpool._memory import Memory, memory_of

Blocks = BufSpecB | InPlace | None
Pieces = BufSpecV | InPlace | None
Typed = BufSpecW | InPlace | None

BYTE = handle(MPI.BYTE)
IN_PLACE = int(MPI.IN_PLACE) & (1 << 64) - 1  # as an address


def _parted(spec) -> tuple[Any, Any, Any, Any]:
    """Array, counts, displacements and type; None for each that is left out."""
    if not isinstance(spec, (list, tuple)):
        return spec, None, None, None
    array, *rest = spec or [()]
    types = rest.pop() if len(rest) == 3 or rest and _is_type(rest[-1]) else None
    if len(rest) > 2:
        raise ValueError("a buffer is [array, counts, displs, type] or a part of it, not "
                         f"{len(spec)} things")
    if len(rest) == 1:
        rest = list(rest[0]) if isinstance(rest[0], tuple) and len(rest[0]) == 2 else rest
    counts, displs = [*rest, None, None][:2]
    return array, counts, displs, types


def _is_type(thing) -> bool:
    if isinstance(thing, (MPI.Datatype, str)):
        return True
    return (isinstance(thing, (list, tuple)) and len(thing) > 0
            and all(isinstance(one, MPI.Datatype) for one in thing))


def _chosen(given, memory: Memory) -> MPI.Datatype:
    if isinstance(given, str):
        return MPI.Datatype.fromcode(given)
    chosen = memory.type if given is None else given
    if chosen is None:
        raise TypeError("MPI has no datatype for elements of this array; say one: [array, type]")
    return chosen


def blocks(spec, number: int, is_read_only: bool) -> tuple[list, list]:
    """Blocks of one size: address, elements of each block, type; and the objects that keep them."""
    if spec is MPI.IN_PLACE:
        return [IN_PLACE, 0, BYTE], []
    array, count, displ, given = _parted(spec)
    memory = memory_of(array, is_read_only)
    type = _chosen(given, memory)
    extent = type.extent
    start = index(displ or 0) * extent
    if count is None:
        elements, left = divmod(memory.bytes - start, extent or 1)
        count, over = divmod(elements, number or 1)
        if left or over:
            raise ValueError(f"{memory.bytes - start} bytes are no {number} equal blocks of elements "
                             f"of {extent} bytes")
    count = index(count)
    _check_room(memory, [start + number * count * extent if count > 0 and number else 0])
    return [memory.address + start, count, handle(type)], [memory.owner, type]


def significant(spec, is_read_only: bool) -> tuple[list, list]:
    """One block, which is read or written on every rank."""
    if spec is None:
        raise TypeError("the buffer is None, expected an array on every rank")
    return blocks(spec, 1, is_read_only)


def pieces(spec, number: int, is_read_only: bool) -> tuple[list, list]:
    """Blocks of different sizes: address, counts, displacements, type; and the objects that keep
    them."""
    if spec is MPI.IN_PLACE:
        return [IN_PLACE, ffi.NULL, ffi.NULL, BYTE], []
    array, counts, displs, given = _parted(spec)
    memory = memory_of(array, is_read_only)
    type = _chosen(given, memory)
    extent = type.extent
    if counts is None:
        counts = memory.bytes // (extent or 1) // (number or 1) if array is not None else 0
    counts = _numbers(counts, number, "counts")
    displs = np.cumsum(counts) - counts if displs is None else _numbers(displs, number, "displs")
    present = counts > 0
    if (displs[present] < 0).any():
        raise ValueError(f"a block begins {-displs[present].min() * extent} bytes before the buffer")
    _check_room(memory, ((displs + counts) * extent)[present])
    return ([memory.address, _c("MPI_Count[]", counts), _c("MPI_Aint[]", displs), handle(type)],
            [memory.owner, type])


def typed(spec, number: int, is_read_only: bool) -> tuple[list, list]:
    """Blocks with a type each: address, counts, displacements in bytes, types; and the objects that
    keep them."""
    if spec is MPI.IN_PLACE:
        return [IN_PLACE, ffi.NULL, ffi.NULL, ffi.NULL], []
    array, counts, displs, types = _parted(spec)
    memory = memory_of(array, is_read_only)
    if types is None:
        types = [] if number == 0 else [_chosen(None, memory)] * number
    types = [types] * number if isinstance(types, MPI.Datatype) else list(types)
    if len(types) != number:
        raise ValueError(f"{len(types)} types, expected {number}")
    counts = _numbers(1 if counts is None else counts, number, "counts")
    displs = _numbers(0 if displs is None else displs, number, "displs")
    ends = [displ + (count - 1) * one.extent + one.true_lb + one.true_extent
            for count, displ, one in zip(counts, displs, types, strict=True) if count > 0]
    _check_room(memory, ends)
    return ([memory.address, _c("MPI_Count[]", counts), _c("MPI_Aint[]", displs),
             ffi.new("MPI_Datatype[]", [handle(one) for one in types])], [memory.owner, types])


def operands(sendbuf, recvbuf, sent: int = 1) -> tuple[list, list]:
    """The buffers of a reduction, with one count and type: `sent` blocks are reduced to one."""
    if sendbuf is MPI.IN_PLACE:
        (address, count, type), kept = blocks(recvbuf, sent, is_read_only=False)
        return [IN_PLACE, address, count, type], kept
    send, kept = blocks(sendbuf, sent, is_read_only=True)
    recv, more = blocks(recvbuf, 1, is_read_only=False)
    if sent == 0:  # without neighbors there is no block whose size is known
        sendbuf = None
    if sendbuf is not None and recvbuf is not None and send[1:] != recv[1:]:
        raise ValueError(f"sendbuf gives blocks of {_size(send, kept)} and recvbuf has room for "
                         f"{_size(recv, more)}, expected one count and type")
    return [send[0], recv[0], *(recv if sendbuf is None else send)[1:]], kept + more


def scattered(sendbuf, recvbuf, recvcounts, number: int, rank: int) -> tuple[list, list]:
    """The buffers of a reduce_scatter, in which each rank receives its own count."""
    counts = _numbers(recvcounts, number, "recvcounts")
    total = int(counts.sum())
    source = recvbuf if sendbuf is MPI.IN_PLACE else sendbuf
    (address, count, type), kept = blocks(source, 1, is_read_only=source is sendbuf)
    if count < total:
        raise ValueError(f"recvcounts are together {_size([0, total], kept)}, expected at most the "
                         f"{_size([0, count], kept)} of the buffer")
    if sendbuf is MPI.IN_PLACE:
        return [IN_PLACE, address, _c("MPI_Count[]", counts), type], kept
    recv, more = blocks(recvbuf, 1, is_read_only=False)
    if recv[1] < counts[rank] or recv[2] != type:
        raise ValueError(f"recvbuf has room for {_size(recv, more)}, expected "
                         f"{_size([0, counts[rank]], kept)}")
    return [address, recv[0], _c("MPI_Count[]", counts), type], kept + more


def _size(block: list, kept: list) -> str:
    """Count, type and bytes of a block from blocks(), for error texts."""
    type = kept[1] if kept else MPI.BYTE  # for MPI.IN_PLACE no type is kept
    return f"{block[1]} of {type.Get_name() or 'a derived datatype'} ({block[1] * type.size} bytes)"


def ranks(numbers) -> list:
    """A list of ranks: its length and its array."""
    found = integers(numbers).reshape(-1)
    return [len(found), _c("int[]", found)]


def refused(kind: str, number: int) -> list:
    """Blocks that C refuses, so that all ranks get an error; of a kind of
    interface/functions.toml."""
    if kind == "":
        return [0, -1, BYTE]
    counts, displs = np.full(number, -1, np.int64), np.zeros(number, np.intp)
    types = ffi.new("MPI_Datatype[]", [BYTE] * number) if kind in ("_w", "_bytes") else BYTE
    return [0, _c("MPI_Count[]", counts), _c("MPI_Aint[]", displs), types]


def _c(type: str, array: np.ndarray):
    return ffi.from_buffer(type, np.ascontiguousarray(array))


def _numbers(given, number: int, name: str) -> np.ndarray:
    found = integers(given, np.int64)
    if found.ndim == 0:
        return np.full(number, found)
    if found.shape != (number,):
        raise ValueError(f"{name} of shape {found.shape}, expected {number}")
    return found


def _check_room(memory: Memory, ends) -> None:
    """Raises an error if a block ends behind the array: before anything is sent, and not a write
    past it."""
    end = max(ends, default=0)
    if end > memory.bytes:
        raise ValueError(f"the blocks end at byte {end} of a buffer of {memory.bytes} bytes")
