"""The command carpool, run as users do."""

import functools
import json
import os
import shlex
import subprocess
import sys
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


@functools.cache
def names(kind):
    return [rule["name"] for rule in answer("algorithms")["algorithms"] if rule[kind]]


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
    small_corners = answer("explain", "torus 4x4", "moore 2 1", "--blocks", "8,64,8,64,64,8,64,8")
    even = answer("explain", "torus 4x4", "moore 2 1", "--blocks", "36")
    # only corners travel twice: (4 * 8) / 36 further blocks instead of 4
    ratio = small_corners["cut_offs"][1]["from_bytes"] / even["cut_offs"][1]["from_bytes"]
    assert ratio == pytest.approx(4 * 36 / (4 * 8))


def test_all_rules_are_compared_even_if_one_is_asked_for():
    found = answer("explain", "torus 4x4x4", "moore 3 1", "--algorithm", "torus")
    assert (found["choice"], found["automatic"]) == ("torus", "cartesian")
    assert [rule["name"] for rule in found["rules"]] == names("grids")
    assert "auto would take cartesian" in found["reason"]


def test_the_reason_says_what_is_saved_and_paid():
    reason = answer("explain", "torus 4x4x4", "moore 3 1")["reason"]
    assert "6 messages instead of 26, which saves 250 µs" in reason
    assert "1.75 KiB and 2 phases more" in reason  # 54 - 26 blocks of 64 B
    assert "direct above" in reason


def test_nothing_to_send_is_explained_too():
    for stencil in ("offsets 2:", "offsets 0,0", "box 2 0 0"):
        assert answer("explain", "torus 4x4", stencil, "--block", "0")["choice"] == "direct"


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
    assert list(found) == names("grids")
    assert not any(found.values())


def test_verify_of_one_rule_runs_that_rule():
    assert answer("verify", "torus 4x4", "moore 2 1", "--algorithm", "torus") == {"torus": []}
    assert len(answer("verify", "torus 4x4", "moore 2 1", "--algorithm", "all")) > 1


def run_with_planner(script, tmp_path, *arguments):
    """The command with a planner of our own."""
    planner = tmp_path / "planner"
    planner.write_text(f"#!{sys.executable}\n{script}")
    planner.chmod(0o755)
    source = Path(__file__).parents[2] / "cli"
    return subprocess.run([sys.executable, "-m", "carpool", *arguments], check=False, text=True,
                          capture_output=True, env={**os.environ, "PYTHONPATH": str(source),
                                                    "CARPOOL_PLANNER": str(planner)})


def test_complaints_are_shown_and_make_verify_fail(tmp_path):
    script = """print('{"ranks": 4, "rules": [{"complaints": ["rank 1: recv[0] is empty"]}]}')"""
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


