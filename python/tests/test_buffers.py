# SPDX-License-Identifier: MIT
"""Buffers in all forms in which mpi4py takes them, and those that are refused."""

import array

import numpy as np
import pytest
from mpi4py import MPI

import carpool


class OnHost:
    """What another library's array shows of itself."""

    def __init__(self, data):
        self.data = data

    def __dlpack__(self, **given):
        return self.data.__dlpack__(**given)

    def __dlpack_device__(self):
        return self.data.__dlpack_device__()


class OnDevice(OnHost):
    def __dlpack_device__(self):
        return 8, 0


class Interfaced:
    def __init__(self, data):
        self.data = data
        self.__array_interface__ = data.__array_interface__


def total(comm, sent, received):
    carpool.allreduce(comm, sent, received)


@pytest.mark.parametrize("wrap", [
    lambda data: data,
    lambda data: [data, MPI.DOUBLE],
    lambda data: [data, 3],
    lambda data: (data, 3, MPI.DOUBLE),
    lambda data: [data, 3, 0, MPI.DOUBLE],
    lambda data: [data, (3, 0), MPI.DOUBLE],
    lambda data: [data, "d"],
    lambda data: memoryview(data),
    lambda data: OnHost(data),
    lambda data: Interfaced(data),
])
def test_one_array_has_many_forms(wrap, comm):
    received = np.zeros(3)
    total(comm, wrap(np.arange(3.0)), wrap(received))
    assert received.tolist() == [0, comm.size, 2 * comm.size]


def test_other_buffers_will_do(comm):
    sent, received = array.array("d", [1, 2]), bytearray(16)
    total(comm, [sent, MPI.DOUBLE], [received, MPI.DOUBLE])
    assert np.frombuffer(received).tolist() == [comm.size, 2 * comm.size]
    total(comm, np.float32([[1, 2], [3, 4]]), found := np.zeros((2, 2), "f4", order="C"))
    assert found.sum() == 10 * comm.size


def test_a_displacement_counts_elements(comm):
    received = np.zeros(4)
    total(comm, [np.arange(4.0), 2, 1, MPI.DOUBLE], [received, 2, 2, MPI.DOUBLE])
    assert received.tolist() == [0, 0, comm.size, 2 * comm.size]


def test_a_derived_datatype_takes_columns(comm):
    matrix = np.arange(12.0).reshape(3, 4)
    column = MPI.DOUBLE.Create_vector(3, 1, 4).Commit()
    received = np.zeros((comm.size, 3))
    carpool.allgather(comm, [matrix, 1, column], [received, 3, MPI.DOUBLE])
    column.Free()
    assert received.tolist() == [[0, 4, 8]] * comm.size


def read_only():
    data = np.zeros(2)
    data.flags.writeable = False
    return data


@pytest.mark.parametrize("sent, received, error, text", [
    (np.zeros((4, 4))[:, 1], np.zeros(4), ValueError, "has gaps"),
    (np.zeros(2), read_only(), ValueError, "read-only"),
    (np.zeros(2), b"0123456789012345", (BufferError, ValueError), "read-only|not writable|writable"),
    (np.zeros(2), np.zeros(3), ValueError,
     r"blocks of 2 of MPI_DOUBLE \(16 bytes\) .* for 3 of MPI_DOUBLE \(24 bytes\)"),
    (np.zeros(2), np.zeros(2, int), ValueError, "expected one count and type"),
    ([np.zeros(2), 3, MPI.DOUBLE], np.zeros(3), ValueError, "byte 24 of a buffer of 16"),
    (np.zeros(2, "f8,i4"), np.zeros(2), TypeError, "no datatype"),
    (np.zeros(2, ">f8"), np.zeros(2), TypeError, "no datatype"),
    (OnDevice(np.zeros(2)), np.zeros(2), TypeError, "OnDevice lies on a device of DLPack's kind 8"),
    (7, np.zeros(2), TypeError, "int"),
    ([np.zeros(2), 1, 2, 3, MPI.DOUBLE], np.zeros(2), ValueError, "5 things"),
])
def test_what_cannot_be_sent_is_refused_at_once(sent, received, error, text, comm):
    with pytest.raises(error, match=text):
        total(comm, sent, received)


def test_an_array_that_is_not_significant_is_not_looked_at(comm):
    everyone, ones = np.zeros((comm.size, 3)), np.ones(3)
    carpool.gather(comm, ones, everyone)
    assert (everyone == (1 if comm.rank == 0 else 0)).all()
    mine = np.zeros(3)
    carpool.scatter(comm, np.ones((comm.size, 3)), mine)
    assert (mine == 1).all()


def test_blocks_that_reach_beyond_a_buffer_are_refused(comm):
    size = comm.size
    if size > 1:
        with pytest.raises(ValueError, match="equal blocks"):
            carpool.alltoall(comm, np.zeros(size), np.zeros(2 * size + 1))
    with pytest.raises(ValueError, match="the blocks end at byte"):
        carpool.alltoallv(comm, [np.zeros(size), np.full(size, 2)], [np.zeros(size), np.ones(size, int)])
    with pytest.raises(ValueError, match="counts of shape"):
        carpool.alltoallv(comm, [np.zeros(size), [1] * (size + 1)], [np.zeros(size), [1] * size])
    with pytest.raises(ValueError, match="before the buffer"):
        carpool.alltoallv(comm, [np.zeros(size), [1] * size, [-1] * size, MPI.DOUBLE], np.zeros(size))
    with pytest.raises(ValueError, match="types, expected"):
        carpool.alltoallw(comm, [np.zeros(size), [MPI.DOUBLE] * (size + 1)], np.zeros(size))
