# SPDX-License-Identifier: MIT
"""MPI's own collectives, by mpi4py, say what is right."""

import numpy as np
import pytest
from forms import FORMS, run
from mpi4py import MPI

import carpool
from carpool._declarations import OPERATIONS

TYPES = ["i4", "f8", "c16", "u1"]
NAMES = [name for name in OPERATIONS if not name.startswith(("neighbor", "sparse"))]


def numbers(random, count, dtype):
    return random.integers(0, 100, count).astype(dtype)


def displaced(counts):
    """Displacements with a gap of one element between blocks."""
    return np.cumsum(counts) - counts + np.arange(len(counts))


def sized(comm, everyone):
    """How many elements each rank has for each other."""
    return everyone.integers(0, 6, (comm.size, comm.size))


def sides(name, comm, everyone, own, dtype, root):
    """The arguments of an operation, with a send buffer and with zeros to receive into."""
    size, rank = comm.size, comm.rank
    each = sized(comm, everyone)
    count = int(each[0, 0]) + 1
    datatype = MPI.Datatype.fromcode(np.dtype(dtype).char)

    def varied(counts, array):
        return [array(int(counts.sum()) + size), counts, displaced(counts), datatype]

    def typed(counts, array):
        return [array(int(counts.sum()) + size), counts, displaced(counts) * datatype.size,
                [datatype] * size]

    def send(length):
        return numbers(own, length, dtype)

    def recv(length):
        return np.zeros(length, dtype)

    rooted = {
        "bcast": lambda: (send(count) if rank == root else recv(count), ),
        "gather": lambda: (send(count), recv(count * size) if rank == root else None),
        "gatherv": lambda: (send(each[0, rank]), varied(each[0], recv) if rank == root else None),
        "scatter": lambda: (send(count * size) if rank == root else None, recv(count)),
        "scatterv": lambda: (varied(each[0], send) if rank == root else None, recv(each[0, rank])),
        "reduce": lambda: (send(count), recv(count) if rank == root else None, MPI.SUM),
    }
    unrooted = {
        "barrier": lambda: (),
        "allgather": lambda: (send(count), recv(count * size)),
        "allgatherv": lambda: (send(each[0, rank]), varied(each[0], recv)),
        "alltoall": lambda: (send(count * size), recv(count * size)),
        "alltoallv": lambda: (varied(each[rank], send), varied(each[:, rank], recv)),
        "alltoallw": lambda: (typed(each[rank], send), typed(each[:, rank], recv)),
        "allreduce": lambda: (send(count), recv(count), MPI.SUM),
        "reduce_scatter_block": lambda: (send(count * size), recv(count), MPI.SUM),
        "reduce_scatter": lambda: (send(each[0].sum()), recv(each[0, rank]), each[0], MPI.SUM),
        "scan": lambda: (send(count), recv(count), MPI.SUM),
        "exscan": lambda: (send(count), recv(count), MPI.SUM),
    }
    return (*rooted[name](), root) if name in rooted else unrooted[name]()


def copied(given):
    """The same arguments, with arrays of their own."""
    if isinstance(given, np.ndarray):
        return given.copy()
    return type(given)(copied(one) for one in given) if isinstance(given, (list, tuple)) else given


def arrays(given):
    if isinstance(given, np.ndarray):
        yield given
    elif isinstance(given, (list, tuple)):
        for one in given:
            yield from arrays(one)


class OnRanks:
    """The functions, with their communicator."""

    def __init__(self, comm):
        self.comm = comm

    def __getattr__(self, name):
        return lambda *given: getattr(carpool, name)(self.comm, *given)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_buffers_end_as_those_of_mpi(name, form, comm, everyone, own):
    for dtype in TYPES:
        if dtype == "u1" and "reduce" in name:
            continue
        root = int(everyone.integers(comm.size))
        given = sides(name, comm, everyone, own, dtype, root)
        expected = copied(given)
        getattr(comm, name.capitalize())(*expected)
        run(form, name, OnRanks(comm), *given)
        for ours, theirs in zip(arrays(given), arrays(expected), strict=True):
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["allgather", "alltoall", "allreduce", "reduce_scatter_block"])
def test_in_place_is_mpis(name, form, comm, own):
    ours = numbers(own, 3 * comm.size, "i4")
    theirs = ours.copy()
    getattr(comm, name.capitalize())(MPI.IN_PLACE, theirs)
    if form in ("persistent", "background"):
        init = getattr(carpool, f"{'i' * (form == 'background')}{name}_init")
        with init(comm, MPI.IN_PLACE, ours) as request:
            request.start().wait()
    else:
        run(form, name, OnRanks(comm), MPI.IN_PLACE, ours)
    received = 3 if name == "reduce_scatter_block" else None
    np.testing.assert_array_equal(ours[:received], theirs[:received])


def test_operators_of_python_are_applied(comm):
    def longer(a, b, _):
        ours, theirs = np.frombuffer(a, "i4"), np.frombuffer(b, "i4")
        np.maximum(ours, theirs, out=theirs)

    op = MPI.Op.Create(longer, commute=True)
    found = np.zeros(2, "i4")
    carpool.allreduce(comm, np.array([comm.rank, -comm.rank], "i4"), found, op)
    assert found.tolist() == [comm.size - 1, 0]
    op.Free()


def test_an_algorithm_may_be_ordered(comm):
    mine, total = np.ones(4), np.zeros(4)
    with carpool.allreduce_init(comm, mine, total, algorithm="recursive-doubling") as request:
        assert request.plan.algorithm == "recursive-doubling"
        request.start().wait()
    assert total.tolist() == [comm.size] * 4


def test_the_plan_of_a_call_is_told(comm):
    carpool.allreduce(comm, np.ones(1), np.zeros(1))
    assert carpool.plan_of(comm, "allreduce").algorithm


@pytest.mark.parametrize("form", FORMS[:3])
def test_lists_of_ranks_are_served(form, comm):
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    received = np.zeros(2, "i4")
    run(form, "sparse_alltoallv", OnRanks(comm), [right], np.array([comm.rank, 7], "i4"), [left],
        received)
    assert received.tolist() == [left, 7]
