# SPDX-License-Identifier: MIT
"""Ghosts against a serial exchange, for which all ranks know what all have."""

import gc
from dataclasses import dataclass

import numpy as np
import pytest
from mpi4py import MPI

import carpool

FORMS = ["blocking", "nonblocking", "persistent"]


@dataclass
class Wanted:
    """The ghosts of all ranks, in global numbers."""
    ranges: np.ndarray
    numbers: list[np.ndarray]  # of each rank

    def ghosts(self, comm, **settings):
        mine = self.numbers[comm.rank]
        owners = np.searchsorted(self.ranges, mine, side="right") - 1
        return carpool.Ghosts(comm, owners, mine - self.ranges[owners],
                              owned=self.own(comm).stop - self.own(comm).start, **settings)

    def own(self, comm):
        return slice(int(self.ranges[comm.rank]), int(self.ranges[comm.rank + 1]))

    def summed(self, values, copies, op):
        """All entries after a reduction, if rank r has the copies copies[r]."""
        values = values.copy()
        for numbers, mine in zip(self.numbers, copies, strict=True):
            op.at(values, numbers, mine)
        return values


def wanted(comm, everyone):
    """Some ranks own nothing, ghosts repeat, and some are the rank's own entries."""
    sizes = everyone.integers(0, 7, comm.size)
    sizes[everyone.integers(comm.size)] = 5
    ranges = np.concatenate([[0], np.cumsum(sizes)])
    return Wanted(ranges, [everyone.integers(0, ranges[-1], everyone.integers(0, 20))
                           for _ in range(comm.size)])


def run(form, name, ghosts, *given):
    """A call in one of its forms, made twice."""
    if form == "persistent":
        with getattr(ghosts, f"{name}_init")(*given) as request:
            for _ in range(2):
                request.start().wait()
        return
    for _ in range(2):
        if form == "blocking":
            getattr(ghosts, name)(*given)
        else:
            getattr(ghosts, f"i{name}")(*given).Wait()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("components", [(), (3, ), (2, 2)])
def test_ghosts_get_the_values_of_their_entries(form, components, comm, everyone):
    for _ in range(4):
        all = wanted(comm, everyone)
        x = everyone.random((all.ranges[-1], *components))
        expected = x[all.numbers[comm.rank]]
        with all.ghosts(comm) as ghosts:
            both = np.concatenate([x[all.own(comm)], np.zeros_like(expected)])
            run(form, "update", ghosts, both)
            np.testing.assert_array_equal(both[ghosts.owned:], expected)
            copies = np.zeros_like(expected)
            run(form, "update", ghosts, (x[all.own(comm)], copies))
            np.testing.assert_array_equal(copies, expected)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("op, of_numpy", [(MPI.SUM, np.add), (MPI.MAX, np.maximum)])
def test_entries_are_combined_with_their_ghosts(form, op, of_numpy, comm, everyone):
    for _ in range(4):
        all = wanted(comm, everyone)
        values = everyone.integers(0, 100, (all.ranges[-1], 2))
        copies = [everyone.integers(0, 100, (len(numbers), 2)) for numbers in all.numbers]
        once = all.summed(values, copies, of_numpy)
        expected = all.summed(once, copies, of_numpy)[all.own(comm)]
        own, mine = values[all.own(comm)], copies[comm.rank]
        with all.ghosts(comm) as ghosts:
            both = np.concatenate([own, mine])
            run(form, "reduce", ghosts, both, op)
            np.testing.assert_array_equal(both, np.concatenate([expected, mine]))
            entries = own.copy()
            run(form, "reduce", ghosts, (entries, mine), op)
            np.testing.assert_array_equal(entries, expected)


def test_arrays_like_earlier_ones_are_read_as_these(comm, everyone):
    all = wanted(comm, everyone)
    numbers, own = all.numbers[comm.rank], all.own(comm)
    with all.ghosts(comm) as ghosts:
        for kind in 3 * ["f8", "i4", ">i4", "f8"]:
            for components in [(), (2, ), (1, 2)]:
                x = everyone.integers(0, 100, (all.ranges[-1], *components)).astype(kind)
                both = np.concatenate([x[own], np.zeros_like(x[numbers])])
                ghosts.update(both)
                np.testing.assert_array_equal(both[ghosts.owned:], x[numbers])
                fixed, copies = x[own], np.zeros_like(x[numbers])
                fixed.setflags(write=False)
                ghosts.update((fixed, copies))
                np.testing.assert_array_equal(copies, x[numbers])


