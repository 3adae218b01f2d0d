# SPDX-License-Identifier: MIT
"""Exchanges in which each rank knows the ranks to which it sends, but not those from which it
receives."""

from collections.abc import Iterator, Sequence
from typing import Any, Unpack

import numpy as np
from mpi4py import MPI
from numpy.typing import ArrayLike, DTypeLike

from carpool._arguments import Arguments, of_lists
from carpool._buffers import BYTE, Blocks, blocks
from carpool._calls import call
from carpool._device import refuse_device, stream_of
from carpool._integers import integers
from carpool._library import check, ffi, handle, lib, refused_as
from carpool.requests import Call, Request
from carpool.settings import Settings, info_of

_free = lib.Carpool_Delivery_free  # looked up beforehand, as in requests.py


class _Block:
    """The memory of a piece, for numpy. A view of it keeps the delivery alive."""

    def __init__(self, delivery: "Delivery", address: int, bytes: int):
        self.delivery = delivery
        self.bytes = bytes
        self.__array_interface__ = {"data": (address, False), "shape": (bytes, ), "typestr": "|u1",
                                    "version": 3}

    def view(self) -> np.ndarray:
        return np.asarray(self) if self.bytes else np.empty(0, dtype=np.uint8)


class Delivery:
    """The pieces that a sparse exchange has brought: a sequence of pairs of a source and an array,
    sorted by source. Pieces of one source are in the order in which it lists them.

    The arrays are views of memory of the delivery, which lives as long as they are used.
    """

    def __init__(self, comm: MPI.Intracomm, dtype: np.dtype | None, kept: Any):
        self._made = ffi.new("Carpool_Delivery *")
        self._comm = comm
        self.dtype = dtype
        self._kept = kept

    def __len__(self) -> int:
        number = ffi.new("int *")
        check(lib.Carpool_Delivery_count(self._made[0], number))
        return number[0]

    def __getitem__(self, index: int) -> tuple[int, np.ndarray]:
        if not -len(self) <= index < len(self):
            raise IndexError(f"piece {index} of {len(self)}")
        if self.dtype is None:
            raise TypeError("this rank has sent nothing that tells the type of what has come; "
                            "say it: sparse_exchange(..., dtype=...)")
        source, block = self._piece(index % len(self))
        return source, block.view().view(self.dtype)

    def _piece(self, index: int) -> tuple[int, _Block]:
        source, bytes, data = ffi.new("int *"), ffi.new("MPI_Count *"), ffi.new("const void **")
        check(lib.Carpool_Delivery_get(self._made[0], index, source, bytes, data))
        return source[0], _Block(self, int(ffi.cast("uintptr_t", data[0])), bytes[0])

    def __iter__(self) -> Iterator[tuple[int, np.ndarray]]:
        return (self[index] for index in range(len(self)))

    @property
    def sources(self) -> list[int]:
        """The source of each piece."""
        return [self._piece(index)[0] for index in range(len(self))]

    def __repr__(self) -> str:
        return "<Delivery>" if MPI.Is_finalized() else f"<Delivery of {len(self)} pieces>"

    def repeat_init(self, sendbuf: Blocks, recvbuf: Blocks,
                    **settings: Unpack[Settings]) -> Request:
        """A persistent request that repeats the exchange, with pieces of the same sizes.
        Collective.

        In sendbuf, pieces lie as in the exchange: those that were given as a list, one behind the
        other. In recvbuf, they lie one behind the other, in the order of the delivery.

        Example:

            >>> right = (comm.rank + 1) % comm.size
            >>> delivery = carpool.sparse_exchange(comm, [right], [np.zeros(3)])
            >>> came = np.zeros(3)
            >>> with delivery.repeat_init(np.ones(3), came) as request:
            ...     request.start().wait()
            >>> came.tolist()
            [1.0, 1.0, 1.0]
        """
        made = ffi.new("Carpool_Request *")
        comm = handle(self._comm)
        init = lib.Carpool_Sparse_exchange_init
        with refused_as(init, ffi.NULL, 0, 0, comm, handle(MPI.INFO_NULL), made):
            (send, *_), kept = blocks(sendbuf, 1, is_read_only=True)
            (recv, *_), more = blocks(recvbuf, 1, is_read_only=False)
            stream = stream_of(kept + more)
        with info_of(settings) as info:
            check(init(self._made[0], send, recv, comm, handle(info), made))
        request = Request(made, kept + more)
        request._take_stream(stream)
        return request

    def __del__(self):
        if self._made[0] != ffi.NULL and not MPI.Is_finalized():
            _free(self._made)


