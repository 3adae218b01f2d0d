# SPDX-License-Identifier: MIT
"""The command carpool on graphs, run as users do."""

from pathlib import Path

import pytest

from command import names
from in_process import answer, carpool, refusal, rules, said


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
    assert list(by_name) == [*(name for name in names("graphs") if name not in ("digits", "node")),
                             "2 digits", "3 digits", "4 digits"]
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
    assert planning["direct"]["supersteps"] == planning["direct"]["messages"] == 0
    assert planning["mesh"]["supersteps"] == 2
    assert planning["friends"]["messages"] > 0


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
    assert "2 by 4, expected a square matrix" in refusal("explain", file)
    assert "--ranks 3, expected at most 2" in refusal("explain", file, "--ranks", "3")
    assert lists(file, 0, "--ranks", "2") == ([1], [1])


def test_an_edge_list_keeps_order_repetitions_and_lonely_ranks(written):
    file = written("edges.txt", "# from to\n0 2\n0 1 # twice\n\n0 1\n2 2\n% end\n")
    assert lists(file, 0) == ([2, 1, 1], [])
    assert lists(file, 2) == ([2], [0, 2])
    assert answer("plan", file, "--algorithm", "direct", "--ranks", "7")["ranks"] == 7


@pytest.mark.parametrize(("name", "text", "words"), [
    ("a.txt", "0 1\n0 one\n", "line 2: '0 one', expected two ranks"),
    ("a.txt", "0 1 half\n", "line 1: '0 1 half', expected two ranks"),
    ("a.txt", "0 -1\n", "'0 -1', expected two ranks"),
    ("a.txt", "0 99999999\n", "a graph of 100000000 ranks, expected from 1 to 65536"),
    ("a.txt", "", "a graph of 0 ranks"),
    ("a.mtx", "0 1\n", "a.mtx is no Matrix Market file"),
    ("a.mtx", MATRIX[:-4], "a.mtx is no Matrix Market file"),
    ("a.mtx", MATRIX.replace("4 4 4", "99999 99999 4"), "99999 rows, expected at most 65536"),
])
def test_a_file_without_a_graph_is_refused_in_words(written, name, text, words):
    assert words in refusal("plan", written(name, text), "--algorithm", "direct")


@pytest.mark.parametrize(("arguments", "words"), [
    (("explain", "tours 4x4"), "'tours 4x4': expected a graph (random, complete"),
    (("explain", "random 4"), "expected random P density D [seed S]"),
    (("explain", "ring 70000"), "70000 ranks, expected at most 2^16"),
    (("explain", "ring 8", "--ranks", "4"), "--ranks 4 is for graphs in files"),
    (("explain", "ring 8", "--algorithm", "torus"), "algorithm 'torus', expected on a graph auto"),
    (("plan", "ring 8", "--algorithm", "torus"), "'torus' is for grids"),
    (("explain", "ring 8", "--block", "8,8"), "2 block sizes, expected 1"),
    (("explain", "ring 8", "--theta", "0"), "theta 0, expected from 1"),
    (("explain", "ring 8", "--rank", "8"), "rank 8, expected from 0 to 7"),
    (("verify", "complete 3000"), "expected at most 2^24 to run them all"),
    (("explain", "mesh 99x999", "moore 2 1", "--graph-rules"), "98901 ranks, expected at most 2^16"),
    (("explain", "no_such.mtx"), "no_such.mtx: No such file"),
    (("explain", "no_such.txt"), "no_such.txt: No such file"),
])
def test_invalid_arguments_for_a_graph_are_refused_in_words(arguments, words):
    assert words in refusal(*arguments)


def test_the_rides_of_a_rank_of_a_graph_name_ranks():
    run = carpool("plan", "complete 4", "--algorithm", "mesh", "--rank", "0")
    assert "rank 0 by mesh" in run.stdout
    assert "to rank 3" in run.stdout  # in the message to rank 1
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


# Paper 5's equations 7 to 10 know of the degree alone; the plans know who sends to whom.
def test_the_papers_equations_stand_beside_the_counts_of_a_manytomany():
    text = carpool("explain", "manytomany 64 degree 8", "--block", "76").stdout
    rows = [line.split()[:2] for line in text.splitlines()]
    for row in (["direct", "10"], ["mesh", "7"], ["grid", "8"], ["hypercube", "9"]):
        assert row in rows


def test_an_overloaded_virtual_topology_is_rearranged():
    by_number = rules("rowtocolumn 64", "--rearrange", "off")["mesh"]
    rearranged = rules("rowtocolumn 64")["mesh"]
    assert by_number["blocks"] == rearranged["blocks_by_number"] == 56
    assert rearranged["blocks"] <= 14
    assert rearranged["arrangement"] > 0
    assert "mesh is rearranged: the busiest rank has" in said("explain", "rowtocolumn 64")
    assert answer("verify", "rowtocolumn 64", "--algorithm", "mesh") == {"mesh": []}
    assert rules("complete 64")["mesh"]["arrangement"] == 0


def test_for_many_ranks_rules_that_auto_never_takes_are_left_out_and_named():
    found = answer("explain", "ring 8193")
    assert found["left_out"] == ["cumulative", "mesh", "grid", "hypercube"]
    assert not {rule["name"] for rule in found["rules"]} & set(found["left_out"])
    assert "Left out" in carpool("explain", "ring 8193").stdout
    asked = answer("explain", "ring 8193", "--algorithm", "mesh")
    assert asked["choice"] == "mesh" and asked["left_out"] == ["cumulative", "grid", "hypercube"]
    assert answer("explain", "ring 64")["left_out"] == []


def test_for_many_ranks_the_other_order_on_nodes_is_shown_if_asked_for():
    found = answer("explain", "ring 8193", "--per-node", "64")
    assert "bytes_along_edges" not in found["nodes"] and "reordered" not in found["rules"][0]["nodes"]
    said = carpool("explain", "ring 8193", "--per-node", "64").stdout
    assert "--reorder does it" in said and "if ranks are reordered" not in said
    assert answer("explain", "ring 8193", "--per-node", "64", "--reorder")["nodes"]["reordered"]


def test_without_a_terminal_a_long_computation_is_reported_in_lines(monkeypatch, capsys):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "cli")
    from carpool_cli import progress
    assert list(progress.each("planning", ["direct"])) == ["direct"]
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress, "QUIET", -1)
    assert list(progress.each("planning", ["direct", "mesh"])) == ["direct", "mesh"]
    assert capsys.readouterr().err == ("carpool: planning direct, 1 of 2\n"
                                       "carpool: planning mesh, 2 of 2\n")
