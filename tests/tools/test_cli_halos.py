# SPDX-License-Identifier: MIT
"""The command carpool on whole halos of arrays, run as users do."""

from itertools import product
from math import prod

import pytest

from in_process import answer, carpool, refusal


def halo(grid, stencil, shape, *arguments):
    return answer("explain", grid, stencil, "--halo", shape, *arguments)


def rule(found, name):
    return next(one for one in found["rules"] if one["name"] == name)


def test_faces_edges_and_corners_have_sizes_of_their_own():
    found = halo("torus 4x4x4", "moore 3 1", "64x64x64", "--element", "8")
    assert found["halo"]["parts"] == [{"cells": 64 * 64, "bytes": 64 * 64 * 8, "neighbors": 6},
                                      {"cells": 64, "bytes": 64 * 8, "neighbors": 12},
                                      {"cells": 1, "bytes": 8, "neighbors": 8}]
    for one in found["rules"]:  # no cell is sent to a rank twice
        assert one["volume"] == 66**3 - 64**3 and one["bytes"] == 8 * (66**3 - 64**3)


@pytest.mark.parametrize(("grid", "name", "messages"), [
    ("torus 2x2", "direct", 3), ("torus 3x2", "cartesian", 3), ("torus 3x2", "direct", 5)])
def test_messages_are_those_that_the_tutorial_s_program_prints(grid, name, messages):
    at_rank = rule(halo(grid, "moore 2 1", "5x5"), name)["at_rank"]
    assert at_rank["messages"] == messages and at_rank["bytes"] == 192


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("shape", [(4, 6), (3, 4, 5)])
def test_parts_are_those_of_an_independent_count(shape, width):
    d = len(shape)
    found = halo(f"torus {'x'.join(['5'] * d)}", f"moore {d} 1", "x".join(map(str, shape)),
                 "--width", str(width), "--element", "3")
    sizes = [prod(width if step else cells for step, cells in zip(hop, shape, strict=True))
             for hop in product((-1, 0, 1), repeat=d) if any(hop)]
    told = [part["cells"] for part in found["halo"]["parts"] for _ in range(part["neighbors"])]
    assert sorted(told) == sorted(sizes)
    assert rule(found, "direct")["bytes"] == 3 * sum(sizes)


def test_a_halo_reaches_as_far_as_its_stencil():
    assert halo("torus 4x4", "moore 2 2", "8x8")["halo"]["parts"][0]["cells"] == 2 * 8
    # of ranks with one row only, the second row of the halo comes from the rank beyond
    assert sum(part["neighbors"] for part in halo("torus 5x5", "moore 2 2", "1x8")["halo"]["parts"]) == 14


def test_combining_wins_between_nodes_and_loses_in_memory():
    asked = ("torus 4x4x4", "moore 3 1", "8x8x8")
    assert halo(*asked)["choice"] == "direct"
    found = halo(*asked, "--per-node", "8")
    assert found["choice"] == "cartesian" == found["cut_offs"][0]["rule"]
    assert rule(found, "direct")["nodes"]["charged"]["between"]["messages"] > 0
    assert {one["volume"] for one in found["rules"]} == {10**3 - 8**3}  # as without nodes
    assert halo(*asked, "--algorithm", "basis")["choice"] == "basis"


def test_the_text_names_array_and_parts():
    said = carpool("explain", "torus 4x4x4", "moore 3 1", "--halo", "64x64x64").stdout
    assert "halo of 64x64x64 cells of 8 B on torus 4x4x4 (64 ranks)" in said
    assert "6 of 32 KiB, 12 of 512 B, 8 of 8 B" in said


@pytest.mark.parametrize(("asked", "why"), [
    (("--halo", "8x8"), "the halo has 2 dimensions, the grid 3"),
    (("--halo", "many"), "such as 64x64x64"),
    (("--halo", "8x0x8"), "a halo of 0 cells in a dimension"),
    (("--halo", "1x1x1", "--width", "9"), "lower[0] is 9, expected at most 4"),
    (("--halo", "8x8x8", "--width", "0"), "stencil[0] is -1, outside the halo"),
    (("--halo", "8x8x8", "--element", "0"), "an element of 0 bytes"),
    (("--halo", "8x8x8", "--algorithm", "friends"), "auto, direct, torus, cartesian, basis"),
    (("--halo", "8x8x8", "--block", "8"), "whose blocks are parts of the array"),
    (("--element", "8"), "say of which array by --halo"),
])
def test_mistakes_are_said_in_one_line(asked, why):
    assert why in refusal("explain", "torus 4x4x4", "moore 3 1", *asked)


def test_a_halo_from_too_many_ranks_is_refused():
    assert "9260 ranks, expected at most 2^12" in refusal(
        "explain", "torus 64x64x64", "moore 3 10", "--halo", "1x1x1")


def test_halos_are_for_grids():
    assert "--halo is for grids" in refusal("explain", "ring 8", "--halo", "8")
