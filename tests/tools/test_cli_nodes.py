# SPDX-License-Identifier: MIT
"""What the command carpool says of ranks on nodes."""

from pathlib import Path

import pytest

from in_process import answer, carpool, refusal, rules


def test_messages_inside_and_between_nodes_are_counted_apart():
    # rows of 8 on nodes of 8: left and right stay, and all that goes up or down leaves
    found = rules("torus 8x8", "von_neumann 2 1", "--per-node", "8", "--block", "100")["direct"]["nodes"]
    assert found["within"] == {"messages": 2, "bytes": 200, "all_messages": 128, "all_bytes": 12800}
    assert found["between"] == {"messages": 2, "bytes": 200, "all_messages": 128, "all_bytes": 12800}


@pytest.mark.parametrize(("per_node", "sizes"), [
    ("4(x2)", [4, 4]), ("3(x2),2", [3, 3, 2]), ("2,3(x2)", [2, 3, 3]),
    ("node1 slots=4\nnode2 slots = 4 max_slots=8\n", [4, 4]), ("# hosts\nnode1:3\nnode2:5 # big\n", [3, 5]),
    ("a\na\na\nb\nb\nb\nc\nc\n", [3, 3, 2])])
def test_ranks_on_nodes_are_read_as_slurm_and_as_files_of_hosts_have_them(per_node, sizes, tmp_path):
    given = per_node
    if "\n" in per_node:
        given = str(tmp_path / "hosts")
        (tmp_path / "hosts").write_text(per_node)
    some, same = (answer("explain", "ring 8", "--per-node", one) for one in (given, ",".join(map(str, sizes))))
    assert some["nodes"]["count"] == len(sizes)
    assert some["rules"] == same["rules"]


@pytest.mark.parametrize(("per_node", "words"), [
    ("4(x0)", "'4(x0)', expected ranks, such as 8 or 3,1,3, or as SLURM writes them, 4(x2),3"),
    ("4(2)", "'4(2)', expected ranks"), ("no_such_file", "'no_such_file', expected ranks"),
    ("4(x9999999)", "expected at most 2^20 nodes"),
    ("node1 4\n", "line 1: 'node1 4', expected a host, such as node1"),
    ("node1:0\n", "line 1: 'node1:0', expected a host"), ("# none\n", "has no hosts")])
def test_a_list_of_hosts_in_no_known_format_is_refused_in_words(per_node, words, tmp_path):
    if "\n" in per_node:
        (tmp_path / "hosts").write_text(per_node)
        per_node = str(tmp_path / "hosts")
    assert words in refusal("explain", "ring 8", "--per-node", per_node)


def test_a_rank_alone_on_its_node_has_everything_between_nodes():
    found = rules("torus 2x2", "moore 2 1", "--per-node", "1,1,1,1")
    for rule in found.values():
        assert rule["nodes"]["within"]["all_messages"] == 0
        assert rule["nodes"]["between"]["all_messages"] > 0


def test_each_level_has_costs_of_its_own():
    costs = ("--alpha", "1", "--beta", "0", "--sigma", "0",
             "--node-alpha", "0.25", "--node-beta", "0", "--node-sigma", "0")
    found = rules("torus 8x8", "von_neumann 2 1", "--per-node", "8", *costs)["direct"]
    assert found["nodes"]["estimate"] == 2 * 1 + 2 * 0.25


# A rank has two neighbors. At the end of a node one of them is on another node.
def test_a_graph_costs_what_the_same_grid_costs_and_no_more_messages_than_a_rank_has():
    graph = rules("ring 8", "--per-node", "4", "--mpi", "mpich")["direct"]
    grid = rules("torus 8", "moore 1 1", "--per-node", "4", "--mpi", "mpich")["direct"]
    assert (graph["messages"], graph["bytes"]) == (2, 128)
    expected = 20e-6 + 0.5e-6 + 64 * (2e-9 + 0.5e-9) + 15e-6
    assert graph["estimate"] == pytest.approx(expected)
    assert grid["estimate"] == pytest.approx(expected)
    assert graph["nodes"]["charged"] == grid["nodes"]["charged"] == {
        "within": {"messages": 1, "bytes": 64}, "between": {"messages": 1, "bytes": 64}}
    assert graph["nodes"]["within"]["messages"] == 2  # of a rank in the middle of a node


