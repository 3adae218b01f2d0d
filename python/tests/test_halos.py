# SPDX-License-Identifier: MIT
"""Halos against slices of the whole array, which every rank can make."""

import numpy as np
import pytest
from mpi4py import MPI

import carpool

INNER = (3, 4)


def whole(grid, components=()):
    shape = [length * size for length, size in zip(INNER, grid.dims, strict=True)]
    return np.arange(np.prod([*shape, *components]), dtype=float).reshape(*shape, *components) + 1


def part(grid, array, lower, upper):
    """What a rank with its halo sees, zero beyond a border."""
    pad = [(before, after) for before, after in zip(lower, upper, strict=True)]
    pad += [(0, 0)] * (array.ndim - len(pad))
    for axis, wraps in enumerate(grid.periods):
        only = [one if at == axis else (0, 0) for at, one in enumerate(pad)]
        array = np.pad(array, only, mode="wrap" if wraps else "constant")
    here = tuple(slice(at * length, (at + 1) * length + before + after)
                 for at, length, (before, after) in zip(grid.coords, INNER, pad[:2], strict=True))
    return array[here]


def inner(array, lower, upper):
    return array[tuple(slice(before, array.shape[axis] - after)
                       for axis, (before, after) in enumerate(zip(lower, upper, strict=True)))]


def filled(field, seen, lower, upper):
    field[...] = 0
    inner(field, lower, upper)[...] = inner(seen, lower, upper)


@pytest.fixture(params=[True, False, (True, False)])
def grid(request, comm):
    with carpool.Neighborhood(comm, offsets="moore 2 1", periods=request.param) as made:
        yield made


@pytest.mark.parametrize("width", [1, 2, [(1, 2), 0], [0, (2, 1)]])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_halo_is_what_slicing_sees(grid, width, order):
    lower, upper = carpool.halos._widths(width, 2)
    seen = part(grid, whole(grid), lower, upper)
    field = np.zeros(seen.shape, order=order)
    with carpool.Halo(grid.comm, field, width) as halo:
        for _ in range(2):
            filled(field, seen, lower, upper)
            halo.start().wait()
            np.testing.assert_array_equal(field, seen)


@pytest.mark.parametrize("order", ["C", "F"])
def test_cells_may_have_components(grid, order):
    seen = part(grid, whole(grid, (3, )), (1, 1), (1, 1))
    field = np.zeros(seen.shape, order=order)
    filled(field, seen, (1, 1), (1, 1))
    with carpool.Halo(grid, field) as halo:
        halo.start().wait()
    np.testing.assert_array_equal(field, seen)


def test_cells_may_lie_apart(grid):
    """One of the components of an array, which stays the only one that changes."""
    seen = part(grid, whole(grid), (1, 1), (1, 1))
    both = np.full((*seen.shape, 2), -1.0)
    filled(both[..., 1], seen, (1, 1), (1, 1))
    with carpool.Halo(grid, both[..., 1]) as halo:
        halo.start().wait()
    np.testing.assert_array_equal(both[..., 1], seen)
    assert (both[..., 0] == -1).all()


@pytest.mark.parametrize("steps", [(1, 1), (2, 3), (-1, 2)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_slice_of_a_larger_array_may_be_a_field(grid, steps, order):
    seen = part(grid, whole(grid), (1, 1), (1, 1))
    around = np.full([length * abs(step) + 4 for length, step in zip(seen.shape, steps, strict=True)],
                     -1.0, order=order)
    field = around[2:-2, 2:-2][::steps[0], ::steps[1]]
    filled(field, seen, (1, 1), (1, 1))
    others = around.size - field.size
    with carpool.Halo(grid, field) as halo:
        halo.start().wait()
    np.testing.assert_array_equal(field, seen)
    assert (around == -1).sum() == others


def test_fields_of_any_type_share_messages(grid):
    seen = part(grid, whole(grid), (1, 1), (1, 1))
    dtype = np.dtype([("mass", "f8"), ("kind", "u1")])
    fields = [np.zeros(seen.shape, dtype) for _ in range(2)]
    for field in fields:
        filled(field["mass"], seen, (1, 1), (1, 1))
        inner(field["kind"], (1, 1), (1, 1))[...] = 7
    with carpool.Halo(grid, fields, algorithm="cartesian") as halo:
        assert halo.plan.messages <= 4
        halo.start().wait()
    for field in fields:
        np.testing.assert_array_equal(field["mass"], seen)
        np.testing.assert_array_equal(field["kind"] == 7, seen > 0)


def test_a_star_fills_no_corners(comm):
    with carpool.Neighborhood(comm, offsets=carpool.von_neumann(2)) as grid:
        field = np.zeros((5, 6))
        field[1:-1, 1:-1] = 1
        with carpool.Halo(grid, field) as halo:
            halo.start().wait()
        assert (field[1:-1, :] == 1).all() and (field[:, 1:-1] == 1).all()
        assert field[0, 0] == field[-1, -1] == 0


@pytest.mark.parametrize("field, width, expected", [
    (np.zeros(4), 1, "at least 2 dimensions"),
    ([np.zeros((5, 5)), np.zeros((5, 6))], 1, "one shape"),
    (np.zeros((5, 5)), [1, 1, 1], "3 widths, expected 2"),
])
def test_what_is_no_halo_is_refused(comm, field, width, expected):
    torus = comm.Create_cart(MPI.Compute_dims(comm.size, 2), periods=[True, True])
    with pytest.raises((ValueError, TypeError), match=expected):
        carpool.Halo(torus, field, width)
    torus.Free()


def test_the_library_says_what_is_wrong_with_a_halo(comm):
    torus = comm.Create_cart(MPI.Compute_dims(comm.size, 2), periods=[True, True])
    with pytest.raises(MPI.Exception, match="halo") as caught:
        carpool.Halo(torus, np.zeros((5, 5)), 1, stencil=[[2, 0]])
    assert caught.value.Get_error_class() == MPI.ERR_ARG
    torus.Free()
