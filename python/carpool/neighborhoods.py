# SPDX-License-Identifier: MIT
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
    """The number of edges, their other ends and their weights, for C."""
    ends = _ints(ranks)
    return len(ends), ends, _weights(weights, len(ends))


_CLASSES = {MPI.CART: MPI.Cartcomm, MPI.GRAPH: MPI.Graphcomm, MPI.DIST_GRAPH: MPI.Distgraphcomm}


def _kind(comm) -> int:
    """The kind of topology of a communicator; MPI.UNDEFINED for any other object."""
    is_one = isinstance(comm, MPI.Comm) and comm != MPI.COMM_NULL
    return comm.Get_topology() if is_one else MPI.UNDEFINED


def _typed(comm: MPI.Comm) -> MPI.Topocomm:
    """The communicator as an object of the class that mpi4py has for its topology."""
    of_kind = _CLASSES[_kind(comm)]
    return comm if isinstance(comm, of_kind) else of_kind(comm)


def cartesian(name: str, comm, expected="a communicator of Create_cart") -> MPI.Cartcomm:
    """The communicator with its Cartesian topology, or an error about the argument `name`."""
    if _kind(comm) != MPI.CART:
        raise TypeError(f"{name} is of type {type(comm).__name__} without a Cartesian topology, expected "
                        f"{expected}")
    return _typed(comm)


class Topology(NeighborCalls):
    """The neighborhood collectives on a communicator that has a topology of MPI.

    comm  a communicator of Create_cart, Create_graph, Create_dist_graph or
          Create_dist_graph_adjacent. free(), or `with`, frees it

    Example:

        >>> ring = comm.Create_cart([comm.size], periods=[True])
        >>> came = np.zeros(2)
        >>> with carpool.Topology(ring) as topology:
        ...     topology.allgather(np.ones(1), came)
    """

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
        """Frees the communicator. Collective; does nothing after MPI_Finalize."""
        if not MPI.Is_finalized():
            self.comm.Free()

    def __enter__(self):
        return self

    def __exit__(self, *error) -> None:
        if self.comm and error[0] is None:
            self.free()


class Graph(Topology):
    """A communicator with a graph: each rank lists the ranks from which it receives and to which
    it sends. Collective over comm. `with` frees the communicator.

    sources              the ranks from which this rank receives
    destinations         the ranks to which this rank sends
    source_weights       a weight for each source, for reorder
    destination_weights  a weight for each destination, for reorder
    reorder              True gives processes other ranks, so that few blocks pass between nodes.
                         The attributes rank, sources and destinations have the result
    settings             defaults of the operations, such as algorithm="friends"

    Example:

        >>> right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        >>> came = np.zeros(1)
        >>> with carpool.Graph(comm, sources=[left], destinations=[right]) as graph:
        ...     graph.alltoall(np.full(1, 5.0), came)
        >>> came.tolist()
        [5.0]
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

    Block i of an operation goes to the rank at offset i from the caller, and block i that is
    received comes from the rank at the opposite offset. Collective over comm. `with` frees the
    communicator.

    dims      the sizes of the grid, whose product is the size of comm; by default as equal as
              possible
    offsets   a row of coordinates for each neighbor, or a text such as "moore 2 1"
    periods   True if all dimensions wrap around, or a bool for each
    weights   a weight for each neighbor, for reorder
    reorder   True gives processes other ranks, so that few blocks pass between nodes
    settings  defaults of the operations, such as algorithm="cartesian"

    Example:

        >>> with carpool.Neighborhood(comm, offsets=carpool.moore(2)) as grid:
        ...     grid.outdegree, grid.offsets.shape
        (8, (8, 2))
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
        """The neighborhood of a communicator that has one already, such as a duplicate of
        `grid.comm`."""
        self = cls.__new__(cls)
        self._describe(cartesian("comm", comm))
        return self

    @classmethod
    def attached(cls, comm: MPI.Cartcomm, offsets: Sequence[Sequence[int]] | str) -> "Neighborhood":
        """A neighborhood on the torus or mesh of a communicator of MPI_Cart_create. Collective."""
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
        """The rank at an offset from this one; MPI.PROC_NULL outside a mesh. Local."""
        found = ffi.new("int *")
        check(lib.Carpool_Cart_relative_rank(handle(self.comm), self._offset(offset), found))
        return found[0]

    def shift(self, offset: Sequence[int]) -> tuple[int, int]:
        """The source and the target of a shift by an offset; MPI.PROC_NULL outside a mesh.
        Local."""
        source, target = ffi.new("int *"), ffi.new("int *")
        check(lib.Carpool_Cart_relative_shift(handle(self.comm), self._offset(offset), source,
                                              target))
        return source[0], target[0]

    def offset_to(self, rank: int) -> list[int]:
        """The offset from this rank to another, in a periodic dimension the shorter one. Local."""
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