def test_on_a_grid_the_rule_node_is_compared_too():
    found = answer("explain", "torus 4x2x2", "moore 3 1", "--per-node", "4", "--block", "40")
    least = min(rule["estimate"] for rule in found["rules"])
    assert found["by_node"]["name"] == "node:1"
    assert found["by_node"]["estimate"] < least
    assert found["automatic"] == found["choice"] == "node:1" == found["cut_offs"][0]["rule"]
    said = carpool("explain", "torus 4x2x2", "moore 3 1", "--per-node", "4").stdout
    assert "By node:1" in said and "auto takes it" in said
    assert [line.split()[0] for line in said.splitlines() if "◀" in line] == ["node:1"]
    ordered = answer("explain", "torus 4x2x2", "moore 3 1", "--per-node", "4", "--algorithm", "basis")
    assert ordered["automatic"] == "node:1" and ordered["choice"] == "basis"
    assert "auto would take node:1" in ordered["reason"]
    long = carpool("explain", "torus 4x2x2", "moore 3 1", "--per-node", "4", "--block", "1000000")
    assert "auto does not take it" in long.stdout
    assert answer("explain", "torus 4x2x2", "moore 3 1")["by_node"] is None


def test_plan_takes_what_explain_takes():
    asked = ("torus 8x8", "moore 2 1", "--per-node", "8")
    assert answer("plan", *asked)["choice"] == answer("explain", *asked)["choice"] == "node:1"
    shown = carpool("plan", *asked).stdout
    assert "rank 0 by node:1" in shown
    assert carpool("plan", *asked, "--algorithm", "node:1").stdout == shown
    assert "is for graphs" in refusal("plan", *asked[:2], "--algorithm", "node:1")


def test_nodes_of_a_platform_cost_what_nodes_cost():
    asked = ("explain", "torus 8x8x8", "moore 3 1", "--block", "40")
    by_number = answer(*asked, "--per-node", "64")
    assert answer(*asked, "--platform", "cluster:8x64") == by_number
    assert answer(*asked, "--per-node", "64", "--machine", "infiniband") != by_number


@pytest.mark.parametrize(("asked", "machine"), [
    (("explain", "torus 8x8", "moore 2 1"), "costs through the memory of one node, with MPICH"),
    (("explain", "torus 8x8", "moore 2 1", "--per-node", "8"), "costs between nodes, with MPICH"),
    (("explain", "ring 16", "--platform", "cluster:2x8"), "costs between nodes, with MPICH"),
    (("explain", "allreduce 16", "--platform", "cluster:2x8", "--machine", "omnipath"),
     "costs between nodes, on omnipath"),
    (("simulate", "ring 16", "--platform", "cluster:2x8"), "on cluster:2x8, infiniband"),
])
def test_the_first_lines_say_on_which_machine(asked, machine):
    first = " ".join(" ".join(carpool(*asked).stdout.splitlines()[:2]).split())
    assert first.endswith(machine)


def test_the_messages_of_a_rank_by_node_are_shown():
    found = answer("explain", "torus 4x2x2", "moore 3 1", "--per-node", "4", "--rank", "3")
    assert found["choice"] == "node:1" and found["schedule"]["rounds"]


def test_carriers_of_the_rule_node_may_be_asked_for():
    graph = ("random 24 density 0.3", "--per-node", "6")
    found = answer("explain", *graph, "--algorithm", "node:2")
    assert found["choice"] == "node:2"
    assert [one["name"] for one in found["rules"] if "node" in one["name"]] == [
        "node:1", "node:2", "node:3", "node:6"]
    assert "node:4" in refusal("explain", *graph, "--algorithm", "node:many")


def test_reordering_by_blocks_lets_less_pass_between_nodes():
    found = answer("explain", "mesh 8x8", "von_neumann 2 1", "--per-node", "8", "--block", "1")
    assert found["nodes"]["bytes_along_edges"] == 2 * 7 * 8  # seven borders between rows
    assert found["nodes"]["bytes_along_edges_reordered"] == 2 * (3 * 8 + 8)  # blocks of 2 by 4
    direct = found["rules"][0]["nodes"]
    assert direct["between"]["all_bytes"] == 2 * 7 * 8
    assert direct["reordered"]["between"]["all_bytes"] == 2 * (3 * 8 + 8)
    assert direct["within"]["all_bytes"] + 2 * 7 * 8 == 2 * 7 * 8 * 2  # all edges


