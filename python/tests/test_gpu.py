# SPDX-License-Identifier: MIT
"""Arrays on a GPU: as on the host, byte for byte, and what of them is refused."""

import gc

import gpu
import numpy as np
import pytest
from forms import FORMS, run
from gpu import PROTOCOLS, ByDlpack, ByInterface, ByVersionedDlpack, on_gpu, on_host
from mpi4py import MPI
from test_collectives import NAMES, OnRanks, arrays, copied, sides
from test_ghosts import run as run_ghosts
from test_ghosts import wanted
from test_neighborhoods import arguments, mpis, random_graph, with_counts

import carpool

pytestmark = pytest.mark.skipif(gpu.driver is None, reason="CARPOOL_TEST_CUDA names no driver")


@pytest.fixture(params=["all", "odd"])
def placed(request, comm):
    """Puts buffers on the GPU: those of all ranks, or both on some and one on the others."""
    def place(given, make=ByInterface):
        sent, received, *others = *given, None
        if request.param == "all" or comm.rank % 2:
            sent = on_gpu(sent, make)
        return (sent, on_gpu(received, make), *others)[:len(given)]
    return place


@pytest.mark.parametrize(("form", "make", "dtype"),
                         list(zip(FORMS, PROTOCOLS, ["i4", "f8", "c16", "f4"], strict=True)))
@pytest.mark.parametrize("name", [name for name in NAMES if name != "barrier"])
def test_collectives_bring_the_same(name, form, make, dtype, comm, everyone, own, placed):
    given = sides(name, comm, everyone, own, dtype, int(everyone.integers(comm.size)))
    expected = copied(given)
    there = placed(given, make)
    getattr(comm, name.capitalize())(*expected)
    run(form, name, OnRanks(comm), *there)
    for ours, theirs in zip(arrays(on_host(there)), arrays(expected), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("name", ["allgather", "alltoall", "allreduce", "reduce_scatter_block"])
def test_in_place_is_as_on_the_host(name, comm, own):
    ours = own.integers(0, 100, 3 * comm.size).astype("i4")
    there = ByInterface(ours)
    getattr(comm, name.capitalize())(MPI.IN_PLACE, ours)
    run("blocking", name, OnRanks(comm), MPI.IN_PLACE, there)
    received = 3 if name == "reduce_scatter_block" else None
    np.testing.assert_array_equal(there.get()[:received], ours[:received])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["alltoall", "alltoallv", "alltoallw", "allgather", "allgatherv"])
def test_neighbors_get_the_same(name, form, comm, everyone, own, placed):
    with random_graph(comm, everyone) as topology:
        given = arguments(name, topology, everyone, own)
        expected = copied(given)
        graph = mpis(comm, topology)
        getattr(graph, f"Neighbor_{name}")(*with_counts(name, expected, comm, topology))
        graph.Free()
        there = placed(given)
        run(form, name, topology, *there)
        for ours, theirs in zip(arrays(on_host(there)), arrays(expected), strict=True):
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("make", PROTOCOLS)
def test_a_derived_datatype_takes_columns(make, comm):
    matrix = make(np.arange(12.0).reshape(3, 4))
    column = MPI.DOUBLE.Create_vector(3, 1, 4).Commit()
    received = make(np.zeros((comm.size, 3)))
    carpool.allgather(comm, [matrix, 1, column], [received, 3, MPI.DOUBLE])
    column.Free()
    assert received.get().tolist() == [[0, 4, 8]] * comm.size


@pytest.mark.parametrize("make", PROTOCOLS)
@pytest.mark.parametrize("form", ["blocking", "nonblocking", "persistent"])
def test_ghosts_get_the_values_of_their_entries(form, make, comm, everyone):
    all = wanted(comm, everyone)
    own, numbers = all.own(comm), all.numbers[comm.rank]
    x = everyone.random((all.ranges[-1], 3))
    both = make(np.concatenate([x[own], np.zeros((len(numbers), 3))]))
    copies = make(np.zeros((len(numbers), 3)))
    fields = [make(x[own]), copies], [x[own] > 0.5, np.zeros((len(numbers), 3), bool)]
    with all.ghosts(comm) as ghosts:
        run_ghosts(form, "update", ghosts, both)
        np.testing.assert_array_equal(both.get()[ghosts.owned:], x[numbers])
        run_ghosts(form, "update", ghosts, (make(x[own]), copies))
        np.testing.assert_array_equal(copies.get(), x[numbers])
        run_ghosts(form, "update", ghosts, [tuple(one) for one in fields])
        np.testing.assert_array_equal(fields[1][1], x[numbers] > 0.5)


