# SPDX-License-Identifier: MIT
"""Halos of arrays on a GPU, as of those of numpy."""

import gpu
import numpy as np
import pytest
from gpu import PROTOCOLS, ByDlpack, ByInterface
from mpi4py import MPI
from test_halos import filled, part, whole

import carpool

pytestmark = pytest.mark.skipif(gpu.driver is None, reason="CARPOOL_TEST_CUDA names no driver")
ONE = (1, 1)


@pytest.fixture(params=[True, (True, False)])
def grid(request, comm):
    with carpool.Neighborhood(comm, offsets="moore 2 1", periods=request.param) as made:
        yield made


def on_gpu(seen, make, order="C", dtype=float):
    """A field on the GPU with these inner cells, and no halo yet."""
    field = np.zeros(seen.shape, dtype, order=order)
    filled(field, seen, ONE, ONE)
    return make(field)


@pytest.mark.parametrize("make", PROTOCOLS)
@pytest.mark.parametrize(("order", "components"), [("C", ()), ("F", ()), ("C", (3, )), ("F", (2, ))])
def test_a_halo_is_what_slicing_sees(grid, make, order, components):
    seen = part(grid, whole(grid, components), ONE, ONE)
    field = on_gpu(seen, make, order)
    with carpool.Halo(grid, field) as halo:
        for _ in range(2):
            halo.start().wait()
    np.testing.assert_array_equal(field.get(), seen)


@pytest.mark.parametrize("make", [ByInterface, ByDlpack])
@pytest.mark.parametrize("steps", [(1, 1), (2, 3), (-1, 2)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_slice_of_a_larger_array_may_be_a_field(grid, make, steps, order):
    seen = part(grid, whole(grid), ONE, ONE)
    around = np.full([length * abs(step) + 4 for length, step in zip(seen.shape, steps, strict=True)],
                     -1.0, order=order)
    inside = slice(2, -2), slice(2, -2)
    apart = slice(None, None, steps[0]), slice(None, None, steps[1])
    filled(around[inside][apart], seen, ONE, ONE)
    there = make(around)
    with carpool.Halo(grid, there[inside][apart]) as halo:
        halo.start().wait()
    around[inside][apart] = seen
    np.testing.assert_array_equal(there.get(), around)


def test_one_of_the_components_may_be_a_field(grid):
    seen = part(grid, whole(grid), ONE, ONE)
    both = np.full((*seen.shape, 2), -1.0)
    filled(both[..., 1], seen, ONE, ONE)
    there = ByInterface(both)
    with carpool.Halo(grid, there[..., 1]) as halo:
        halo.start().wait()
    both[..., 1] = seen
    np.testing.assert_array_equal(there.get(), both)


def test_fields_share_messages(grid):
    seen = part(grid, whole(grid), ONE, ONE)
    fields = [on_gpu(seen, make, dtype="f4") for make in (ByInterface, ByDlpack)]
    with carpool.Halo(grid, fields, algorithm="cartesian") as halo:
        assert halo.plan.messages <= 4
        halo.start().wait()
    for field in fields:
        np.testing.assert_array_equal(field.get(), seen)


def test_each_rank_has_its_own_kind_of_memory(grid):
    seen = part(grid, whole(grid), ONE, ONE)
    field = on_gpu(seen, ByInterface if grid.rank % 2 else np.array)
    with carpool.Halo(grid, field) as halo:
        halo.start().wait()
    np.testing.assert_array_equal(field.get() if grid.rank % 2 else field, seen)


def test_a_halo_goes_by_the_stream_of_its_fields(grid):
    stream = gpu.driver.stream()
    seen = part(grid, whole(grid), ONE, ONE)
    field = ByInterface(np.zeros(seen.shape), stream=stream)
    inner = np.zeros(seen.shape)
    filled(inner, seen, ONE, ONE)
    with carpool.Halo(grid, field) as halo:
        gpu.driver.launch(stream, lambda: field.memory.write(inner))
        halo.start().wait()
        gpu.driver.finish(stream)
    np.testing.assert_array_equal(field.get(), seen)


@pytest.mark.parametrize(("said", "error", "text"), [
    ({"data": (4096, True)}, ValueError, "read-only"), ({"mask": 1}, TypeError, "has a mask")])
def test_what_is_no_field_is_refused(said, error, text, grid):
    is_here = grid.rank == grid.size - 1
    with pytest.raises(error if is_here else MPI.Exception, match=text if is_here else None):
        carpool.Halo(grid, ByInterface(np.zeros((5, 6)), **(said if is_here else {})))
