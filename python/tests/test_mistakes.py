# SPDX-License-Identifier: MIT
"""What is wrong on one rank: that one says what, and the others hear of it where all ranks agree."""

import numpy as np
import pytest
from forms import FORMS, run
from mpi4py import MPI
from test_collectives import NAMES, OnRanks, sides

import carpool

GAPS = np.zeros((4, 4))[:, 1]


class Mistake:
    """Expected of the last rank, whose own error says what is wrong."""

    def __init__(self, comm, error, text=None):
        self.is_here = comm.rank == comm.size - 1
        self.expected = (pytest.raises(error, match=text) if self.is_here else
                         pytest.raises(MPI.Exception, match="Carpool"))

    def __enter__(self):
        self.expected.__enter__()
        return self

    def __exit__(self, *error):
        return self.expected.__exit__(*error)

    def of(self, wrong, right):
        return wrong if self.is_here else right


@pytest.mark.parametrize("form", ["persistent", "background"])
@pytest.mark.parametrize("name", [name for name in NAMES if name != "barrier"])
def test_all_ranks_of_an_init_hear_of_a_wrong_buffer(name, form, comm, everyone, own):
    given = sides(name, comm, everyone, own, "i4", comm.size - 1)
    with Mistake(comm, ValueError, "has gaps") as mistake:
        run(form, name, OnRanks(comm), *mistake.of((GAPS, *given[1:]), given))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["bcast", "allreduce", "alltoallv", "alltoallw", "reduce_scatter"])
def test_all_ranks_of_a_checked_call_hear_of_a_wrong_buffer(name, form, comm, everyone, own, monkeypatch):
    monkeypatch.setenv("CARPOOL_CHECK", "all")
    checked = comm.Dup()
    carpool.barrier(checked)  # on Open MPI nonblocking calls before it would go by MPI's own
    given = sides(name, checked, everyone, own, "i4", comm.size - 1)
    with Mistake(comm, ValueError, "has gaps") as mistake:
        run(form, name, OnRanks(checked), *mistake.of((GAPS, *given[1:]), given))
    run(form, name, OnRanks(checked), *given)
    checked.Free()


@pytest.mark.parametrize(("wrong", "error"), [
    (np.zeros(1), ValueError), (b"12345678", BufferError), ([1, 2], TypeError),
    ([np.zeros(2), 1.5], TypeError), ([], TypeError), (np.zeros(2, "f8,i4"), TypeError)])
def test_whatever_is_wrong_with_a_buffer_is_told(wrong, error, comm):
    with Mistake(comm, (error, ValueError)) as mistake:
        carpool.allreduce_init(comm, np.zeros(2), mistake.of(wrong, np.zeros(2)))


@pytest.mark.parametrize(("given", "error"), [
    (("a",), TypeError), ((1 << 40,), OverflowError), ((0.5,), TypeError)])
def test_a_root_that_is_none_is_told(given, error, comm):
    with Mistake(comm, error) as mistake:
        carpool.bcast_init(comm, np.zeros(2), *mistake.of(given, (0,)))


def test_an_operator_that_is_none_is_told(comm):
    with Mistake(comm, TypeError) as mistake:
        carpool.allreduce_init(comm, np.zeros(2), np.zeros(2), mistake.of(None, MPI.SUM))


@pytest.mark.parametrize("name", ["alltoall", "alltoallv", "alltoallw", "allgather", "reduce"])
def test_neighbors_hear_of_a_wrong_buffer(name, comm):
    blocks, into = np.zeros(8), np.zeros(8 if name == "reduce" else 64)
    with carpool.Neighborhood(comm, offsets="moore 2 1") as grid:
        with Mistake(comm, ValueError, "has gaps") as mistake:
            getattr(grid, f"{name}_init")(mistake.of(GAPS, blocks), into)


@pytest.mark.parametrize(("wrong", "error"), [
    ([[0.5, 1]], TypeError), ([[1 << 40, 1]], OverflowError), ([[1, 2, 3]], ValueError)])
def test_offsets_are_integers_by_dimension(wrong, error, comm):
    dims = MPI.Compute_dims(comm.size, 2)
    with Mistake(comm, error, "expected") as mistake:
        carpool.Neighborhood(comm, dims, offsets=mistake.of(wrong, [[1, 1]]))
    torus = comm.Create_cart(dims, periods=[True, True])
    with Mistake(comm, error, "expected") as mistake:
        carpool.Neighborhood.attached(torus, mistake.of(wrong, [[1, 1]]))
    torus.Free()


