# SPDX-License-Identifier: MIT
"""What the command carpool says of rows that are dealt to ranks: an edge carries the values that its target needs."""

import itertools
import json
import random
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.io import mmwrite
from scipy.sparse import coo_array

from command import CARPOOL
from in_process import answer, said

MATRIX = """%%MatrixMarket matrix coordinate pattern general
8 8 9
1 3
2 3
2 4
4 8
5 3
6 3
7 3
8 1
8 8
"""  # ranks of two rows each: 1 owns columns 3 and 4, of which 0 wants both, and 2 and 3 want 3; 0 owns 1, 3 owns 8


@pytest.fixture
def matrix(tmp_path):
    (tmp_path / "a.mtx").write_text(MATRIX)
    return str(tmp_path / "a.mtx")


def explained(file, *arguments):
    found = answer("explain", file, *arguments)
    return found, {rule["name"]: rule for rule in found["rules"]}


def test_an_edge_carries_each_value_that_its_target_needs_once(matrix):
    found, rules = explained(matrix, "--ranks", "4", "--block", "100")
    assert (found["edges"], found["values"]) == (5, True)
    assert rules["direct"]["bytes"] == 4 * 100  # of rank 1: columns 3 and 4 to rank 0, and 3 to ranks 2 and 3
    assert rules["direct"]["messages"] == 3
    assert "alltoall on" in said("explain", matrix, "--ranks", "4")
    assert "values of 8 B" in said("explain", matrix, "--ranks", "4")


def test_a_value_crosses_the_network_once_for_all_ranks_of_a_node(matrix):
    found, rules = explained(matrix, "--ranks", "4", "--per-node", "2", "--block", "10")
    assert found["nodes"]["values"] == {"by_ranks": 2 + 1 + 1, "by_nodes": 1 + 1 + 1}  # column 3, 1, 8
    assert rules["direct"]["nodes"]["between"]["all_bytes"] == 40
    assert rules["direct"]["nodes"]["once"]["between"]["all_bytes"] == 40
    assert rules["node:1"]["nodes"]["between"]["all_bytes"] == 40
    assert rules["node:1"]["nodes"]["once"]["between"]["all_bytes"] == 30
    text = said("explain", matrix, "--ranks", "4", "--per-node", "2")
    assert "4 values of other nodes are wanted by ranks, 3 if each node counts once, 25 % less" in text
    assert "without repeats: a message has each value once" in text


def test_without_ranks_each_row_is_a_rank_and_an_edge_has_one_block(matrix):
    found, rules = explained(matrix)
    assert (found["ranks"], found["values"], found["block_bytes"]) == (8, False, [64])
    assert rules["direct"]["bytes"] == 5 * 64  # column 3, which five other rows refer to


def test_other_operations_have_one_block_for_each_edge(matrix):
    found, rules = explained(matrix, "--ranks", "4", "--op", "allgather")
    assert (found["values"], rules["direct"]["bytes"]) == (False, 3 * 64)


def test_the_schedules_of_values_are_verified_and_simulated(matrix):
    assert not any(answer("verify", matrix, "--ranks", "4").values())
    found = answer("simulate", matrix, "--ranks", "4", "--platform", "cluster:2x2", "--block", "10")
    direct = next(one for one in found["methods"] if one["name"] == "direct")
    assert direct["costs"][0]["between"] == {"messages": 4, "bytes": 40}


