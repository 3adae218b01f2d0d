# SPDX-License-Identifier: MIT
"""Calls read and write arrays on a GPU in the order of a stream."""

import time

import gpu
import numpy as np
import pytest
from forms import FORMS, run
from gpu import ByDlpack, ByInterface
from test_collectives import OnRanks

import carpool

pytestmark = pytest.mark.skipif(gpu.driver is None, reason="CARPOOL_TEST_CUDA names no driver")

BUSY = 0.05  # seconds for which a stream works: longer than an init


@pytest.fixture
def stream():
    return gpu.driver.stream()


@pytest.fixture
def usual(comm):
    """A communicator of which no stream was set."""
    made = comm.Dup()
    carpool.allreduce(made, np.zeros(3), np.zeros(3))  # the first call takes longest
    yield made
    made.Free()


def fill_late(array, stream, values):
    """Puts the making of the array's values on a stream that works for a while first."""
    values = np.array(np.broadcast_to(values, array.shape), array.dtype)

    def work():
        time.sleep(BUSY)
        array.memory.write(values)

    gpu.driver.launch(stream, work)


def found(array, stream):
    """The values that work on the stream finds."""
    gpu.driver.finish(stream)
    return array.get()


@pytest.mark.parametrize("form", FORMS)
def test_a_call_goes_by_the_stream_of_its_arrays(form, usual, stream):
    sent, came = ByInterface(np.zeros(3), stream=stream), ByInterface(np.zeros(3), stream=stream)
    fill_late(sent, stream, 1)
    run(form, "allreduce", OnRanks(usual), sent, came)
    assert (found(came, stream) == usual.size).all()


@pytest.mark.parametrize("form", FORMS)
def test_a_call_goes_by_the_stream_of_its_communicator(form, usual, stream):
    carpool.set_stream(usual, stream)
    sent, came = ByDlpack(np.zeros(3)), ByDlpack(np.zeros(3))
    fill_late(sent, stream, 1)
    run(form, "allreduce", OnRanks(usual), sent, came)
    assert (found(came, stream) == usual.size).all()


def test_arrays_with_a_stream_leave_that_of_the_communicator(usual, stream):
    carpool.set_stream(usual, stream)
    other = gpu.driver.stream()
    carpool.allreduce(usual, ByInterface(np.ones(3), stream=other), np.zeros(3))
    sent, came = ByDlpack(np.zeros(3)), np.zeros(3)
    fill_late(sent, stream, 1)
    carpool.allreduce(usual, sent, came)
    assert (came == usual.size).all()


def test_ghosts_go_by_the_stream_of_their_values(usual, stream):
    right = (usual.rank + 1) % usual.size
    with carpool.Ghosts(usual, owners=[right], indices=[0], owned=1) as ghosts:
        for value in (1, 2):
            x = ByInterface(np.zeros(2), stream=stream)
            fill_late(x, stream, [value, 0])
            ghosts.update(x)
            assert found(x, stream).tolist() == [value, value]
        both = ByInterface(np.zeros(2), stream=stream)
        with ghosts.update_init(both) as request:
            fill_late(both, stream, [3, 0])
            request.start().wait()
            assert found(both, stream).tolist() == [3, 3]


def test_a_request_is_given_a_stream(usual, stream):
    class Stream:
        ptr = stream

    sent, came = ByDlpack(np.zeros(3)), ByDlpack(np.zeros(3))
    with carpool.allreduce_init(usual, sent, came) as request:
        for value, given in [(1, stream), (2, Stream()), (3, None)]:
            request.set_stream(given)
            fill_late(sent, stream if given else 0, value)
            request.start().wait()
            assert (found(came, stream) == value * usual.size).all()


def test_a_bundle_has_the_stream_of_its_requests(usual, stream):
    arrays = [ByInterface(np.zeros(3), stream=stream) for _ in range(2)]
    totals = np.zeros((2, 3))
    requests = [carpool.allreduce_init(usual, *pair) for pair in zip(arrays, totals, strict=True)]
    with carpool.bundle_init(usual, requests) as bundle:
        for array in arrays:
            fill_late(array, stream, 1)
        bundle.start().wait()
    assert (totals == usual.size).all()


def test_arrays_and_requests_of_one_call_have_one_stream(usual, stream):
    one, other = (ByInterface(np.zeros(3), stream=each) for each in (stream, gpu.driver.stream()))
    with pytest.raises(ValueError, match="arrays of one call have the streams"):
        carpool.allreduce_init(usual, one, other)
    requests = [carpool.allreduce_init(usual, each, np.zeros(3)) for each in (one, other)]
    with pytest.raises(ValueError, match="requests have the streams"):
        carpool.bundle_init(usual, requests)


def test_what_is_no_stream_is_told(usual):
    with pytest.raises(TypeError, match="stream is of type str, expected a stream of cupy"):
        carpool.set_stream(usual, "fast")
