# SPDX-License-Identifier: MIT
"""Converts the arguments of an operation from Python to C."""

from dataclasses import dataclass, field
from operator import index
from typing import Any

from mpi4py import MPI

from carpool import _buffers
from carpool._declarations import OPERATIONS
from carpool._device import stream_of
from carpool._library import ffi, handle

# The operations whose buffer has a block for each rank, or neighbor; in all others it is one block.
SENDS_TO_EACH = {"alltoall", "scatter"}
RECEIVES_FROM_EACH = {"alltoall", "gather", "allgather"}

_WORDS = {operation: words.split(", ") for operation, words in OPERATIONS.items()}


@dataclass
class Arguments:
    """The arguments of a C function, without the last ones, which belong to the form."""
    comm: MPI.Comm | None  # None if one of the others, such as a map of ghosts, has it
    c: list = field(default_factory=list)
    kept: list = field(default_factory=list)  # what must live as long as the exchange
    question: tuple[str, ...] = ()  # the arguments with which the command carpool plans the same
    mistake: Exception | None = None  # if set, C refuses these arguments, so all ranks get an error
    stream: int | None = None  # that of the arrays, if they are on a device and tell it
    owner: MPI.Comm | None = None  # the communicator whose stream is meant, where comm is None

    def take(self, read: tuple[list, list]) -> None:
        self.stream = stream_of(read[1], self.stream)
        self.c += read[0]
        self.kept += read[1]

    def refuse(self, mistake: Exception, refused: list) -> None:
        self.c += refused
        self.mistake = self.mistake or mistake


@dataclass(slots=True)
class Place:
    """The numbers of blocks into which the buffers of an operation are divided."""
    kind: str  # the name of the operation without v or w
    sent: int
    received: int
    rank: int
    root: int | None  # None for operations without a root

    def number(self, side: str) -> int:
        to_each, number = ((SENDS_TO_EACH, self.sent) if side == "send" else
                           (RECEIVES_FROM_EACH, self.received))
        return number if self.kind in to_each else 1

    def is_significant(self, side: str) -> bool:
        """False for the buffer that only the root uses, on other ranks: MPI does not read it
        there."""
        if self.root in (None, self.rank):
            return True
        return side != ("send" if self.kind == "scatter" else "recv")


def _message(read):
    def add(arguments, place, side, given):
        spec = next(given)
        spec = spec if place.is_significant(side) else None
        arguments.take(read(spec, place.number(side), side == "send"))
    return add


_KINDS = {"": _message(_buffers.blocks), "_v": _message(_buffers.pieces),
          "_displs": _message(_buffers.pieces), "_w": _message(_buffers.typed),
          "_bytes": _message(_buffers.typed)}


def _read(word: str, words: list[str], arguments: Arguments, place: Place, given) -> None:
    side, kind = word[:4], word[4:]
    if side in ("send", "recv"):
        _KINDS[kind](arguments, place, side, given)
    elif word == "void *buffer":
        arguments.take(_buffers.significant(next(given), is_read_only=place.root == place.rank))
    elif word == "buffers":
        arguments.take(_operands(words, place, given))
    elif word in ("destinations", "sources"):
        arguments.c += _buffers.ranks(next(given))
    elif word == "op":
        op = next(given)
        arguments.take(([handle(op)], [op]))
    elif word == "root":
        arguments.c.append(_root(next(given)))


def _refused(word: str, words: list[str], place: Place) -> list:
    """Values that C refuses, in the place of an argument."""
    side, kind = word[:4], word[4:]
    if side in ("send", "recv"):
        return _buffers.refused(kind, place.sent if side == "send" else place.received)
    if word == "void *buffer":
        return _buffers.refused("", 1)
    if word == "buffers":
        sizes = _buffers.refused("_v" if "scattered_v" in words else "", place.received)
        return [0, 0, sizes[1], sizes[-1]]
    return {"op": [handle(MPI.OP_NULL)], "root": [-1]}.get(word, [-1, ffi.NULL])


def _root(given) -> int:
    root = index(given)
    if abs(root) >= 1 << 31:
        raise OverflowError(f"root is {root}, expected a rank")
    return root


def _operands(words: list[str], place: Place, given):
    sendbuf, recvbuf = next(given), next(given)
    if not place.is_significant("recv"):
        recvbuf = None
    if "scattered_v" in words:
        return _buffers.scattered(sendbuf, recvbuf, next(given), place.received, place.rank)
    return _buffers.operands(sendbuf, recvbuf, place.sent if "scattered" in words else 1)


def _arguments(operation: str, comm: MPI.Comm, place: Place, given: tuple[Any, ...]) -> Arguments:
    arguments = Arguments(comm)
    values = iter(given)
    words = _WORDS[operation]
    for word in words:
        try:
            _read(word, words, arguments, place, values)
        except Exception as mistake:
            arguments.refuse(mistake, _refused(word, words, place))
    return arguments


def of_ranks(comm: MPI.Intracomm, operation: str, *given) -> Arguments:
    """The arguments of an operation in which each rank of a communicator has a block."""
    size = comm.size
    root = given[-1] if "root" in _WORDS[operation] else None
    place = Place(operation.rstrip("vw"), size, size, comm.rank, root)
    return _arguments(operation, comm, place, given)


def of_neighbors(comm: MPI.Comm, outdegree: int, indegree: int, operation: str,
                 *given) -> Arguments:
    """The arguments of an operation in which each neighbor has a block."""
    kind = operation.removeprefix("neighbor_").rstrip("vw")
    return _arguments(operation, comm, Place(kind, outdegree, indegree, comm.rank, None), given)


def of_lists(comm: MPI.Intracomm, operation: str, destinations, sendbuf, *received) -> Arguments:
    """The arguments of an operation in which each rank of a list has a block."""
    sources = received[0] if received else ()
    place = Place("alltoall", len(destinations), len(sources), comm.rank, None)
    arguments = _arguments(operation, comm, place, (destinations, sendbuf, *received))
    if arguments.mistake:  # for an empty list C would have no block to refuse
        arguments.c[0] = -1
    return arguments