def dealt(entries, rows, ranks):
    """The rank of each row, and the values that pass, each with its owner and its taker."""
    first = [rank * rows // ranks for rank in range(ranks + 1)]
    owner = [rank for rank in range(ranks) for _ in range(first[rank], first[rank + 1])]
    return {(column, owner[column], owner[row]) for row, column in entries if owner[row] != owner[column]}


@pytest.mark.parametrize("seed", range(12))
def test_values_of_random_matrices_are_those_counted_here(seed, tmp_path):
    draw = random.Random(seed)
    rows, ranks, per_node = draw.randint(12, 60), draw.randint(2, 12), draw.randint(1, 5)
    entries = {(draw.randrange(rows), int(rows * draw.random() ** 3)) for _ in range(draw.randint(1, 5 * rows))}
    ends = np.array(sorted(entries)).T
    mmwrite(tmp_path / "a.mtx", coo_array((np.ones(len(entries)), ends), shape=(rows, rows)))
    passed = dealt(entries, rows, ranks)
    crossing = {one for one in passed if one[1] // per_node != one[2] // per_node}
    once = {(column, taker // per_node) for column, _, taker in crossing}
    found, rules = explained(str(tmp_path / "a.mtx"), "--ranks", str(ranks), "--per-node", str(per_node), "--block", "8")
    assert found["edges"] == len({(owner, taker) for _, owner, taker in passed})
    assert found["nodes"]["values"] == {"by_ranks": len(crossing), "by_nodes": len(once)}
    assert found["nodes"]["bytes_along_edges"] == 8 * len(crossing)
    for name, rule in rules.items():
        between, without = rule["nodes"]["between"], rule["nodes"]["once"]["between"]
        assert 8 * len(once) <= without["all_bytes"] <= between["all_bytes"]
        assert without["all_messages"] == between["all_messages"]
        if name.startswith("node:"):
            assert (between["all_bytes"], without["all_bytes"]) == (8 * len(crossing), 8 * len(once))
    direct = rules["direct"]
    sent = [sum(one[end] == rank for one in passed) for rank, end in itertools.product(range(ranks), (1, 2))]
    assert direct["bytes"] == 8 * max(sent)
    assert not any(answer("verify", str(tmp_path / "a.mtx"), "--ranks", str(ranks)).values())


BROKEN = {  # edges 0 to 1 and 1 to 0, their values, the values of one class, and a taker: its class and edge
    "a.edges: ends too soon": (0, 1, 1, 0, 1, 1, 1, 0),
    "an edge with values -1, expected from 0": (0, 1, 1, 0, -1, 1, 1, 0, 0),
    "a class of values -1, expected from 0": (0, 1, 1, 0, 1, 1, -1, 0, 0),
    "a taker of class 1, expected from 0 to 0": (0, 1, 1, 0, 1, 1, 1, 1, 0),
    "a taker along edge 2, expected from 0 to 1": (0, 1, 1, 0, 1, 1, 1, 0, 2),
    "a taker along edge -1, expected from 0 to 1": (0, 1, 1, 0, 1, 1, 1, 0, -1),
    "edge 2 to 1, expected ranks from 0 to 1": (2, 1, 1, 0, 1, 1, 1, 0, 0)}


def planned_from(file, **lengths):
    """What the planner says to a file of edges as the command writes it."""
    lengths = {"edges": 2, "values": True, "classes": 1, "takers": 1, **lengths}
    asked = {"command": "verify", "operation": "alltoall", "graph": {"ranks": 2, "file": str(file), **lengths},
             "block_bytes": [8], "alpha": 1, "beta": 1, "sigma": 1, "ports": 1, "algorithm": "direct", "rank": None,
             "theta": 4, "digits": "2", "rearrange": "off", "per_node": None}
    run = subprocess.run([Path(CARPOOL).parents[1] / "libexec" / "carpool-planner"], input=json.dumps(asked),
                         capture_output=True, check=False, text=True)
    return json.loads(run.stdout)


@pytest.mark.parametrize("why", BROKEN)
def test_a_broken_file_of_edges_is_refused(why, tmp_path):
    (tmp_path / "a.edges").write_bytes(np.array(BROKEN[why], np.int32).tobytes())
    assert why in planned_from(tmp_path / "a.edges")["error"]


def test_a_file_of_edges_takes_memory_for_what_it_holds(tmp_path):
    (tmp_path / "a.edges").write_bytes(np.array((0, 1, 1, 0, 1, 1, 1, 0, 0), np.int32).tobytes())
    assert "error" not in planned_from(tmp_path / "a.edges")
    assert "ends too soon" in planned_from(tmp_path / "a.edges", edges=2**31)["error"]
