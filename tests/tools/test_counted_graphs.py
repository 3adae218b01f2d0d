# SPDX-License-Identifier: MIT
"""What explain, plan and simulate say of random graphs, counted again here: on the edges, and on the schedules of all
ranks."""

import pytest

from counted import (busiest, check_busiest_is_charged, check_levels, check_row, check_simulation, estimate_on_nodes,
                     messages_by, nodes_of, of_blocks, of_messages, random_sizes, rows)
from in_process import answer, run
from random_cases import each_case

BY_NEXT_HOP = ("mesh", "grid", "hypercube", "digits", "node")  # while planning they send as many messages as later
OPERATIONS = ("alltoall", "allgather", "reduce", "reduce_scatter_block")


def random_edges(draw, ranks):
    density = draw.choice([0, 0.1, 0.3, 0.9])
    edges = [(a, b) for a in range(ranks) for b in range(ranks) if a != b and draw.random() < density]
    draw.shuffle(edges)
    return edges


def check_degrees(found, ranks, edges):
    assert (found["ranks"], found["edges"]) == (ranks, len(edges))
    for side, end in (("out", 0), ("in", 1)):
        degrees = [sum(edge[end] == rank for edge in edges) for rank in range(ranks)]
        assert found["degrees"][side] == {"least": min(degrees), "mean": pytest.approx(len(edges) / ranks),
                                          "most": max(degrees)}


def check_rule(rule, found, block, messages, phases):
    ranks = found["ranks"]
    blocks = busiest(ranks, messages, of_blocks)
    assert rule["messages"] == busiest(ranks, messages, of_messages)
    assert rule["mean_messages"] == pytest.approx(len(messages) / ranks)
    assert rule["mean_blocks"] == pytest.approx(sum(one.blocks for one in messages) / ranks)
    assert (rule["blocks"], rule["bytes"]) == (blocks, blocks * block)
    assert phases <= rule["phases"] or not messages
    assert -(-rule["messages"] // found["ports"]) <= rule["starts"] <= rule["messages"]
    if "nodes" not in rule:
        assert rule["estimate"] == pytest.approx(
            rule["starts"] * found["alpha"] + rule["bytes"] * found["beta"] + rule["phases"] * found["sigma"])


def check_planning(rule, found, asked, messages):
    """Of rules that know only the next hop of a block: it takes with it its name and its targets."""
    took = rule["planning"]
    kind = rule["name"].split(":")[0].split()[-1]
    if kind == "direct":
        assert {took[name] for name in ("supersteps", "messages", "bytes", "board_bytes")} == {0}
    if kind in BY_NEXT_HOP and asked[4] == "alltoall" and messages:
        words = 4  # two of its name, the number of its targets, and the one target
        sent = {rank: [one for one in messages if one.sender == rank] for rank in range(found["ranks"])}
        assert took["messages"] == max(map(len, sent.values()))
        assert took["bytes"] == 4 * words * max(sum(one.blocks for one in some) for some in sent.values())
        assert took["mean_bytes"] == pytest.approx(4 * words * rule["mean_blocks"])


def check_nodes(found, asked, edges, node, block):
    assert found["nodes"]["count"] == len(set(node))
    crossing = sum(node[a] != node[b] for a, b in edges)
    assert found["nodes"]["bytes_along_edges"] == crossing * block
    assert found["nodes"]["bytes_along_edges_reordered"] <= crossing * block
    other = answer("explain", *asked, "--reorder")
    for rule, same in zip(found["rules"], other["rules"], strict=True):
        reordered = rule["nodes"].pop("reordered")
        assert {name: same["nodes"][name] for name in reordered} == reordered
        if rule["name"] == "direct":
            assert reordered["between"]["all_bytes"] == found["nodes"]["bytes_along_edges_reordered"]


def check_table(said, found):
    table = rows(said, "rule")
    for rule in found["rules"]:
        check_row(table[rule["name"]], [rule[name] for name in (
            "messages", "mean_messages", "phases", "blocks", "bytes", "estimate")])
    planning = rows(said[said.index("What planning takes"):], "rule")
    for rule in found["rules"]:
        check_row(planning[rule["name"]], [rule["planning"][name] for name in (
            "supersteps", "messages", "mean_messages", "bytes")] + [round(rule["planning"]["mean_bytes"])])


def check_cut_offs(draw, found, asked):
    """At a size that is drawn the rule that is named for it is none dearer than another."""
    if not found["cut_offs"]:
        assert found["block_bytes"] == [0]
        return
    block = draw.choice([1, 100, 3000, 70000])
    name = [step["rule"] for step in found["cut_offs"] if step["from_bytes"] <= block][-1]
    other = answer("explain", *asked, "--block", block)
    of_name = {rule["name"]: rule["estimate"] for rule in other["rules"]}
    assert of_name[name] == pytest.approx(of_name[other["automatic"]], rel=1e-6)


def test_every_number_about_a_graph_is_that_of_its_schedules(tmp_path):
    def check(draw):
        ranks = draw.randrange(1, 14)
        edges = random_edges(draw, ranks)
        file = tmp_path / "edges.txt"
        file.write_text("".join(f"{a} {b}\n" for a, b in edges))
        block = draw.choice([0, 1, 8, 64, 5000])
        nodes = random_sizes(draw, ranks) if draw.random() < 0.5 else None
        asked = (file, "--ranks", ranks, "--op", draw.choice(OPERATIONS),
                 *(("--per-node", ",".join(map(str, nodes))) if nodes else ("--ports", draw.randrange(1, 4))))
        sized = (*asked, "--block", block)
        found = answer("explain", *sized)
        check_degrees(found, ranks, edges)
        check_table(run("explain", *sized).stdout, found)
        node = nodes_of(ranks, nodes or [ranks])
        if nodes:
            check_nodes(found, sized, edges, node, block)
        for rule in found["rules"]:
            messages, phases = messages_by(rule["name"], sized, tmp_path)
            check_rule(rule, found, block, messages, phases)
            check_planning(rule, found, asked, messages)
            if nodes:
                check_levels(rule["nodes"], ranks, messages, node)
                check_busiest_is_charged(rule, found, ranks, messages, node)
                assert rule["estimate"] == pytest.approx(sum(estimate_on_nodes(rule, found, rule["phases"])))
        if block:
            direct, _ = messages_by("direct", sized, tmp_path)
            assert sorted((one.sender, one.receiver) for one in direct) == sorted(edges)
        check_cut_offs(draw, found, asked)
        check_simulation(draw, (*asked[:5], "--block", block), ranks, found["choice"].split()[-1], tmp_path)

    each_case(8, check)
