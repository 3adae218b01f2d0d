"""Communicators with a neighborhood, and the collectives on them."""

from collections.abc import Sequence
from typing import Unpack

import numpy as np
from mpi4py import MPI

from carpool._arguments import Arguments, of_neighbors
from carpool._integers import integers
from carpool._library import check, ffi, handle, lib, refused_as
from carpool._neighbor_calls import NeighborCalls
from carpool.settings import Settings, info_of
from carpool.stencils import stencil


def _ints(numbers):
    return ffi.from_buffer("int[]", integers(numbers).reshape(-1))


def _weights(numbers, degree: int):
    if numbers is None:
        return ffi.cast("int *", MPI.UNWEIGHTED)
    if len(numbers) != degree:
        raise ValueError(f"{len(numbers)} weights, expected {degree}")
    return _ints(numbers) if degree else ffi.cast("int *", MPI.WEIGHTS_EMPTY)


def _edges(ranks, weights) -> tuple:
    """The number of edges, their other ends and their weights."""
    ends = _ints(ranks)
    return len(ends), ends, _weights(weights, len(ends))


_CLASSES = {MPI.CART: MPI.Cartcomm, MPI.GRAPH: MPI.Graphcomm, MPI.DIST_GRAPH: MPI.Distgraphcomm}


def _kind(comm) -> int:
    """Of the topology that MPI has given to it."""
    is_one = isinstance(comm, MPI.Comm) and comm != MPI.COMM_NULL
    return comm.Get_topology() if is_one else MPI.UNDEFINED


def _typed(comm: MPI.Comm) -> MPI.Topocomm:
    """As mpi4py knows what has a topology."""
    of_kind = _CLASSES[_kind(comm)]
    return comm if isinstance(comm, of_kind) else of_kind(comm)


def cartesian(name: str, comm, expected="a communicator of Create_cart") -> MPI.Cartcomm:
    """A communicator with a grid. @param name  of the argument, for the error"""
    if _kind(comm) != MPI.CART:
        raise TypeError(f"{name} is of type {type(comm).__name__} without a Cartesian topology, expected "
                        f"{expected}")
    return _typed(comm)


class Topology(NeighborCalls):
    """The collectives on a communicator to which MPI has given a topology. `with` frees that."""

    def __init__(self, comm: MPI.Topocomm):
        if _kind(comm) not in _CLASSES:
            raise TypeError(f"comm is of type {type(comm).__name__} without a topology, expected a "
                            "communicator of Create_cart, Create_graph or Create_dist_graph")
        comm = _typed(comm)
        self._take(comm, comm.outdegree, comm.indegree)

    def _take(self, comm: MPI.Topocomm, outdegree: int, indegree: int) -> None:
        self.comm = comm
        self.rank = comm.rank
        self.size = comm.size
        self.outdegree = outdegree
        self.indegree = indegree

    def _read(self, operation: str, *given) -> Arguments:
        return of_neighbors(self.comm, self.outdegree, self.indegree, operation, *given)

    def free(self) -> None:
        """After MPI_Finalize there is nothing to free."""
        if not MPI.Is_finalized():
            self.comm.Free()

    def __enter__(self):
        return self

    def __exit__(self, *error) -> None:
        if self.comm and error[0] is None:
            self.free()


class Graph(Topology):
    """A communicator on which each rank has listed from whom it receives and to whom it sends.

    With `reorder`, ranks change places such that little passes between nodes: ask `rank`, `sources`
    and `destinations` afterwards. The settings become the defaults of its operations.
    """

    def __init__(self, comm: MPI.Intracomm, sources: Sequence[int], destinations: Sequence[int], *,
                 source_weights: Sequence[int] | None = None,
                 destination_weights: Sequence[int] | None = None, reorder: bool = False,
                 **settings: Unpack[Settings]):
        graph = MPI.Distgraphcomm()
        create = lib.Carpool_Dist_graph_create_adjacent
        nothing = -1, ffi.NULL, ffi.NULL, 0, ffi.NULL, ffi.NULL, handle(MPI.INFO_NULL), 0
        with refused_as(create, handle(comm), *nothing, MPI._addressof(graph)):
            edges = *_edges(sources, source_weights), *_edges(destinations, destination_weights)
        with info_of(settings) as info:
            check(create(handle(comm), *edges, handle(info), reorder, MPI._addressof(graph)))
        self.sources, self.destinations = graph.inedges, graph.outedges
        self._take(graph, len(self.destinations), len(self.sources))


