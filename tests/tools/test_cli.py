"""The command carpool, run as users do."""

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

CARPOOL = os.environ["CARPOOL_COMMAND"]


def carpool(*arguments):
    return subprocess.run([CARPOOL, *arguments], capture_output=True, text=True, timeout=120,
                          check=False)


def answer(*arguments):
    run = carpool(*arguments, "--json")
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def rules(*arguments):
    return {rule["name"]: rule for rule in answer("explain", *arguments)["rules"]}


def test_27_points_take_6_messages_instead_of_26():
    found = rules("torus 4x4x4", "moore 3 1")
    assert found["direct"]["rounds"] == found["direct"]["volume"] == 26
    for name in ("torus", "cartesian"):
        assert found[name]["rounds"] == found[name]["rank_messages"] == 6
        assert found[name]["volume"] == 54
        assert found[name]["bytes"] == 54 * 64


def test_a_reduction_of_27_points_moves_6_blocks():
    found = rules("torus 4x4x4", "box 3 3 -1", "--op", "reduce")
    assert found["cartesian"]["volume"] == 6


def test_the_choice_follows_the_block_size():
    chosen = [answer("explain", "torus 9x9", "moore 2 2", "--block", str(size))["choice"]
              for size in (1, 1 << 20)]
    assert chosen[0] != "direct"
    assert chosen[1] == "direct"


def test_cut_offs_are_where_the_choice_changes():
    cut_offs = answer("explain", "torus 9x9", "moore 2 2")["cut_offs"]
    assert cut_offs[0]["from_bytes"] == 0
    for before, after in zip(cut_offs, cut_offs[1:], strict=False):
        for size, rule in ((int(after["from_bytes"]), before), (int(after["from_bytes"]) + 1, after)):
            asked = answer("explain", "torus 9x9", "moore 2 2", "--block", str(size))
            assert asked["choice"] == rule["rule"]


def test_a_million_ranks_are_planned_at_once():
    began = time.monotonic()
    assert rules("torus 100x100x100", "moore 3 3")["cartesian"]["rounds"] == 18
    assert time.monotonic() - began < 20  # mostly Python's own start


def test_a_corner_of_a_mesh_sends_fewer_messages():
    assert rules("mesh 8x8", "moore 2 1", "--rank", "0")["cartesian"]["rank_messages"] == 2


def test_the_rounds_of_a_rank_name_peers_and_blocks():
    text = carpool("explain", "torus 4x4", "moore 2 1", "--algorithm", "cartesian", "--rank",
                   "5").stdout
    assert "rank 5 by cartesian" in text
    assert "(+1,+1)" in text
    assert "transit" in text


def test_sizes_may_differ_by_block():
    found = rules("torus 9", "moore 1 1", "--block", "8,24")
    assert found["direct"]["bytes"] == 32


@pytest.mark.parametrize("grid", ["torus 3x4", "mesh 3x4", "grid 3px4", "torus 1x2"])
@pytest.mark.parametrize("operation", ["alltoall", "allgather", "reduce", "reduce_scatter_block"])
def test_all_rules_are_verified(grid, operation):
    found = answer("verify", grid, "moore 2 2", "--op", operation)
    assert set(found) == {rule["name"] for rule in answer("algorithms")["algorithms"]}
    assert not any(found.values())


def test_every_stencil_is_drawn_with_its_example():
    text = carpool("stencils").stdout
    for family in answer("stencils")["stencils"]:
        assert family["name"] in text
        assert family["example"] in text


@pytest.mark.parametrize(("arguments", "words"), [
    (("explain", "torus 4x4", "moore 3 1"), "the stencil has 3 dimensions, the grid 2"),
    (("explain", "tours 4x4", "moore 2 1"), "expected torus, mesh or grid"),
    (("explain", "torus 4x4", "more 2 1"), "'more' is no stencil"),
    (("explain", "torus 4x4", "moore 2 1", "--op", "alltoal"), "operation 'alltoal'"),
    (("explain", "torus 4x4", "moore 2 1", "--block", "many"), "--block is 'many'"),
    (("explain", "torus 4x4", "moore 2 1", "--block", "-1"), "a block of -1 bytes"),
    (("explain", "torus 4x4", "moore 2 1", "--block", "1,2"), "2 block sizes, expected 1 or 8"),
    (("explain", "torus 4x4", "moore 2 1", "--rank", "16"), "rank 16, expected from 0 to 15"),
    (("plan", "torus 4x4", "moore 2 1", "--algorithm", "tours"), "algorithm 'tours'"),
    (("verify", "torus 9999x999", "moore 2 1"), "a smaller grid of the same kind"),
])
def test_what_cannot_be_answered_is_refused_in_words(arguments, words):
    run = carpool(*arguments)
    assert run.returncode == 2
    assert words in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(("grid", "stencil"), [
    ("torus 6x6", "moore 2 1"), ("torus 6x6x6", "moore 3 1"), ("torus 6x6x6x6", "moore 4 1"),
    ("torus 6", "moore 1 2"), ("mesh 6x6", "offsets 0,0")])
def test_plots_are_made_for_any_dimension_and_are_the_same_each_time(tmp_path, grid, stencil):
    pictures = []
    for name in ("a.svg", "b.svg"):
        run = carpool("plan", grid, stencil, "--plot", str(tmp_path / name))
        assert run.returncode == 0, run.stderr
        pictures.append(Path(tmp_path / name).read_bytes())
    assert pictures[0].startswith(b"<?xml")
    assert pictures[0] == pictures[1]


def test_a_plot_says_how_many_messages_are_saved(tmp_path):
    file = tmp_path / "picture.png"
    assert carpool("explain", "torus 6x6", "moore 2 1", "--plot", str(file)).returncode == 0
    assert file.read_bytes().startswith(b"\x89PNG")