@pytest.mark.parametrize("form", ["blocking", "nonblocking", "persistent"])
def test_entries_are_combined_with_their_ghosts(form, comm, everyone):
    all = wanted(comm, everyone)
    values = everyone.integers(0, 100, (all.ranges[-1], 2))
    copies = [everyone.integers(0, 100, (len(numbers), 2)) for numbers in all.numbers]
    once = all.summed(values, copies, np.add)
    expected = all.summed(once, copies, np.add)[all.own(comm)]
    both = ByInterface(np.concatenate([values[all.own(comm)], copies[comm.rank]]))
    with all.ghosts(comm) as ghosts:
        run_ghosts(form, "reduce", ghosts, both)
    np.testing.assert_array_equal(both.get(), np.concatenate([expected, copies[comm.rank]]))


def test_a_bundle_of_both_kinds_of_memory(comm):
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    sent, came = ByInterface(np.array([comm.rank, 7])), ByDlpack(np.zeros(2, int))
    total = np.zeros(1)
    with carpool.Graph(comm, [left], [right]) as ring:
        requests = [ring.alltoall_init(sent, came),
                    carpool.allreduce_init(ring.comm, np.ones(1), total)]
        with carpool.bundle_init(ring.comm, requests) as bundle:
            for _ in range(3):
                bundle.start().wait()
    assert came.get().tolist() == [left, 7] and total[0] == comm.size


@pytest.mark.parametrize("make", PROTOCOLS)
def test_a_request_keeps_memory_of_arrays_that_are_dropped(make, comm):
    gc.collect()
    before = gpu.driver.allocated
    came = np.zeros(3)
    request = carpool.allreduce_init(comm, make(np.arange(3.0)), came)
    gc.collect()
    assert gpu.driver.allocated == before + 1
    request.start().wait()
    assert came.tolist() == [0, comm.size, 2 * comm.size]
    request.free()
    gc.collect()
    assert gpu.driver.allocated == before


@pytest.mark.parametrize("make", PROTOCOLS)
def test_arrays_without_elements_have_no_address(make, comm):
    sent = make(np.zeros((0, 3)))
    came = make(np.zeros(0))
    assert sent.address == 0
    carpool.allgather(comm, sent, came)
    carpool.alltoallv(comm, [sent, np.zeros(comm.size, int)], [came, np.zeros(comm.size, int)])


@pytest.mark.parametrize("make", PROTOCOLS)
def test_slices_and_orders_without_gaps_will_do(make, comm):
    whole = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    came = make(np.zeros((3, 4), order="F"))
    carpool.allreduce(comm, make(whole), came)
    np.testing.assert_array_equal(came.get(), comm.size * whole)
    part = make(np.arange(12.0).reshape(3, 4))[1:]
    came = np.zeros((2, 4))
    carpool.allreduce(comm, part, came)
    np.testing.assert_array_equal(came, comm.size * np.arange(4.0, 12).reshape(2, 4))


class Bfloats(ByDlpack):
    """Elements of a type that numpy has not."""

    dtype = np.dtype("V2")


def test_elements_that_mpi_does_not_know_need_a_type(comm):
    bits = Bfloats(np.array([1, 2], "u2"))
    came = np.zeros(2 * comm.size, "u2")
    with pytest.raises(TypeError, match="no datatype for elements"):
        carpool.allgather(comm, bits, came)
    carpool.allgather(comm, [bits, 2, MPI.UINT16_T], came)
    assert came.tolist() == [1, 2] * comm.size


def refused(array=None, **said):
    return ByInterface(np.zeros(4) if array is None else array, **said)