def test_edges_are_integers(comm):
    for wrong in ([0.0], [1 << 40]):
        with Mistake(comm, (TypeError, OverflowError), "expected integers") as mistake:
            carpool.Graph(comm, [], mistake.of(wrong, []))
    with Mistake(comm, ValueError, "3 weights, expected 1") as mistake:
        carpool.Graph(comm, [comm.rank], [comm.rank], source_weights=mistake.of([1, 2, 3], [1]),
                      destination_weights=[1])


@pytest.mark.parametrize(("width", "error"), [(0.5, TypeError), ([1, (1, 2, 3)], ValueError),
                                              ([1, 1, 1], ValueError)])
def test_all_ranks_of_a_halo_hear_of_a_wrong_width(width, error, comm):
    torus = comm.Create_cart(MPI.Compute_dims(comm.size, 2), periods=[True, True])
    with Mistake(comm, error, "expected") as mistake:
        carpool.Halo(torus, np.zeros((5, 5)), mistake.of(width, 1))
    torus.Free()


def test_a_halo_that_an_array_has_no_room_for_is_told_in_the_words_of_python(comm):
    torus = comm.Create_cart(MPI.Compute_dims(comm.size, 2), periods=[True, True])
    text = r"width is 9 before and 9 after in dimension 0, .* at most 4 .* array of shape \(4, 5, 2\)"
    with Mistake(comm, ValueError, text) as mistake:
        carpool.Halo(torus, mistake.of(np.zeros((4, 5, 2)), np.zeros((20, 20, 2))), width=9)
    torus.Free()


@pytest.mark.parametrize("wrong", [MPI.COMM_WORLD, MPI.COMM_NULL, None])
def test_a_communicator_without_a_topology_is_told(wrong):
    with pytest.raises(TypeError, match="grid is .* without a Cartesian topology, expected a Neighborhood"):
        carpool.Halo(wrong, np.zeros((4, 4)))
    for make in (carpool.Neighborhood.of, lambda comm: carpool.Neighborhood.attached(comm, "moore 2 1")):
        with pytest.raises(TypeError, match="without a Cartesian topology, expected a communicator of"):
            make(wrong)
    with pytest.raises(TypeError, match="without a topology, expected"):
        carpool.Topology(wrong)


def test_a_grid_is_one_also_where_mpi4py_does_not_know_it(comm):
    torus = comm.Create_cart(MPI.Compute_dims(comm.size, 2), periods=[True, True])
    cells = np.zeros((4, 4))
    cells[1:-1, 1:-1] = 1
    with carpool.Halo(MPI.Intracomm(torus), cells) as halo:
        halo.start().wait()
    assert cells.all()
    torus.Free()


def test_all_ranks_of_an_exchange_hear_of_wrong_pieces(comm):
    with Mistake(comm, ValueError, "2 pieces for 0 destinations") as mistake:
        carpool.sparse_exchange(comm, [], mistake.of([1, 2], []))
    with Mistake(comm, ValueError, "2 pieces for 0 destinations") as mistake:
        carpool.isparse_exchange(comm, [], mistake.of([1, 2], [])).Wait()
    delivery = carpool.sparse_exchange(comm, [comm.rank], [np.zeros(4)])
    with Mistake(comm, ValueError, "has gaps") as mistake:
        delivery.repeat_init(mistake.of(GAPS, np.zeros(4)), np.zeros(4))


def test_a_bundle_is_of_requests(comm):
    with carpool.allreduce_init(comm, np.zeros(2), np.zeros(2)) as request:
        with Mistake(comm, TypeError, r"requests\[1\] is of type NoneType") as mistake:
            carpool.bundle_init(comm, [request, mistake.of(None, request)])
    with pytest.raises(TypeError, match="expected a Request"):
        carpool.startall([None])


def test_a_broadcast_has_a_buffer_everywhere(comm):
    with pytest.raises(TypeError, match="None, expected an array"):
        carpool.bcast(comm, None)
    with pytest.raises(TypeError, match="numpy.array"):
        carpool.bcast(comm, [1, 2])


def test_objects_are_no_pieces_of_a_sparse_exchange(comm):
    with Mistake(comm, TypeError, r"type object, expected numbers; .*pickle\.dumps") as mistake:
        carpool.sparse_exchange(comm, [0], mistake.of([[{"a": 1}]], [np.zeros(1)]))