@pytest.mark.parametrize(("arguments", "words"), [
    (("explain", "torus 4x4", "moore 3 1"), "the stencil has 3 dimensions, the grid 2"),
    (("explain", "tours 4x4", "moore 2 1"), "expected torus, mesh or grid"),
    (("explain", "torus 4x4", "more 2 1"), "'more' is no stencil"),
    (("explain", "torus 4x4", "moore 2 1", "--op", "alltoal"), "operation 'alltoal'"),
    (("explain", "torus 4x4", "moore 2 1", "--block", "many"), "'many', expected bytes"),
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
    (("explain", "torus 4xx4", "moore 2 1"), "size 2 of '4xx4'"),
    (("explain", "torus 9", "box 1 5 2000000000"), "hops long in all"),
    (("explain", "torus 9", "von_neumann 60000000 0"), "the grid 1"),
    (("verify", "torus 100x100x100", "moore 3 3"), "too many ranks"),
    (("verify", "torus 9999x999", "moore 2 1"), "a smaller grid of the same kind"),
    (("explain", "torus 4x4"), "Missing argument"),
    (("explain", "torus 4x4", "moore 2 1", "--algorithm", "friends"), "'friends' is for graphs"),
    (("explain", "torus 4x4", "moore 2 1", "--ranks", "4"), "--ranks 4 is for graphs in files"),
    (("explain", "tours 4x4"), "'tours 4x4': expected a graph (random, complete"),
    (("explain", "random 4"), "expected random P density D [seed S]"),
    (("explain", "ring 20000"), "20000 ranks, expected at most 2^14"),
    (("explain", "ring 8", "--ranks", "4"), "--ranks 4 is for graphs in files"),
    (("explain", "ring 8", "--algorithm", "torus"), "algorithm 'torus', expected on a graph auto"),
    (("plan", "ring 8", "--algorithm", "torus"), "'torus' is for grids"),
    (("explain", "ring 8", "--block", "8,8"), "2 block sizes, expected 1"),
    (("explain", "ring 8", "--theta", "0"), "theta 0, expected from 1"),
    (("explain", "ring 8", "--rank", "8"), "rank 8, expected from 0 to 7"),
    (("verify", "complete 3000"), "expected at most 2^24 to run them all"),
    (("explain", "mesh 99x999", "moore 2 1", "--graph-rules"), "98901 ranks, expected at most 2^14"),
    (("explain", "no_such.mtx"), "no_such.mtx: No such file"),
    (("explain", "no_such.txt"), "no_such.txt: No such file"),
])
def test_what_cannot_be_answered_is_refused_in_words(arguments, words):
    run = carpool(*arguments)
    assert run.returncode == (1 if "no/such/x.svg" in arguments else 2)
    assert words in run.stderr
    assert run.stderr.startswith("carpool: ")
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.parametrize(("grid", "stencil"), [
    ("torus 6x6", "moore 2 1"), ("torus 6x6x6", "moore 3 1"), ("torus 6x6x6x6", "moore 4 1"),
    ("torus 6", "moore 1 2"), ("mesh 6x6", "offsets 0,0"), ("torus 3x3", "moore 2 2"),
    ("torus 60x60", "moore 2 12")])
def test_plots_are_made_for_any_dimension_and_are_the_same_each_time(tmp_path, grid, stencil):
    pictures = []
    for name in ("a.svg", "b.svg"):
        run = carpool("plan", grid, stencil, "--plot", str(tmp_path / name))
        assert run.returncode == 0, run.stderr
        pictures.append(Path(tmp_path / name).read_bytes())
    assert pictures[0].startswith(b"<?xml")
    assert pictures[0] == pictures[1]


def test_the_readme_opens_with_what_its_command_draws(tmp_path):
    source = Path(__file__).parents[2]
    line = next(line for line in (source / "README.md").read_text().splitlines()
                if "--plot docs/combining.svg" in line)
    command = shlex.split(line[line.index("carpool ") + len("carpool "):].split("`")[0])
    command[-1] = str(tmp_path / "combining.svg")
    assert carpool(*command).returncode == 0
    assert (tmp_path / "combining.svg").read_bytes() == (source / "docs/combining.svg").read_bytes()


def test_the_example_of_a_graph_is_what_the_command_says():
    source = Path(__file__).parents[2] / "cli/README.md"
    lines = source.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("    $ carpool explain"))
    end = next(i for i in range(start + 1, len(lines)) if lines[i] and lines[i][0] != " ")
    said = carpool(*shlex.split(lines[start])[2:]).stdout
    assert [line.strip() for line in said.splitlines() if line.strip()] == [
        line.strip() for line in lines[start + 1:end] if line.strip()]


def test_a_link_to_the_command_works_from_anywhere(tmp_path):
    (tmp_path / "link").symlink_to(CARPOOL)
    run = subprocess.run(["./link", "algorithms"], cwd=tmp_path, capture_output=True, text=True,
                         check=False)
    assert run.returncode == 0, run.stderr


def test_a_missing_package_is_named_in_one_line(tmp_path):
    (tmp_path / "rich").mkdir()
    (tmp_path / "rich" / "__init__.py").write_text(
        "raise ModuleNotFoundError('gone', name='rich')\n")
    run = subprocess.run([CARPOOL, "algorithms"], capture_output=True, text=True, check=False,
                         env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert run.returncode == 1
    assert "pip install" in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_plots_for_reading_are_also_png(tmp_path):
    file = tmp_path / "picture.png"
    assert carpool("explain", "torus 6x6", "moore 2 1", "--plot", str(file)).returncode == 0
    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.fixture
def written(tmp_path):
    """Writes a file and returns its name."""
    def write(name, text):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)
    return write


