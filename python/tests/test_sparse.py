# SPDX-License-Identifier: MIT
"""Exchanges: what arrives is what was sent, whoever has sent it."""

import gc

import numpy as np
import pytest

import carpool


def traffic(comm, everyone):
    """Per source a list of (destination, length), which all ranks know."""
    return [[(int(everyone.integers(comm.size)), int(everyone.integers(0, 9)))
             for _ in range(everyone.integers(0, 5))] for _ in range(comm.size)]


def piece(source, place, length):
    return np.arange(length) + 1000.0 * source + 100 * place


def expected(comm, sent):
    return [(source, piece(source, place, length).tolist()) for source, messages in enumerate(sent)
            for place, (destination, length) in enumerate(messages) if destination == comm.rank]


@pytest.mark.parametrize("is_blocking", [True, False])
def test_pieces_arrive_sorted_by_source(is_blocking, comm, everyone):
    for _ in range(8):
        sent = traffic(comm, everyone)
        mine = sent[comm.rank]
        pieces = [piece(comm.rank, place, length) for place, (_, length) in enumerate(mine)]
        to = [destination for destination, _ in mine]
        if is_blocking:
            delivery = carpool.sparse_exchange(comm, to, pieces, dtype=float)
        else:
            exchange = carpool.isparse_exchange(comm, to, pieces, dtype=float)
            exchange.Wait()
            delivery = exchange.delivery
        assert [(source, data.tolist()) for source, data in delivery] == expected(comm, sent)


def test_views_outlive_the_delivery(comm):
    delivery = carpool.sparse_exchange(comm, [comm.rank], [np.arange(1000.0)])
    _, view = delivery[0]
    del delivery
    gc.collect()
    carpool.sparse_exchange(comm, [comm.rank], [np.zeros(1000)])
    assert view.tolist() == list(range(1000))


def test_rows_of_an_array_are_pieces(comm):
    dtype = np.dtype([("place", "f8", 3), ("id", "i4")])
    rows = np.zeros((comm.size, 2), dtype)
    rows["id"] = comm.rank * 10 + np.arange(comm.size)[:, None]
    delivery = carpool.sparse_exchange(comm, range(comm.size), rows)
    assert delivery.sources == list(range(comm.size))
    assert [data["id"].tolist() for _, data in delivery] == [[10 * source + comm.rank] * 2
                                                             for source in range(comm.size)]


def test_counts_divide_an_array(comm):
    right = (comm.rank + 1) % comm.size
    delivery = carpool.sparse_exchange(comm, [right, right], np.arange(6), counts=[1, 2],
                                       displs=[4, 1])
    assert [data.tolist() for _, data in delivery] == [[4], [1, 2]]


def test_an_exchange_is_repeated(comm):
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    sent = np.array([1.0, 2.0, 3.0]) * comm.rank
    delivery = carpool.sparse_exchange(comm, [right], sent, counts=[3])
    came = np.zeros(3)
    with delivery.repeat_init(sent, came) as request:
        sent += 1
        request.start().wait()
    assert came.tolist() == (np.array([1.0, 2.0, 3.0]) * left + 1).tolist()


def test_what_has_come_needs_a_type(comm):
    to = [comm.size - 1] if comm.rank == 0 else []
    delivery = carpool.sparse_exchange(comm, to, [np.ones(1)] * len(to))
    assert delivery.sources == [0] * (comm.rank == comm.size - 1)
    if delivery and comm.rank:
        with pytest.raises(TypeError, match="say it"):
            delivery[0]
        delivery.dtype = np.dtype(float)
    assert [data.tolist() for _, data in delivery] == [[1]] * len(delivery)
    with pytest.raises(IndexError):
        delivery[1]


def test_pieces_fit_their_destinations(comm):
    with pytest.raises(ValueError, match="1 pieces for 2 destinations"):
        carpool.sparse_exchange(comm, [0, 0], [np.ones(1)])
    with pytest.raises(TypeError, match="different types"):
        carpool.sparse_exchange(comm, [0, 0], [np.ones(1), np.ones(1, int)])