@pytest.mark.parametrize("form", FORMS)
def test_fields_of_any_types_are_exchanged_together(form, comm, everyone):
    all = wanted(comm, everyone)
    numbers, own = all.numbers[comm.rank], all.own(comm)
    kinds = [np.dtype("f8"), np.dtype("i2"), np.dtype([("mass", "f4"), ("kind", "u1")]),
             np.dtype("S3"), np.dtype("U4"), np.dtype(">f8")]
    whole = [np.arange(all.ranges[-1]).astype(kind) for kind in kinds]
    copies = [np.zeros(len(numbers), kind) for kind in kinds]
    with all.ghosts(comm) as ghosts:
        run(form, "update", ghosts, [(x[own], copy) for x, copy in zip(whole, copies, strict=True)])
        for x, copy in zip(whole, copies, strict=True):
            np.testing.assert_array_equal(copy, x[numbers])
        sums = [np.zeros(own.stop - own.start, kind) for kind in kinds[:2]]
        ones = [np.ones(len(numbers), kind) for kind in kinds[:2]]
        run(form, "reduce", ghosts, list(zip(sums, ones, strict=True)))
        times = np.bincount(np.concatenate(all.numbers), minlength=all.ranges[-1])[own]
        assert all_equal(sums, 2 * times)


def all_equal(arrays, expected):
    return all((array == expected).all() for array in arrays)


def test_global_numbers_stand_for_entries(comm, everyone):
    all = wanted(comm, everyone)
    x = everyone.random(all.ranges[-1])
    with carpool.Ghosts.of_ranges(comm, all.ranges, all.numbers[comm.rank]) as ghosts:
        copies = np.zeros(ghosts.size)
        ghosts.update((x[all.own(comm)], copies))
    np.testing.assert_array_equal(copies, x[all.numbers[comm.rank]])


def test_a_map_tells_its_neighbors(comm, everyone):
    all = wanted(comm, everyone)
    own = all.own(comm)
    with all.ghosts(comm) as ghosts:
        assert (ghosts.owned, ghosts.size) == (own.stop - own.start, len(all.numbers[comm.rank]))
        owners = np.searchsorted(all.ranges, all.numbers[comm.rank], side="right") - 1
        assert {rank: places.tolist() for rank, places in ghosts.sources.items()} == {
            int(rank): np.flatnonzero(owners == rank).tolist() for rank in np.unique(owners)}
        asked = [np.unique(numbers[(own.start <= numbers) & (numbers < own.stop)]) - own.start
                 for numbers in all.numbers]
        assert {rank: indices.tolist() for rank, indices in ghosts.targets.items()} == {
            rank: indices.tolist() for rank, indices in enumerate(asked) if indices.size}


@pytest.mark.parametrize("kind", ["csr_array", "csr_matrix", "coo_array"])
def test_a_sparse_matrix_has_ghosts(kind, comm, everyone):
    sparse = pytest.importorskip("scipy.sparse")
    ranges = np.concatenate([[0], np.cumsum(everyone.integers(0, 9, comm.size))])
    n = int(ranges[-1])
    whole = sparse.random_array((n, n), density=0.3, format="csr", rng=everyone)
    x = everyone.random(n)
    own = slice(int(ranges[comm.rank]), int(ranges[comm.rank + 1]))
    ghosts, local = carpool.ghosts_of(getattr(sparse, kind)(whole[own]), ranges, comm)
    with ghosts:
        both = np.concatenate([x[own], np.zeros(ghosts.size)])
        ghosts.update(both)
        np.testing.assert_allclose(local @ both, (whole @ x)[own])


def test_requests_outlive_their_map(comm, everyone):
    all = wanted(comm, everyone)
    x = everyone.random(all.ranges[-1])
    both = np.concatenate([x[all.own(comm)], np.zeros(len(all.numbers[comm.rank]))])
    request = all.ghosts(comm).update_init(both)
    gc.collect()
    with request:
        request.start().wait()
    np.testing.assert_array_equal(both[all.own(comm).stop - all.own(comm).start:],
                                  x[all.numbers[comm.rank]])


def test_an_update_may_be_dropped_while_active(comm, everyone):
    all = wanted(comm, everyone)
    x = everyone.random(all.ranges[-1])
    with all.ghosts(comm) as ghosts:
        copies = np.zeros(ghosts.size)
        ghosts.iupdate((x[all.own(comm)], np.zeros(ghosts.size)))
        gc.collect()
        comm.Barrier()
        ghosts.update((x[all.own(comm)], copies))
    np.testing.assert_array_equal(copies, x[all.numbers[comm.rank]])


@pytest.mark.parametrize("rule", ["direct", "friends"])
def test_a_rule_may_be_chosen(rule, comm):
    with carpool.Ghosts(comm, [0], [0], owned=1, algorithm=rule) as ghosts:
        assert ghosts.update_init(np.zeros(2)).plan.algorithm == rule


