# SPDX-License-Identifier: MIT
"""Requests: their buffers live as long as need be, they mix with MPI's, and errors say what is wrong."""

import gc
import os
import weakref

import numpy as np
import pytest
from mpi4py import MPI

import carpool


class Owned(np.ndarray):
    """An array that can be watched."""


def owned(length):
    return np.zeros(length).view(Owned)


def sums(comm, number):
    return [carpool.allreduce_init(comm, np.full(2, float(i)), np.zeros(2)) for i in range(number)]


def test_a_request_keeps_its_buffers(comm):
    mine, total = owned(3), owned(3)
    watched = weakref.ref(total)
    request = carpool.allreduce_init(comm, mine, total)
    del mine, total
    gc.collect()
    request.start().wait()
    assert watched() is not None
    request.free()
    gc.collect()
    assert watched() is None and not request


def test_a_request_that_is_dropped_while_active_completes(comm):
    for _ in range(5):
        total = owned(1000)
        request = carpool.allreduce_init(comm, np.ones(1000), total)
        request.start()
        del request, total
    comm.Barrier()
    while carpool.requests._dropped:
        carpool.requests.sweep()


def test_garbage_is_collected_at_any_moment(comm):
    """Also while cffi looks something up under its lock."""
    cycle = [carpool.allreduce_init(comm, np.ones(1), np.zeros(1)),
             carpool.sparse_exchange(comm, [comm.rank], [np.ones(1)])]
    cycle.append(cycle)
    del cycle
    with carpool._library.ffi._lock:
        gc.collect()


def test_a_call_that_is_dropped_completes(comm):
    for _ in range(5):
        carpool.iallreduce(comm, np.ones(1000), np.zeros(1000))
    comm.Barrier()
    while carpool.requests._dropped:
        carpool.requests.sweep()


def test_calls_complete_among_requests_of_mpi(comm):
    total, theirs = np.zeros(1), np.zeros(1)
    with carpool.allreduce_init(comm, np.ones(1), np.zeros(1)) as request:
        request.start()
        MPI.Request.Waitall([carpool.iallreduce(comm, np.ones(1), total), request.as_call(),
                             comm.Iallreduce(np.ones(1), theirs)])
        assert total == theirs == comm.size
        request.start().wait()


def test_several_requests_are_waited_for(comm):
    requests = sums(comm, 3)
    carpool.startall(requests)
    carpool.waitall(requests)
    assert carpool.testall(requests) and carpool.waitany(requests) is None
    assert carpool.waitsome(requests) is None and carpool.testany(requests) == (None, True)
    carpool.startall(requests[1:])
    done = {carpool.waitany(requests)}
    done |= set(carpool.waitsome(requests))
    while len(done) < 2:
        done |= set(carpool.testsome(requests))
    assert done == {1, 2}
    for request in requests:
        request.free()


def test_a_bundle_starts_all(comm):
    totals = [np.zeros(2) for _ in range(3)]
    requests = [carpool.allreduce_init(comm, np.full(2, float(i)), total)
                for i, total in enumerate(totals)]
    with carpool.bundle_init(comm, requests, transport="auto", requests="persistent") as bundle:
        del requests
        gc.collect()
        bundle.start().wait()
    assert [total[0] for total in totals] == [0, comm.size, 2 * comm.size]


def test_a_plan_prints_itself(comm):
    with carpool.allreduce_init(comm, np.ones(1), np.zeros(1)) as request:
        plan = request.plan
        assert plan.algorithm in str(plan) and plan.algorithm in repr(request)
        assert plan._repr_html_() == request._repr_html_() and plan._repr_html_().count("<tr>") == 8


@pytest.mark.alone
def test_a_plan_counts_as_one_does_in_english():
    halo = carpool.Plan("direct", phases=1, rounds=3, messages=3, volume=0, bytes=192, shared_bytes=0, without_memory=0)
    assert str(halo) == "direct: 3 messages in 1 phase, 192 bytes"  # a halo has cells, no blocks
    one = carpool.Plan("star", phases=2, rounds=2, messages=1, volume=1, bytes=1, shared_bytes=0, without_memory=0)
    assert str(one) == "star: 1 message in 2 phases, 1 block, 1 byte"


@pytest.mark.alone
@pytest.mark.skipif("CARPOOL_PLANNER" not in os.environ, reason="the command carpool is not built")
def test_a_plan_on_a_grid_draws_itself(comm):
    with carpool.Neighborhood(comm, offsets="moore 2 1", algorithm="cartesian") as grid:
        with grid.alltoall_init(np.zeros(8), np.zeros(8)) as request:
            assert request._repr_html_().count("</svg>") == 1


def test_an_error_has_the_librarys_text(comm):
    with pytest.raises(MPI.Exception, match="'no-such'") as caught:
        carpool.allreduce_init(comm, np.ones(1), np.zeros(1), algorithm="no-such")
    assert caught.value.Get_error_class() == MPI.ERR_INFO_VALUE
    with pytest.raises(MPI.Exception, match="Carpool") as caught:
        carpool.bcast(comm, np.ones(1), root=comm.size)
    assert caught.value.Get_error_class() == MPI.ERR_ROOT


def test_a_call_tells_what_its_own_rank_sees_at_once(comm):
    carpool.barrier(comm)
    with pytest.raises(MPI.Exception, match="Carpool") as caught:
        carpool.ibcast(comm, np.ones(1), root=comm.size)
    assert caught.value.Get_error_class() == MPI.ERR_ROOT


def test_a_call_tells_what_all_ranks_have_found_when_it_completes(comm, monkeypatch):
    monkeypatch.setenv("CARPOOL_CHECK", "all")
    checked = comm.Dup()
    carpool.barrier(checked)
    call = carpool.ibcast(checked, np.ones(1), root=comm.size)
    with pytest.raises(MPI.Exception, match="Carpool") as caught:
        call.Wait()
    assert caught.value.Get_error_class() == MPI.ERR_ROOT
    checked.Free()


def test_an_active_request_is_not_freed(comm):
    request = carpool.barrier_init(comm).start()
    with pytest.raises(MPI.Exception) as caught:
        request.free()
    assert caught.value.Get_error_class() == MPI.ERR_REQUEST
    request.wait()
    request.free()


def test_a_mistake_among_several_is_told(comm):
    """Inits in the background tell it when they are waited for."""
    right, wrong = carpool.ibarrier_init(comm), carpool.iallreduce_init(
        comm, np.ones(1 + comm.rank % 2), np.zeros(1 + comm.rank % 2))
    if comm.size > 1:
        with pytest.raises(MPI.Exception) as caught:
            carpool.startall([right, wrong])
            carpool.waitall([right, wrong])
        assert caught.value.Get_error_class() != MPI.ERR_IN_STATUS
    gc.collect()


def test_settings_are_those_of_the_library(comm):
    with pytest.raises(TypeError, match="'algoritm' is neither an argument nor a setting; do you mean 'algorithm'"):
        carpool.barrier_init(comm, algoritm="tree")
    with carpool.allreduce_init(comm, np.ones(1), np.zeros(1), choice="measure", ports=2,
                                alpha=1e-6) as request:
        request.start().wait()
