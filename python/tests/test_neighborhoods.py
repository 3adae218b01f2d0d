# SPDX-License-Identifier: MIT
"""Neighborhoods and graphs against MPI's collectives on the same edges."""

import numpy as np
import pytest
from forms import FORMS, run
from mpi4py import MPI

import carpool

STENCILS = ["moore 1 1", "moore 2 1", "von_neumann 2 2", "offsets 1: 1 1 0 -1"]


def mpis(comm, topology):
    """A communicator of MPI's own with the same edges. Not made of one with a topology, by which Open
    MPI 5 writes where it must not."""
    targets = topology.targets if isinstance(topology, carpool.Neighborhood) else topology.destinations
    return comm.Create_dist_graph_adjacent(list(topology.sources), list(targets))


def random_graph(comm, everyone):
    edges = everyone.random((comm.size, comm.size)) < 0.6
    sources, destinations = np.flatnonzero(edges[:, comm.rank]), np.flatnonzero(edges[comm.rank])
    return carpool.Graph(comm, sources, destinations)


@pytest.fixture(params=[*STENCILS, "graph"])
def topology(request, comm, everyone):
    made = (random_graph(comm, everyone) if request.param == "graph" else
            carpool.Neighborhood(comm, offsets=request.param))
    with made:
        yield made


def arguments(name, topology, everyone, own):
    """Blocks of sizes that depend on the place among the neighbors, or of one size."""
    out, into = topology.outdegree, topology.indegree
    size = int(everyone.integers(1, 5))

    def send(length):
        return own.integers(0, 1000, length).astype("i4")

    def varied(degree, array):
        counts = np.full(degree, size)
        return [array(degree * (size + 1)), counts, np.arange(degree) * (size + 1), MPI.INT32_T]

    def typed(degree, array):
        data, counts, displs, datatype = varied(degree, array)
        return [data, counts, displs * 4, [datatype] * degree]

    def recv(length):
        return np.zeros(length, "i4")

    return {
        "alltoall": lambda: (send(size * out), recv(size * into)),
        "alltoallv": lambda: (varied(out, send), varied(into, recv)),
        "alltoallw": lambda: (typed(out, send), typed(into, recv)),
        "allgather": lambda: (send(size), recv(size * into)),
        "allgatherv": lambda: (send(size), varied(into, recv)),
        "allgatherw": lambda: (send(size), typed(into, recv)),
    }[name]()


def with_counts(name, given, comm, topology):
    """The same with counts, which mpi4py infers wrongly for ranks without neighbors on one side."""
    if name not in ("alltoall", "allgather"):
        return given
    size = comm.allreduce(len(given[1]) // max(topology.indegree, 1), MPI.MAX)
    return [[array, size, MPI.INT32_T] for array in given]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["alltoall", "alltoallv", "alltoallw", "allgather", "allgatherv"])
def test_blocks_arrive_as_mpis(name, form, comm, topology, everyone, own):
    given = arguments(name, topology, everyone, own)
    graph = mpis(comm, topology)
    buffer = given[1] if isinstance(given[1], np.ndarray) else given[1][0]
    expected = buffer.copy()
    target = expected if isinstance(given[1], np.ndarray) else [expected, *given[1][1:]]
    getattr(graph, f"Neighbor_{name}")(*with_counts(name, (given[0], target), comm, topology))
    graph.Free()
    run(form, name, topology, *given)
    np.testing.assert_array_equal(buffer, expected)


@pytest.mark.parametrize("form", FORMS)
def test_allgatherw_puts_blocks_where_it_is_told(form, topology, everyone, own):
    sent, received = arguments("allgatherw", topology, everyone, own)
    plain = np.zeros((topology.indegree, len(sent)), "i4")
    topology.allgather(sent, plain)
    run(form, "allgatherw", topology, sent, received)
    np.testing.assert_array_equal(received[0].reshape(topology.indegree, len(sent) + 1)[:, :-1], plain)


@pytest.mark.parametrize("form", FORMS)
def test_reductions_sum_what_alltoall_brings(form, topology, own):
    blocks = own.random((topology.outdegree, 3))
    brought = np.zeros((topology.indegree, 3))
    topology.alltoall(blocks, brought)
    total = np.zeros(3)
    run(form, "reduce_scatter_block", topology, blocks, total)
    np.testing.assert_allclose(total, brought.sum(axis=0))

    mine = own.random(3)
    topology.allgather(mine, brought)
    run(form, "reduce", topology, mine, total)
    if topology.indegree:
        np.testing.assert_allclose(total, brought.sum(axis=0))


def test_a_grid_tells_its_places(comm):
    with carpool.Neighborhood(comm, [comm.size], offsets=[[1], [-1]], periods=False, weights=[3, 4],
                              algorithm="cartesian") as line:
        right = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
        left = comm.rank - 1 if comm.rank else MPI.PROC_NULL
        assert line.targets.tolist() == [right, left] and line.sources.tolist() == [left, right]
        assert line.target_weights.tolist() == [3, 4]
        assert line.offsets.tolist() == [[1], [-1]]
        assert line.shift([1]) == (left, right) and line.rank_at([-1]) == left
        assert line.offset_to(0) == [-comm.rank]
        request = line.alltoall_init(np.zeros(2), np.zeros(2))
        assert request.plan.algorithm == "cartesian"
        request.free()


def test_a_duplicate_has_the_neighborhood(comm):
    with carpool.Neighborhood(comm, offsets="moore 2 1") as grid:
        with carpool.Neighborhood.of(grid.comm.Dup()) as other:
            assert other.offsets.tolist() == grid.offsets.tolist()


def test_a_neighborhood_is_attached_to_a_torus_of_mpi(comm):
    torus = comm.Create_cart([comm.size], periods=[True])
    with carpool.Neighborhood.attached(torus, [[1]]) as ring:
        came = np.zeros(1, "i4")
        ring.alltoall(np.array([comm.rank], "i4"), came)
        assert came[0] == (comm.rank - 1) % comm.size
    torus.Free()


def test_any_topology_of_mpi_will_do(comm):
    torus = comm.Create_cart([comm.size], periods=[True])
    came, theirs = np.zeros(2, "i4"), np.zeros(2, "i4")
    sent = np.array([comm.rank, comm.rank + 100], "i4")
    torus.Neighbor_alltoall(sent, theirs)
    with carpool.Topology(torus) as ring:
        ring.alltoall(sent, came)
    if comm.size > 2:  # MPICH swaps the two where both neighbors are one rank
        assert came.tolist() == theirs.tolist()


def test_weights_and_reorder_are_taken(comm):
    around = [(comm.rank + 1) % comm.size]
    before = [(comm.rank - 1) % comm.size]
    with carpool.Graph(comm, before, around, source_weights=[5], destination_weights=[5],
                       reorder=True) as ring:
        came = np.zeros(1, "i4")
        ring.allgather(np.array([ring.rank], "i4"), came)
        assert came.tolist() == list(ring.sources)