def lists(place, rank, *arguments):
    """To whom a rank of a graph sends, and from whom it receives."""
    found = answer("plan", place, "--algorithm", "direct", "--rank", str(rank), *arguments)
    return found["targets"], found["sources"]


def test_16_ranks_that_all_talk_take_4_messages_instead_of_15():
    found = answer("explain", "complete 16")
    assert (found["ranks"], found["edges"]) == (16, 16 * 15)
    assert found["degrees"]["out"] == {"least": 15, "mean": 15, "most": 15}
    by_name = {rule["name"]: rule for rule in found["rules"]}
    assert list(by_name) == names("graphs")
    messages = {name: rule["messages"] for name, rule in by_name.items()}
    assert (messages["direct"], messages["mesh"], messages["hypercube"]) == (15, 3 + 3, 4)
    assert by_name["mesh"]["bytes"] == (15 + 3 * 3) * 64  # 9 blocks travel twice


def test_the_choice_on_a_graph_changes_at_its_cut_offs():
    found = answer("explain", "random 32 density 0.5")
    assert found["cut_offs"][0]["rule"] != "direct"
    last, before = found["cut_offs"][-1], found["cut_offs"][-2]
    assert last["rule"] == "direct"
    for size, rule in ((int(last["from_bytes"]), before), (int(last["from_bytes"]) + 1, last)):
        asked = answer("explain", "random 32 density 0.5", "--block", str(size))
        assert asked["choice"] == asked["automatic"] == rule["rule"]


def test_planning_by_the_direct_rule_takes_no_letter_and_on_a_mesh_two_supersteps():
    planning = {rule["name"]: rule["planning"] for rule in answer("explain", "ring 16")["rules"]}
    assert planning["direct"]["supersteps"] == planning["direct"]["letters"] == 0
    assert planning["mesh"]["supersteps"] == 2
    assert planning["friends"]["letters"] > 0


def test_ranks_are_friends_from_theta_common_targets_on():
    def messages(theta):  # two of six that all talk have four others in common
        found = rules("complete 6", "--op", "allgather", "--theta", str(theta))
        return found["friends"]["messages"]
    assert messages(4) < messages(5) == 5


@pytest.mark.parametrize("operation", ["alltoall", "allgather", "reduce", "reduce_scatter_block"])
def test_all_rules_are_verified_on_graphs(operation, written):
    edges = "0 1\n0 1\n1 1\n2 3\n3 2\n0 4\n4 0\n2 4\n5 4\n"
    for place in ("random 11 density 0.6 seed 3", written("edges.txt", edges)):
        found = answer("verify", place, "--op", operation, "--theta", "1")
        assert list(found) == names("graphs")
        assert not any(found.values())


MATRIX = """%%MatrixMarket matrix coordinate real general
4 4 4
1 2 -1.5
2 1 1
1 4 1
3 3 1
"""


def test_a_matrix_makes_a_rank_need_what_its_rows_refer_to(written):
    assert lists(written("a.mtx", MATRIX), 0) == ([1], [1, 3])


def test_rows_of_a_matrix_are_dealt_out_in_equal_pieces(written):
    file = written("a.mtx", MATRIX)  # only row 1 of rank 0 refers to a column of rank 1
    assert lists(file, 0, "--ranks", "2") == ([], [1])
    assert lists(file, 1, "--ranks", "2") == ([0], [])


def test_rows_that_cannot_be_dealt_equally_leave_the_first_ranks_fewer(written):
    text = "%%MatrixMarket matrix coordinate pattern general\n5 5 1\n3 2\n"
    assert lists(written("a.mtx", text), 0, "--ranks", "2") == ([1], [])  # rows 0 1, and 2 3 4


def test_graphs_of_public_matrices_have_the_degrees_that_are_said_of_them():
    file = Path(__file__).parents[1] / "graphs/painters-13.mtx"
    found = answer("plan", str(file), "--algorithm", "direct")
    assert (found["ranks"], found["edges"]) == (13, 50)
    assert (found["degrees"]["out"]["least"], found["degrees"]["out"]["most"]) == (1, 6)


