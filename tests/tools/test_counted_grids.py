# SPDX-License-Identifier: MIT
"""What explain, plan and simulate say of random grids, counted again here: on the schedules of all ranks, and on the
hops of the plan."""

import itertools
import math

import pytest

from counted import (check_busiest_is_charged, check_levels, check_row, check_simulation, estimate_on_nodes, messages_by,
                     nodes_of, of_bytes, random_sizes, rows)
from in_process import answer, run
from random_cases import each_case

REDUCTIONS = ("reduce", "reduce_scatter_block")
MOST_LOOKED_AT = 2**13  # rounds of all ranks together; of more, an estimate looks at some ranks


def random_grid(draw):
    """Its dimensions, which of them are periodic, and its text."""
    dims = [draw.choice([1, 2, 3, 3, 4, 5]) for _ in range(draw.choice([1, 2, 2, 3]))]
    periodic = draw.choice([[True] * len(dims), [False] * len(dims), [draw.random() < 0.5 for _ in dims]])
    sizes = "x".join(f"{size}{'p' if wraps else ''}" for size, wraps in zip(dims, periodic, strict=True))
    return dims, periodic, f"grid {sizes}"


def random_stencil(draw, dimensions):
    if draw.random() < 0.7:
        return f"{draw.choice(['moore', 'von_neumann', 'positive_octant'])} {dimensions} {draw.choice([1, 1, 2])}"
    offsets = [",".join(str(draw.randrange(-2, 3)) for _ in range(dimensions)) for _ in range(draw.randrange(1, 5))]
    return f"offsets {dimensions}: {' '.join(offsets)}"


def random_question(draw, folder):
    dims, periodic, grid = random_grid(draw)
    stencil = random_stencil(draw, len(dims))
    operation = draw.choice(["alltoall", "alltoall", "allgather", *REDUCTIONS])
    ranks = math.prod(dims)
    neighbors = answer("explain", grid, stencil)["neighbors"]
    sizes = [draw.choice([0, 1, 64, 5000])]
    if operation == "alltoall" and neighbors and draw.random() < 0.3:
        sizes = [draw.choice([0, 8, 8, 100]) for _ in range(neighbors)]
    return dims, periodic, ranks, (grid, stencil, "--op", operation, "--blocks", ",".join(map(str, sizes)))


def edges_of(dims, periodic, offsets):
    """(rank, position of the offset, target) of each edge on the grid."""
    for rank, here in enumerate(itertools.product(*map(range, dims))):
        for position, offset in enumerate(offsets):
            there = [a + b for a, b in zip(here, offset, strict=True)]
            if all(wraps or 0 <= at < size for at, size, wraps in zip(there, dims, periodic, strict=True)):
                target = 0
                for at, size in zip(there, dims, strict=True):
                    target = target * size + at % size
                yield rank, position, target


def check_edges(found, planned, dims, periodic, node):
    """A block along each edge."""
    assert found["nodes"]["count"] == len(set(node))
    sizes = planned["block_bytes"] * (len(planned["offsets"]) if len(planned["block_bytes"]) == 1 else 1)
    crossing = sum(sizes[position] for rank, position, target in edges_of(dims, periodic, planned["offsets"])
                   if node[rank] != node[target])
    assert found["nodes"]["bytes_along_edges"] == crossing
    assert found["nodes"]["bytes_along_edges_reordered"] <= crossing


def check_depth(rule):
    """The hops lead where the ways say; phases and depth are those of the blocks that wait for each other."""
    depth = {}
    for one in rule["plan"]:
        below = max((depth.get(move["from"], 0) for move in one["moves"]), default=0)
        for move in one["moves"]:
            before, after = (rule["ways"][move[end]] for end in ("from", "to"))
            assert [a + hop for a, hop in zip(before, one["hop"], strict=True)] == after
        depth |= {move["to"]: below + 1 for move in one["moves"]}
    assert rule["rounds"] == len(rule["plan"])
    assert rule["least_phases"] == max(depth.values(), default=0)
    assert rule["phases"] == max((one["phase"] + 1 for one in rule["plan"]), default=0)


def check_own(rule, messages):
    """What two ranks send."""
    for place in ("at_rank", "at_corner"):
        own = [one for one in messages if one.sender == rule[place]["rank"]]
        assert rule[place] == {"rank": rule[place]["rank"], "messages": len(own), "bytes": sum(map(of_bytes, own))}