@pytest.fixture
def one_each(comm):
    """A ghost on each rank, of the entry of the next one."""
    with carpool.Ghosts(comm, [(comm.rank + 1) % comm.size], [0], owned=1) as made:
        yield made


@pytest.mark.parametrize("values, expected", [
    (np.zeros(3), "ghost_values has a length of 2, expected 1"),
    ((np.zeros(1), np.zeros(1), np.zeros(1)), "a field of 3 arrays"),
    ((np.zeros(1), np.zeros(1, "f4")), "1 of float64 and a ghost 1 of float32"),
    ((np.zeros((1, 2)), np.zeros((1, 3))), "2 of float64 and a ghost 3 of float64"),
    (np.zeros((2, 4))[:, ::2], "one behind the other"),
    (np.array([None, None]), "expected numbers"),
    ([0.0, 0.0], "a buffer is an array"),
    ([np.zeros(2), np.zeros(1)], "ghost_values has a length of 0"),
])
def test_values_that_do_not_fit_are_refused(values, expected, one_each):
    for call in (one_each.update, one_each.iupdate, one_each.update_init, one_each.reduce):
        with pytest.raises((ValueError, TypeError), match=expected):
            call(values)
    one_each.update(np.zeros(2))


@pytest.mark.parametrize("call", ["update", "reduce"])
def test_arrays_like_earlier_ones_are_refused_if_they_have_gaps_or_are_read_only(call, one_each):
    call = getattr(one_each, call)
    fixed = np.zeros((2, 2))
    fixed.setflags(write=False)
    for values in [np.zeros((2, 2)), (np.zeros((1, 2)), np.zeros((1, 2)))] * 2:
        call(values)
    for values in [np.zeros((2, 4))[:, ::2], np.zeros((2, 2), order="F"), fixed,
                   (fixed[:1], fixed[1:])]:
        with pytest.raises(ValueError, match="one behind the other|read-only"):
            call(values)


def test_what_cannot_be_added_is_refused(one_each):
    for kind in ([("mass", "f4"), ("kind", "u1")], "S3", "U4", ">f8"):
        with pytest.raises(TypeError, match="MPI has no datatype"):
            one_each.reduce(np.zeros(2, kind))
    with pytest.raises(TypeError):
        one_each.reduce(np.zeros(2), np.add)


def test_a_mistake_of_one_rank_is_an_error_on_all(comm, one_each):
    is_mistaken = comm.rank == comm.size - 1
    error = ValueError if is_mistaken else MPI.Exception
    with pytest.raises(error):
        one_each.update_init(np.zeros(5 if is_mistaken else 2))
    with pytest.raises(error):
        one_each.reduce_init([np.zeros(5 if is_mistaken else 2)])
    with pytest.raises(error):
        carpool.Ghosts(comm, [0, 0] if is_mistaken else [0], [0], owned=1)
    with pytest.raises(error):
        carpool.Ghosts.of_ranges(comm, np.arange(comm.size + 1 + is_mistaken), [0])
    with pytest.raises(TypeError if is_mistaken else MPI.Exception):
        carpool.ghosts_of(np.eye(2), np.arange(comm.size + 1), comm) if is_mistaken else (
            carpool.Ghosts.of_ranges(comm, np.arange(comm.size + 1), [0]))


def test_an_entry_that_nobody_has_is_an_error_on_all(comm):
    with pytest.raises(MPI.Exception) as caught:
        carpool.Ghosts(comm, [0], [1 if comm.rank == 0 else 0], owned=1)
    assert caught.value.Get_error_class() == MPI.ERR_ARG
    with pytest.raises(MPI.Exception) as caught:
        carpool.Ghosts(comm, [comm.size], [0], owned=1)
    assert caught.value.Get_error_class() == MPI.ERR_RANK
    with pytest.raises(TypeError, match="expected integers"):
        carpool.Ghosts(comm, [0], [0.5], owned=1)


def test_a_map_may_be_named_after_its_communicator_was_freed(comm):
    twin = comm.Dup()
    ghosts = carpool.Ghosts(twin, [0], [0], owned=2)
    twin.Free()
    assert repr(ghosts) == f"<Ghosts: 2 entries and 1 ghosts of rank {comm.rank}>"
    ghosts.free()


def test_a_freed_map_is_refused(comm):
    ghosts = carpool.Ghosts(comm, [], [], owned=0)
    ghosts.free()
    with pytest.raises(MPI.Exception, match="map is CARPOOL_GHOSTS_NULL"):
        ghosts.update(np.zeros(0))