def test_half_of_a_symmetric_matrix_says_the_other_half(written):
    text = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n"
    assert lists(written("a.mtx", text), 0) == ([1], [1])


def test_a_matrix_that_is_not_square_needs_ranks(written):
    text = "%%MatrixMarket matrix coordinate pattern general\n2 4 2\n1 3\n2 1\n"
    file = written("a.mtx", text)
    assert "2 by 4, expected a square matrix" in carpool("explain", file).stderr
    assert "--ranks 3, expected at most 2" in carpool("explain", file, "--ranks", "3").stderr
    assert lists(file, 0, "--ranks", "2") == ([1], [1])


def test_an_edge_list_keeps_order_repetitions_and_lonely_ranks(written):
    file = written("edges.txt", "# from to\n0 2\n0 1 # twice\n\n0 1\n2 2\n% end\n")
    assert lists(file, 0) == ([2, 1, 1], [])
    assert lists(file, 2) == ([2], [0, 2])
    assert answer("plan", file, "--algorithm", "direct", "--ranks", "7")["ranks"] == 7


@pytest.mark.parametrize(("name", "text", "words"), [
    ("a.txt", "0 1\n0 one\n", "line 2: '0 one', expected two ranks"),
    ("a.txt", "0 1 0.5\n", "line 1: '0 1 0.5', expected two ranks"),
    ("a.txt", "0 -1\n", "'0 -1', expected two ranks"),
    ("a.txt", "0 99999999\n", "a graph of 100000000 ranks, expected from 1 to 16384"),
    ("a.txt", "", "a graph of 0 ranks"),
    ("a.mtx", "0 1\n", "a.mtx is no Matrix Market file"),
    ("a.mtx", MATRIX[:-4], "a.mtx is no Matrix Market file"),
    ("a.mtx", MATRIX.replace("4 4 4", "99999 99999 4"), "99999 rows, expected at most 16384"),
])
def test_a_file_without_a_graph_is_refused_in_words(written, name, text, words):
    run = carpool("plan", written(name, text), "--algorithm", "direct")
    assert run.returncode == 2
    assert words in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_the_rides_of_a_rank_of_a_graph_name_ranks():
    run = carpool("plan", "complete 4", "--algorithm", "mesh", "--rank", "0")
    assert "rank 0 by mesh" in run.stdout
    assert "to rank 3" in run.stdout  # rides to rank 1
    assert "rank 1's to rank 2" in run.stdout  # on its way through rank 0
    assert run.stderr == ""  # a bar is for terminals


def test_json_of_a_graph_with_a_rank_has_its_schedule():
    found = answer("explain", "ring 5", "--algorithm", "direct", "--rank", "0")
    assert [one["send"]["peer"] for one in found["schedule"]["rounds"]] == [1, 4]


def test_rules_for_graphs_plan_grids_too():
    found = answer("explain", "torus 4x4", "moore 2 1", "--graph-rules")
    messages = {rule["name"]: rule["messages"] for rule in found["as_graph"]["rules"]}
    assert messages["direct"] == 8
    assert messages["mesh"] == 4  # the mesh is the torus itself


def test_a_mesh_seen_as_a_graph_has_no_edges_off_its_border():
    found = answer("explain", "mesh 2x2", "moore 2 1", "--graph-rules")["as_graph"]
    assert found["edges"] == 4 * 3


def test_rules_say_whether_they_are_for_grids_or_graphs():
    assert set(names("grids")) & set(names("graphs")) == {"direct"}
    assert {"torus", "cartesian", "basis"} < set(names("grids"))
    assert {"friends", "mesh", "hypercube"} < set(names("graphs"))


def test_every_graph_is_listed_with_an_example_that_works():
    for family in answer("graphs")["graphs"]:
        assert answer("plan", family["example"], "--algorithm", "direct")["edges"] > 0


def test_the_costs_of_a_graph_are_drawn(tmp_path):
    file = tmp_path / "picture.png"
    assert carpool("explain", "complete 9", "--plot", str(file)).returncode == 0
    assert file.read_bytes().startswith(b"\x89PNG")