@pytest.mark.parametrize(("make", "error", "text"), [
    (lambda: refused(np.zeros((4, 4)))[:, 1], ValueError, "has gaps"),
    (lambda: ByDlpack(np.zeros((4, 4)))[:, 1], ValueError, "has gaps"),
    (lambda: refused(np.zeros((4, 4)))[:2, ::2], ValueError, "has gaps"),
    (lambda: refused(data=(4096, True)), ValueError, "read-only"),
    (lambda: ByVersionedDlpack(np.zeros(4), flags=1), ValueError, "read-only"),
    (lambda: refused(mask=np.zeros(4)), TypeError, "gpu.ByInterface has a mask"),
    (lambda: refused(stream=0), ValueError, "has the stream 0, which may be either"),
    (lambda: refused(stream=2), ValueError, "has the stream 2, the default stream of each thread"),
    (lambda: refused(data=(0, False)), ValueError, "of shape .4,. has the address 0"),
    (lambda: ByDlpack(np.zeros(4), kind=14), TypeError, "device of DLPack's kind 14"),
    (lambda: refused(np.zeros(3)), ValueError, "has room for 3 of MPI_DOUBLE"),
])
def test_what_cannot_be_received_into_is_refused(make, error, text, comm):
    with pytest.raises(error, match=text):
        carpool.allreduce(comm, np.zeros(4), make())
    with pytest.raises(error, match=text):
        carpool.allreduce_init(comm, np.zeros(4), make())


def test_arrays_that_are_only_read_may_be_read_only(comm):
    came = np.zeros(4)
    carpool.allreduce(comm, ByVersionedDlpack(np.ones(4), flags=1), came)
    assert (came == comm.size).all()


def test_all_ranks_of_an_init_hear_of_a_wrong_array(comm):
    is_here = comm.rank == comm.size - 1
    with pytest.raises(TypeError if is_here else MPI.Exception):
        carpool.allreduce_init(comm, np.zeros(4),
                               refused(mask=np.zeros(4)) if is_here else refused())


def test_exchanges_with_unknown_sources_take_memory_of_the_host_alone(comm):
    for pieces in (refused(np.zeros((1, 4))), [refused()], [ByDlpack(np.zeros(4))]):
        with pytest.raises(TypeError, match="lies in the memory of a GPU"):
            carpool.sparse_exchange(comm, [comm.rank], pieces)


@pytest.mark.parametrize("form", FORMS[:3])
def test_lists_of_ranks_are_served(form, comm):
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    came = ByInterface(np.zeros(2, "i4"))
    run(form, "sparse_alltoallv", OnRanks(comm), [right],
        ByInterface(np.array([comm.rank, 7], "i4")), [left], came)
    assert came.get().tolist() == [left, 7]


@pytest.mark.parametrize("make", PROTOCOLS)
def test_a_delivery_is_repeated(make, comm):
    right = (comm.rank + 1) % comm.size
    delivery = carpool.sparse_exchange(comm, [right], [np.zeros(3)])
    came = make(np.zeros(3))
    with delivery.repeat_init(make(np.arange(3.0)), came) as request:
        request.start().wait()
    assert came.get().tolist() == [0, 1, 2]


class OnHost(ByDlpack):
    """Pinned or managed memory, and that of libraries from before the versions of DLPack."""

    def __init__(self, array, kind):
        self.said = {"kind": kind}
        self._whole = self._view = self.memory = array

    @property
    def address(self):
        return self._whole.ctypes.data


@pytest.mark.parametrize("kind", [1, 3, 13])
def test_memory_that_the_host_reads_is_the_hosts(kind, comm):
    came = np.zeros(3)
    carpool.allreduce(comm, OnHost(np.arange(3.0), kind), OnHost(came, kind))
    assert came.tolist() == [0, comm.size, 2 * comm.size]
    x = np.array([5.0, 0.0])
    with carpool.Ghosts(comm, owners=[0], indices=[0], owned=1) as ghosts:
        ghosts.update(OnHost(x, kind))
    assert x[1] == 5


def test_dlpack_orders_the_values_behind_the_legacy_stream(comm):
    sent = ByDlpack(np.ones(2))
    carpool.allreduce(comm, sent, np.zeros(2))
    assert sent.asked == [gpu.LEGACY]


def test_an_array_on_a_device_is_printed_without_its_elements(comm):
    with carpool.allreduce_init(comm, ByInterface(np.ones(2)), np.zeros(2)) as request:
        assert "shape (2,) and type float64 on a device" in repr(request._kept)