def test_the_explanation_says_that_ranks_are_reordered():
    asked = ("mesh 8x8", "von_neumann 2 1", "--per-node", "8")
    before, after = answer("explain", *asked), answer("explain", *asked, "--reorder")
    assert after["nodes"]["reordered"] and not before["nodes"]["reordered"]
    for one, other in zip(before["rules"], after["rules"], strict=True):
        assert other["nodes"]["between"] == one["nodes"]["reordered"]["between"]
        assert other["nodes"]["estimate"] == one["nodes"]["reordered"]["estimate"]


def test_sizes_of_blocks_are_weights():
    # two blocks are long: up and down stay on nodes that are columns
    found = answer("explain", "torus 8x8", "offsets 1,0 -1,0 0,1 0,-1", "--per-node", "8",
                   "--blocks", "900,900,1,1")["nodes"]
    assert found["bytes_along_edges"] == 64 * 1800
    assert found["bytes_along_edges_reordered"] == 64 * 2


@pytest.mark.parametrize("operation", ["alltoall", "allgather", "reduce"])
def test_nodes_of_a_graph_are_counted_too(operation):
    found = answer("explain", "groups 16 size 4", "--per-node", "3,5,4,4", "--op", operation)
    direct = found["rules"][0]
    assert direct["nodes"]["between"]["all_messages"] > 0
    assert direct["estimate"] == direct["nodes"]["estimate"]
    every = sum(direct["nodes"][level]["all_messages"] for level in ("within", "between"))
    assert every == found["edges"]
    assert (found["nodes"]["bytes_along_edges_reordered"] <= found["nodes"]["bytes_along_edges"])


def test_the_rule_node_is_compared_where_there_are_nodes():
    asked = ("complete 16", "--per-node", "4")
    between = {name: rule["nodes"]["between"]["all_messages"]
               for name, rule in rules(*asked).items() if "node" in name}
    assert between == {"node:1": 4 * 3, "node:2": 2 * 4 * 3, "node:4": 4 * 4 * 3}  # each to each
    assert not any("node" in name for name in rules("complete 16"))


def test_a_graph_of_groups_is_reordered_to_its_groups():
    found = answer("explain", "groups 16 size 4", "--per-node", "4")["nodes"]
    assert found["bytes_along_edges"] == found["bytes_along_edges_reordered"] == 0


def test_ranks_that_do_not_fill_the_last_node_are_fine():
    assert answer("explain", "torus 3x3", "moore 2 1", "--per-node", "4")["nodes"]["count"] == 3


def test_the_text_says_what_reordering_gains():
    text = carpool("explain", "mesh 8x8", "von_neumann 2 1", "--per-node", "8", "--block", "1").stdout
    assert "on 8 nodes" in text
    assert "the same if ranks are reordered" in text
    assert "64 B pass between nodes along the edges instead of 112 B, 43 % less" in text


def test_without_nodes_nothing_is_said_of_them():
    found = answer("explain", "mesh 8x8", "von_neumann 2 1")
    assert "nodes" not in found
    assert not any("nodes" in rule for rule in found["rules"])


@pytest.mark.parametrize("reorder", [(), ("--reorder",)])
@pytest.mark.parametrize(("grid", "stencil"), [("torus 8x8", "moore 2 1"), ("mesh 4x4x4", "moore 3 1")])
def test_pictures_draw_nodes(tmp_path, grid, stencil, reorder):
    pictures = {}
    for name, nodes in (("one", ()), ("nodes", ("--per-node", "8", *reorder))):
        file = tmp_path / f"{name}.svg"
        run = carpool("plan", grid, stencil, *nodes, "--plot", str(file))
        assert run.returncode == 0, run.stderr
        pictures[name] = Path(file).read_text().lower()
    assert "#f3e3b3" in pictures["nodes"]  # around the ranks of the rank's own node
    assert "#f3e3b3" not in pictures["one"]


def test_mistakes_are_said_in_one_line():
    grid = ("explain", "torus 4x4", "moore 2 1")
    assert "nodes of 12 ranks in all, expected 16" in refusal(*grid, "--per-node", "8,4")
    assert "expected ranks, such as 8" in refusal(*grid, "--per-node", "many")
    assert "expected ranks, such as 8" in refusal(*grid, "--per-node", "0")
    assert "--per-node" in refusal(*grid, "--reorder")
    assert "--per-node" in refusal(*grid, "--node-alpha", "1")
    assert "for grids and graphs" in refusal("explain", "allreduce 8", "--reorder")