class Neighborhood(Topology):
    """A torus or mesh of ranks, each of which has neighbors at the same offsets.

    Block i of an operation goes to the rank at offset i from the caller, and block i received comes
    from the rank at the opposite one.

    dims      sizes of the grid, whose product is the size of comm; by default as even as can be
    periods   whether each dimension wraps around, or all do
    offsets   a row of coordinates per neighbor, or a text such as "moore 2 1"
    weights   how much passes to each neighbor, for `reorder`
    reorder   ranks change places such that little passes between nodes
    settings  the defaults of its operations, such as algorithm="cartesian"
    """

    comm: MPI.Cartcomm

    def __init__(self, comm: MPI.Intracomm, dims: Sequence[int] | None = None, *,
                 offsets: Sequence[Sequence[int]] | np.ndarray | str,
                 periods: bool | Sequence[bool] = True, weights: Sequence[int] | None = None,
                 reorder: bool = False, **settings: Unpack[Settings]):
        cart = MPI.Cartcomm()
        create = lib.Carpool_Cart_neighborhood_create
        nothing = 0, ffi.NULL, ffi.NULL, 0, ffi.NULL, ffi.NULL, handle(MPI.INFO_NULL), 0
        with refused_as(create, handle(comm), *nothing, MPI._addressof(cart)):
            rows = _offsets(offsets, len(dims) if dims is not None else None)
            t, d = rows.shape
            dims = MPI.Compute_dims(comm.size, d) if dims is None else dims
            given = (d, _ints(dims), _ints(np.broadcast_to(periods, d)), t, _ints(rows),
                     _weights(weights, t))
        with info_of(settings) as info:
            check(create(handle(comm), *given, handle(info), reorder, MPI._addressof(cart)))
        self._describe(cart)

    @classmethod
    def of(cls, comm: MPI.Cartcomm) -> "Neighborhood":
        """That of a communicator which has one: a duplicate of a neighborhood's."""
        self = cls.__new__(cls)
        self._describe(cartesian("comm", comm))
        return self

    @classmethod
    def attached(cls, comm: MPI.Cartcomm, offsets: Sequence[Sequence[int]] | str) -> "Neighborhood":
        """One on the torus or mesh of a communicator of MPI_Cart_create."""
        comm = cartesian("comm", comm)
        iso = MPI.Cartcomm()
        create = lib.Carpool_Iso_neighborhood_create
        with refused_as(create, handle(comm), -1, ffi.NULL, MPI._addressof(iso)):
            rows = _offsets(offsets, comm.ndim)
        check(create(handle(comm), len(rows), _ints(rows), MPI._addressof(iso)))
        return cls.of(iso)

    def _describe(self, cart: MPI.Cartcomm) -> None:
        self.dims, periods, self.coords = cart.topo
        self.periods = [bool(one) for one in periods]
        t = ffi.new("int *")
        check(lib.Carpool_Cart_neighbor_count(handle(cart), t))
        self._take(cart, t[0], t[0])
        self.offsets = np.zeros((t[0], len(self.dims)), dtype=np.intc)
        check(lib.Carpool_Cart_neighbor_offsets(handle(cart), t[0], _ints(self.offsets)))
        (self.sources, self.source_weights), (self.targets, self.target_weights) = self._neighbors()
        rows = " ".join(",".join(map(str, row)) for row in self.offsets.tolist())
        self._question = f"grid {self._grid()}", f"offsets {len(self.dims)}: {rows}", "--op"

    def _grid(self) -> str:
        return "x".join(f"{size}{'p' if wraps else ''}"
                        for size, wraps in zip(self.dims, self.periods, strict=True))

    def _read(self, operation: str, *given) -> Arguments:
        arguments = super()._read(operation, *given)
        arguments.question = (*self._question, operation.removeprefix("neighbor_").rstrip("vw"))
        return arguments

    def _neighbors(self):
        sources, source_weights, targets, target_weights = (
            np.zeros(self.indegree, dtype=np.intc) for _ in range(4))
        check(lib.Carpool_Cart_neighbor_get(
            handle(self.comm), self.indegree, _ints(sources), _ints(source_weights),
            self.outdegree, _ints(targets), _ints(target_weights)))
        return (sources, source_weights), (targets, target_weights)

    def rank_at(self, offset: Sequence[int]) -> int:
        """The rank at an offset from this one; MPI.PROC_NULL off a mesh."""
        found = ffi.new("int *")
        check(lib.Carpool_Cart_relative_rank(handle(self.comm), self._offset(offset), found))
        return found[0]

    def shift(self, offset: Sequence[int]) -> tuple[int, int]:
        """Source and target of a shift by an offset."""
        source, target = ffi.new("int *"), ffi.new("int *")
        check(lib.Carpool_Cart_relative_shift(handle(self.comm), self._offset(offset), source,
                                              target))
        return source[0], target[0]

    def offset_to(self, rank: int) -> list[int]:
        """The offset from this rank to another, the shorter way round."""
        found = ffi.new("int[]", len(self.dims))
        check(lib.Carpool_Cart_relative_coord(handle(self.comm), rank, found))
        return list(found)

    def _offset(self, offset: Sequence[int]):
        if len(offset) != len(self.dims):
            raise ValueError(f"an offset of {len(offset)} coordinates, expected {len(self.dims)}")
        return _ints(offset)

    def __repr__(self) -> str:
        return f"<Neighborhood of {self.outdegree} on grid {self._grid()}, rank {self.rank}>"


def _offsets(given, d: int | None) -> np.ndarray:
    found = stencil(given) if isinstance(given, str) else integers(given)
    if found.size == 0:
        found = found.reshape(0, d or found.shape[-1])
    if found.ndim != 2 or d not in (None, found.shape[1]):
        raise ValueError(f"offsets of shape {found.shape}, expected rows of {d or 'some'} "
                         "coordinates")
    return found