def check_every_rank_alike(rule, found, messages, ranks):
    """On a torus. Messages without bytes are left out."""
    assert rule["bytes"] * ranks == sum(map(of_bytes, messages))
    if 0 not in found["block_bytes"]:
        assert rule["volume"] * ranks == sum(one.blocks for one in messages)
        assert rule["rounds"] * ranks == len(messages)


def check_no_less(rule, messages, ranks):
    """Where the grid ends, ranks send at most what the rule is said to have."""
    for rank in range(ranks):
        own = [one for one in messages if one.sender == rank]
        assert len(own) <= rule["rounds"]
        assert sum(one.blocks for one in own) <= rule["volume"]
        assert sum(map(of_bytes, own)) <= rule["bytes"]


def check_estimate(rule, found):
    sends = any(found["block_bytes"])
    depth = rule["least_phases"] if sends else 0
    if "nodes" in rule:
        assert rule["starts"] == sum(one["messages"] for one in rule["nodes"]["charged"].values()) <= rule["rounds"]
        assert rule["estimate"] == pytest.approx(sum(estimate_on_nodes(rule, found, depth)))
    else:
        assert rule["starts"] <= rule["rounds"] <= rule["starts"] * found["ports"] or not sends
        assert rule["estimate"] == pytest.approx(
            rule["starts"] * found["alpha"] + rule["bytes"] * found["beta"] + depth * found["sigma"])


def check_table(said, found):
    table = rows(said, "rule")
    for rule in found["rules"]:
        check_row(table[rule["name"]], [
            *(rule[name] for name in ("rounds", "phases", "least_phases", "volume")), rule["at_rank"]["messages"],
            rule["at_rank"]["bytes"], rule["estimate"]])
    if "nodes" not in found:
        return
    for title, counts_of in (("\non ", lambda rule: rule["nodes"]),
                             ("the same if ranks are reordered", lambda rule: rule["nodes"]["reordered"])):
        table = rows(said[said.index(title):], "rule")
        for rule in found["rules"]:
            counts = counts_of(rule)
            check_row(table[rule["name"]], [
                counts["between"]["messages"], counts["between"]["bytes"], counts["between"]["all_bytes"],
                counts["within"]["messages"], counts["within"]["bytes"], counts["estimate"]])


def check_plan(found, planned):
    """plan takes what explain chooses, and counts the same of it."""
    assert planned["choice"] == found["choice"]
    (rule,) = planned["rules"]
    (same,) = (one for one in [*found["rules"], *found["by_nodes"]] if one["name"] == found["choice"])
    assert {name: rule[name] for name in same if name != "nodes"} == {
        name: same[name] for name in same if name != "nodes"}


def test_every_number_about_a_grid_is_that_of_its_schedules(tmp_path):
    def check(draw):
        dims, periodic, ranks, asked = random_question(draw, tmp_path)
        nodes = random_sizes(draw, ranks) if draw.random() < 0.5 else None
        sized = (*asked, *(("--per-node", ",".join(map(str, nodes))) if nodes else ("--ports", draw.randrange(1, 4))))
        found = answer("explain", *sized)
        assert (found["ranks"], found["periodic"]) == (ranks, all(periodic))
        check_table(run("explain", *sized).stdout, found)
        node = nodes_of(ranks, nodes or [ranks])
        for rule in found["rules"]:
            messages, _ = messages_by(rule["name"], sized, tmp_path)
            check_depth(answer("plan", *sized, "--algorithm", rule["name"])["rules"][0])
            check_own(rule, messages)
            check_no_less(rule, messages, ranks)
            check_estimate(rule, found)
            if all(periodic):
                check_every_rank_alike(rule, found, messages, ranks)
            if nodes:
                check_levels(rule["nodes"], ranks, messages, node)
                if all(periodic) and 0 not in found["block_bytes"] and ranks * rule["rounds"] <= MOST_LOOKED_AT:
                    check_busiest_is_charged(rule, found, ranks, messages, node)
        check_plan(found, answer("plan", *sized))
        if nodes:
            check_edges(found, answer("plan", *asked), dims, periodic, node)
        check_simulation(draw, asked, ranks, found["rules"][0]["name"], tmp_path)

    each_case(12, check)
