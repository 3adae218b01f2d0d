# SPDX-License-Identifier: MIT
"""The command carpool, run as users do."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command import CARPOOL, names
from in_process import answer, carpool, refusal, rules, said

BY_MPI = ("--transport", "mpi")  # where a message costs more than a phase


def test_27_points_take_6_messages_instead_of_26():
    found = rules("torus 4x4x4", "moore 3 1")
    assert found["direct"]["rounds"] == found["direct"]["volume"] == 26
    for name in ("torus", "cartesian"):
        assert found[name]["rounds"] == found[name]["at_rank"]["messages"] == 6
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
        limit = int(after["from_bytes"])
        for size, rule in ((limit, before), (limit + 1, after)):
            asked = answer("explain", "torus 9x9", "moore 2 2", "--block", str(size))
            assert asked["choice"] == rule["rule"]


def test_cut_offs_follow_the_proportions_of_different_sizes():
    asked = ("explain", "torus 4x4", "moore 2 1", *BY_MPI, "--blocks")
    small_corners = answer(*asked, "8,64,8,64,64,8,64,8")
    even = answer(*asked, "36")
    # only corners travel twice: (4 * 8) / 36 further blocks instead of 4
    ratio = small_corners["cut_offs"][1]["from_bytes"] / even["cut_offs"][1]["from_bytes"]
    assert ratio == pytest.approx(4 * 36 / (4 * 8))


def test_all_rules_are_compared_even_if_one_is_asked_for():
    found = answer("explain", "torus 4x4x4", "moore 3 1", *BY_MPI, "--algorithm", "torus")
    assert (found["choice"], found["automatic"]) == ("torus", "cartesian")
    assert [rule["name"] for rule in found["rules"]] == [*names("grids"), "basis:10/2"]
    assert "auto would take cartesian" in found["reason"]


def test_the_reason_says_what_is_saved_and_paid():
    reason = answer("explain", "torus 4x4x4", "moore 3 1", *BY_MPI)["reason"]
    assert "6 messages instead of 26, which saves 250 µs" in reason
    assert "1.75 KiB and 2 phases more" in reason  # 54 - 26 blocks of 64 B
    assert "direct above" in reason


def test_nothing_to_send_is_explained_too():
    for stencil in ("offsets 2:", "offsets 0,0", "box 2 0 0"):
        assert answer("explain", "torus 4x4", stencil, "--block", "0")["choice"] == "direct"


def test_empty_blocks_are_not_sent():
    for asked in (("torus 4x4", "moore 2 1"), ("ring 8",), ("allreduce 8",)):
        found = answer("explain", *asked, "--block", "0")
        assert {rule["estimate"] for rule in found["rules"]} == {0}
        assert "by no rule is anything sent" in found["reason"]
    assert answer("explain", "barrier 8")["rules"][0]["estimate"] > 0
    assert "no block has a byte" in refusal("plan", "ring 8", "--block", "0", "--plot", "a.svg")
    some = " ".join(carpool("explain", "torus 3", "moore 1 1", "--blocks", "0,8").stdout.split())
    assert "Empty blocks are not sent; the estimate has the messages of all rounds." in some


@pytest.mark.parametrize("grid", ["torus 100x100x100", "mesh 100x100x100"])
def test_a_million_ranks_are_planned_at_once(grid):
    began = time.monotonic()
    assert rules(grid, "moore 3 3")["cartesian"]["rounds"] == 18
    assert time.monotonic() - began < 10  # mostly Python's own start


def test_a_corner_of_a_mesh_sends_fewer_messages():
    found = rules("mesh 8x8", "moore 2 1")["cartesian"]
    assert found["at_rank"]["messages"] == 4
    assert found["at_corner"]["messages"] == 2
    assert rules("mesh 8x8", "moore 2 1", "--rank", "63")["cartesian"]["at_rank"]["messages"] == 2


def test_the_rounds_of_a_rank_name_peers_and_blocks():
    text = carpool("explain", "torus 4x4", "moore 2 1", "--algorithm", "cartesian", "--rank",
                   "5").stdout
    assert "rank 5 by cartesian" in text
    assert "to (+1,+1)" in text
    assert "(-1,+1) of rank 9" in text  # on its way through rank 5 to rank 4 + 2


def test_json_with_a_rank_has_its_schedule():
    found = answer("explain", "torus 4x4", "moore 2 1", "--algorithm", "cartesian", "--rank", "5")
    assert [one["send"]["peer"] for one in found["schedule"]["rounds"]] == [1, 9, 4, 6]


def test_sizes_may_differ_by_block():
    found = rules("torus 9", "moore 1 1", "--block", "8,24")
    assert found["direct"]["bytes"] == 32


@pytest.mark.parametrize("grid", ["torus 3x4", "mesh 3x4", "grid 3px4", "torus 1x2"])
@pytest.mark.parametrize("operation", ["alltoall", "allgather", "reduce", "reduce_scatter_block"])
def test_all_rules_are_verified(grid, operation):
    found = answer("verify", grid, "moore 2 2", "--op", operation)
    assert list(found)[:len(names("grids"))] == names("grids")
    assert not any(found.values())


def test_every_plan_of_basis_is_verified():
    for operation in ("alltoall", "allgather", "reduce"):
        found = answer("verify", "grid 8px8", "moore 2 3", "--op", operation)
        assert [name for name in found if name.startswith("basis:")]
        assert not any(found.values())


def test_plans_between_basis_and_direct_have_names_and_cut_offs():
    found = answer("explain", "torus 16x16x16", "moore 3 3", *BY_MPI, "--block", "16")
    names_of = [rule["name"] for rule in found["rules"]]
    assert names_of == [*names("grids"), "basis:13/5", "basis:40/2"]
    assert found["choice"] == "basis:13/5"
    assert [one["rule"] for one in found["cut_offs"]] == [
        "basis", "basis:13/5", "cartesian", "basis:40/2", "direct"]
    assert "basis:13/5 below 65 B" in found["reason"]
    one = next(rule for rule in found["rules"] if rule["name"] == "basis:13/5")
    assert (one["rounds"], one["least_phases"], one["volume"]) == (13, 5, 1099)


def test_a_plan_of_basis_may_be_asked_for():
    found = answer("explain", "torus 16x16x16", "moore 3 3", *BY_MPI, "--algorithm", "basis:40")
    assert (found["choice"], found["automatic"]) == ("basis:40/2", "basis:13/5")
    planned = answer("plan", "torus 16x16x16", "moore 3 3", "--algorithm", "basis:40")
    assert len(planned["rules"][0]["plan"]) == 40
    assert answer("verify", "torus 5x5", "moore 2 2", "--algorithm", "basis:8/2") == {
        "basis:8/2": []}


def test_ports_carry_several_messages_for_the_cost_of_one():
    costs = ("--alpha", "1", "--beta", "0", "--sigma", "0")
    asked = ("torus 16x16x16", "moore 3 3", *costs, "--ports")
    found = rules(*asked, "4")
    assert found["cartesian"]["starts"] == found["cartesian"]["estimate"] == 3 * 2  # of 6 rounds
    assert found["direct"]["starts"] == 86  # 342 / 4
    assert rules(*asked, "1")["direct"]["starts"] == 342
    assert answer("explain", *asked, "1000")["choice"] == "direct"
    spread = rules("allreduce 64", *costs, "--ports", "4")["spread"]
    assert spread["estimate"] == pytest.approx(16)
    assert rules("complete 16", *costs, "--ports", "4")["direct"]["estimate"] == 4
    assert "per 4 messages at once" in said("explain", *asked, "4")


def test_verify_of_one_rule_runs_that_rule():
    assert answer("verify", "torus 4x4", "moore 2 1", "--algorithm", "torus") == {"torus": []}
    assert len(answer("verify", "torus 4x4", "moore 2 1", "--algorithm", "all")) > 1


@pytest.mark.parametrize("grid", ["torus 100x100x100", "mesh 100x100x100"])
def test_samples_of_a_million_ranks_are_verified(grid):
    found = answer("verify", grid, "moore 3 1", "--sample", "10", "--op", "reduce")
    assert list(found)[:len(names("grids"))] == names("grids")
    assert not any(found.values())


def test_samples_are_corners_edges_the_middle_and_random_ranks():
    def text(samples):
        return said("verify", "mesh 50x50", "moore 2 1", "--algorithm", "direct", "--sample", samples)
    assert "correct on 9 of 2,500 ranks; 49 ranks were run" in text("0")  # 4, 6 or 9 for each
    assert "correct on 29 of 2,500 ranks" in text("20")
    assert "correct on all 2,500 ranks" in said("verify", "mesh 50x50", "moore 2 1", "--algorithm",
                                                "direct")


def run_with_planner(script, tmp_path, *arguments):
    """The command with a planner of our own."""
    planner = tmp_path / "planner"
    planner.write_text(f"#!{sys.executable}\n{script}")
    planner.chmod(0o755)
    source = Path(__file__).parents[2] / "cli"
    return subprocess.run([sys.executable, "-m", "carpool_cli", *arguments], check=False, text=True,
                          capture_output=True, env={**os.environ, "PYTHONPATH": str(source),
                                                    "CARPOOL_PLANNER": str(planner)})


def test_complaints_are_shown_and_make_verify_fail(tmp_path):
    costs = {level: {"alpha": 1, "beta": 1, "sigma": 1}
             for level in ("by_mpi", "through_memory", "between_nodes")}
    said = {"neighborhoods": costs, "collectives": [], "cut_offs": {}, "blocks": {}, "ranks": 4,
            "rules": [{"complaints": ["rank 1: recv[0] is empty"]}]}
    script = f"print({json.dumps(said)!r})"
    run = run_with_planner(script, tmp_path, "verify", "torus 4", "moore 1 1", "--algorithm", "x")
    assert run.returncode == 1
    assert "x: 1 complaint on all 4 ranks\n  rank 1: recv[0] is empty" in run.stdout


def test_a_planner_that_dies_is_reported_in_one_line(tmp_path):
    run = run_with_planner("raise SystemExit(7)", tmp_path, "algorithms")
    assert run.returncode == 1
    assert "ended with 7" in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_every_stencil_is_drawn_with_its_example():
    text = carpool("stencils").stdout
    for family in answer("stencils")["stencils"]:
        assert family["name"] in text
        assert family["example"] in text


def test_sizes_may_have_units():
    for size, count in (("1MiB", 1 << 20), ("2 kB", 2000), ("1.5KiB", 1536), ("1gib", 1 << 30),
                        ("3MB", 3_000_000), ("1GB", 10**9), ("64B", 64)):
        assert answer("explain", "torus 4x4", "moore 2 1", "--block", size)["block_bytes"] == [count] * 8
    blocks = answer("explain", "gather 3", "--blocks", "8,1KiB,1kB")["block_bytes"]
    assert blocks == [8, 1024, 1000]
    assert answer("explain", "bcast 8", "--segment", "4KiB")["segment"] == 4096
    shown = carpool("explain", "--help").stdout
    assert all(unit in shown for unit in ("B", "kB", "MB", "GB", "KiB", "MiB", "GiB"))


@pytest.mark.parametrize(("arguments", "words"), [
    (("explain", "torus 4x4", "moore 3 1"), "the stencil has 3 dimensions, the grid 2"),
    (("explain", "tours 4x4", "moore 2 1"), "expected torus, mesh or grid"),
    (("explain", "torus 4x4", "more 2 1"), "'more' is no stencil"),
    (("explain", "torus 4x4", "moore 2 1", "--op", "alltoal"), "operation 'alltoal'"),
    (("explain", "torus 4x4", "moore 2 1", "--block", "many"), "'many', expected whole bytes"),
    (("explain", "torus 4x4", "moore 2 1", "--block", "1mebibyte"), "such as 64, 8,8,64 or 4KiB"),
    (("explain", "torus 4x4", "moore 2 1", "--block", "0.3KiB"), "'0.3KiB', expected whole bytes"),
    (("explain", "torus 4x4", "moore 2 1", "--block", "-1"), "a block of -1 bytes"),
    (("explain", "torus 4x4", "moore 2 1", "--block", "1,2"), "2 block sizes, expected 1 or 8"),
    (("explain", "torus 4x4", "moore 2 1", "--rank", "16"), "rank 16, expected from 0 to 15"),
    (("plan", "torus 4x4", "moore 2 1", "--algorithm", "tours"), "algorithm 'tours'"),
    (("explain", "torus 4x4", "moore 2 1", "--mpi", "lam"), "'lam' is not one of"),
    (("explain", "torus 4x4", "moore 2 1", "--alpha", "nan"), "expected seconds"),
    (("explain", "torus 4x4", "moore 2 1", "--beta", "-1"), "expected seconds"),
    (("explain", "torus 4x4", "moore 2 1", "--block", "1" * 30), "expected from 0 to"),
    (("explain", "torus 4x4", "moore 2 1", "--rank", "1" * 30), "expected from 0 to 15"),
    (("explain", "torus 4x4", "moore 2 1", "--plot", "x.gif"), "ends in .svg or .png"),
    (("explain", "torus 4x4", "moore 2 1", "--plot", "no/such/x.svg"), "no/such/x.svg"),
    (("explain", "torus 4xx4", "moore 2 1"), "size 2 of 'torus 4xx4'"),
    (("explain", "torus 8by8", "moore 2 1"),
     "carpool: size 1 of 'torus 8by8' is '8by8', expected integers from 1 on with an x between them, as in "
     "torus 4x4x4\n"),
    (("explain", "torus 9", "box 1 5 2000000000"), "hops long in all"),
    (("explain", "torus 9", "von_neumann 60000000 0"), "the grid 1"),
    (("verify", "torus 100x100x100", "moore 3 3"), "too many ranks"),
    (("verify", "torus 9999x999", "moore 2 1"), "a smaller grid of the same kind"),
    (("verify", "torus 9999x9999", "moore 2 1", "--sample", "1"), "at most 2^24 to take samples of"),
    (("verify", "ring 8", "--sample", "3"), "--sample 3 is for grids, not for 'ring 8'"),
    (("explain", "torus 4x4"), "Missing argument"),
    (("explain", "torus 4x4", "moore 2 1", "--algorithm", "friends"), "'friends' is for graphs"),
    (("explain", "torus 4x4", "moore 2 1", "--algorithm", "basis:x"), "basis:ROUNDS/PHASES"),
    (("explain", "torus 4x4", "moore 2 1", "--algorithm", "cartesian:3"), "not known"),
    (("explain", "torus 4x4", "moore 2 1", "--ports", "0"), "--ports"),
    (("explain", "torus 4x4", "moore 2 1", "--ranks", "4"), "--ranks 4 is for graphs in files"),
])
def test_invalid_arguments_are_refused_in_words(arguments, words):
    assert words in refusal(*arguments)


def test_a_link_to_the_command_works_from_anywhere(tmp_path):
    (tmp_path / "link").symlink_to(CARPOOL)
    run = subprocess.run(["./link", "algorithms"], cwd=tmp_path, capture_output=True, text=True,
                         check=False)
    assert run.returncode == 0, run.stderr


def test_the_mpi_of_an_installed_command_is_assumed():
    asked = ("explain", "torus 4x4", "moore 2 1", "--transport", "mpi")
    run = subprocess.run([CARPOOL, *asked], capture_output=True, text=True, check=False,
                         env={**os.environ, "CARPOOL_ASSUMED_MPI": "openmpi"})
    assert "Assumed by Open MPI on one node" in " ".join(run.stdout.split())
    assert run.stdout == carpool(*asked, "--mpi", "openmpi").stdout