class Exchange(Call):
    """A sparse exchange under way: an MPI.Request. Its delivery may be read once it has
    completed."""

    def __new__(cls, delivery: Delivery):
        return super().__new__(cls)

    def __init__(self, delivery: Delivery):
        super().__init__(kept=delivery)

    @property
    def delivery(self) -> Delivery:
        """The pieces that have come. A ValueError if the exchange has not completed."""
        if self and not self.Test():
            raise ValueError("the exchange has not completed; wait for it")
        self._kept._kept = None
        return self._kept


def sparse_exchange(comm: MPI.Intracomm, destinations: Sequence[int],
                    pieces: Sequence[ArrayLike] | np.ndarray, *,
                    counts: Sequence[int] | None = None, displs: Sequence[int] | None = None,
                    dtype: DTypeLike | None = None) -> Delivery:
    """Sends a piece to each destination, and returns the pieces that other ranks have sent to this
    one.

    Collective over comm. All pieces have the same type of elements.

    pieces  an array for each destination, or one array whose row i goes to destination i
    counts  if given, pieces is one array, and counts[i] of its elements go to destination i
    displs  with counts, the index of the first element for each destination; by default pieces lie
            one behind the other
    dtype   the type of the elements that come; needed on a rank that sends no piece

    Example:

        >>> right = (comm.rank + 1) % comm.size
        >>> delivery = carpool.sparse_exchange(comm, [right], [np.arange(3)])
        >>> [piece.tolist() for source, piece in delivery]
        [[0, 1, 2]]
    """
    delivery, arguments = _sent(comm, destinations, pieces, counts, displs, dtype)
    call("Sparse_exchange_c", arguments, delivery._made)
    delivery._kept = None
    return delivery


def isparse_exchange(comm: MPI.Intracomm, destinations: Sequence[int],
                     pieces: Sequence[ArrayLike] | np.ndarray, *,
                     counts: Sequence[int] | None = None, displs: Sequence[int] | None = None,
                     dtype: DTypeLike | None = None) -> Exchange:
    """The nonblocking form of sparse_exchange. Returns a request of MPI that has the delivery.

    Example:

        >>> exchange = carpool.isparse_exchange(comm, [0], [np.ones(1)])
        >>> exchange.Wait()
        True
        >>> len(exchange.delivery) == (comm.size if comm.rank == 0 else 0)
        True
    """
    delivery, arguments = _sent(comm, destinations, pieces, counts, displs, dtype)
    exchange = Exchange(delivery)
    call("Isparse_exchange_c", arguments, delivery._made, MPI._addressof(exchange))
    return exchange


def _sent(comm, *given) -> tuple[Delivery, Arguments]:
    """If an argument is wrong, prepares a list of -1 destinations, which C refuses on all ranks."""
    try:
        return _read(comm, *given)
    except Exception as mistake:
        refused = [-1, ffi.NULL, 0, ffi.NULL, ffi.NULL, BYTE]
        return Delivery(comm, None, None), Arguments(comm, refused, mistake=mistake)


def _read(comm, destinations, pieces, counts, displs, dtype) -> tuple[Delivery, Arguments]:
    array, counts, displs = _together(pieces, counts, displs, len(destinations))
    if array is not None and array.dtype.hasobject:
        raise TypeError(f"pieces are of type {array.dtype}, expected numbers; a Python object is sent "
                        "as np.frombuffer(pickle.dumps(it), 'u1')")
    if dtype is None and array is not None:
        dtype = array.dtype
    size = array.itemsize if array is not None else 1
    raw = None if array is None else array.reshape(-1).view(np.uint8)
    arguments = of_lists(comm, "sparse_exchange", destinations,
                         [raw, counts * size, displs * size, MPI.BYTE])
    return Delivery(comm, None if dtype is None else np.dtype(dtype), arguments.kept), arguments


def _together(pieces, counts, displs, number: int):
    """One array, and the number and the place of its elements for each destination."""
    refuse_device(pieces)
    array = pieces
    if counts is None and isinstance(pieces, np.ndarray):
        _expect(len(pieces), number)
        counts = np.full(number, pieces.size // (number or 1))
    elif counts is None:
        _expect(len(pieces), number)
        arrays = [_on_host(piece).reshape(-1) for piece in pieces]
        if len(types := {one.dtype for one in arrays}) > 1:
            raise TypeError(f"pieces have different types: {', '.join(sorted(map(str, types)))}")
        counts = [len(one) for one in arrays]
        array = np.concatenate(arrays) if arrays else None
    counts = integers(counts, np.int64)
    displs = np.cumsum(counts) - counts if displs is None else integers(displs, np.int64)
    return array if array is None else np.ascontiguousarray(array), counts, displs


def _on_host(piece) -> np.ndarray:
    refuse_device(piece)
    return np.asarray(piece)


def _expect(pieces: int, number: int) -> None:
    if pieces != number:
        raise ValueError(f"{pieces} pieces for {number} destinations")
