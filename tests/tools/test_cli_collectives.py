# SPDX-License-Identifier: MIT
"""The command carpool on the collectives of all ranks, run as users do."""

import functools
import re
from pathlib import Path

import pytest

from in_process import answer, carpool, refusal, rules, said


@functools.cache
def kinds():
    """Names of the algorithms per kind."""
    return {one["kind"]: one["algorithms"] for one in answer("algorithms")["collectives"]}


HEADER = Path(__file__).parents[2] / "include" / "carpool" / "collectives.h"


def documented():
    """Words of the header's list of algorithms, per collective as it writes it."""
    text = HEADER.read_text()
    rows = text[text.index(" *   barrier "):text.index("Algorithms with node or lane in their names")]
    found, names = {}, []
    for row in rows.splitlines():
        if head := re.match(r" \*   (\S+(?:, \S+)?) {2,}(.*)", row):
            names = [re.sub(r"\(.*\)", "", name) for name in head[1].split(", ")]
            row = head[2]
        for name in names:
            found.setdefault(name, set()).update(re.findall(r"[\w-]+", row))
    return found


def test_the_header_lists_the_algorithms_that_there_are():
    listed = documented()
    assert listed.keys() == kinds().keys()
    every = set().union(*kinds().values())
    for kind, names in kinds().items():
        assert listed[kind] & every == set(names), kind


def test_64_ranks_sum_in_6_messages_instead_of_63():
    found = answer("explain", "allreduce 64", "--block", "8", "--transport", "mpi")
    by_name = {rule["name"]: rule for rule in found["rules"]}
    assert list(by_name) == [one for one in kinds()["allreduce"] if not re.search("node|lane", one)]
    doubling = by_name["recursive-doubling"]
    assert (doubling["phases"], doubling["messages"], doubling["bytes"]) == (6, 6, 48)
    assert doubling["all_messages"] == 64 * 6
    assert by_name["spread"]["messages"] == 63
    assert found["choice"] == found["automatic"] == "recursive-doubling"
    assert "6 messages and 48 B instead of 63 and 504 B by spread" in found["reason"]


def test_the_estimate_is_made_of_messages_bytes_and_phases():
    found = rules("allreduce 8", "--block", "100", "--alpha", "1", "--beta", "0.1", "--sigma", "10")
    assert found["recursive-doubling"]["estimate"] == pytest.approx(3 * 10 + 3 * (1 + 10))


def test_ranks_that_share_a_core_pay_for_the_messages_of_all():
    costs = ("--alpha", "1", "--beta", "0", "--sigma", "0")
    found = rules("allreduce 8", *costs, "--ranks-per-core", "4")
    assert found["recursive-doubling"]["estimate"] == pytest.approx(3 * 4)
    assert found["star"]["estimate"] == pytest.approx(8)  # twice 7 ends of messages at rank 0, and one at another
    said = carpool("explain", "allreduce 8", *costs, "--ranks-per-core", "4").stdout
    said = " ".join(said.split())
    assert "gives a core 7 messages instead of 28 by spread" in said
    assert "4 ranks per core." in said


def test_algorithms_by_node_are_told_of_where_there_are_nodes():
    assert "node" not in rules("allreduce 16")
    found = rules("allreduce 16", "--per-node", "4")["node"]
    assert found["phases"] == 4  # to leaders, twice between them, and back
    assert found["all_messages"] == 2 * 12 + 2 * 4
    assert answer("verify", "alltoall 7", "--per-node", "3")["node"] == []


def test_the_choice_of_a_collective_changes_at_its_cut_offs():
    cut_offs = answer("explain", "allreduce 16")["cut_offs"]
    assert cut_offs[0]["from_bytes"] == 1
    assert len(cut_offs) > 1
    for before, after in zip(cut_offs, cut_offs[1:], strict=False):
        for size, step in ((after["from_bytes"] - 1, before), (after["from_bytes"], after)):
            assert answer("explain", "allreduce 16", "--block", str(size))["choice"] == step["rule"]


def test_an_operator_that_does_not_commute_leaves_out_the_ring():
    found = answer("explain", "allreduce 8", "--in-order")
    assert found["commutes"] is False
    assert found["inapplicable"] == [{"name": "ring", "needs": "an operator that commutes"}]
    said = carpool("explain", "allreduce 8", "--in-order").stdout
    assert "Not here: ring, which needs an operator that commutes." in said


def test_neighbors_cannot_be_paired_where_their_number_is_odd():
    found = answer("explain", "allgather 37")
    assert found["inapplicable"] == [
        {"name": "neighbor-exchange", "needs": "another number of ranks, such as 38"}]


def test_a_segment_cuts_the_block_of_a_pipeline():
    found = rules("bcast 8", "--block", "1000", "--segment", "100")
    assert (found["chain"]["pieces"], found["chain"]["phases"]) == (10, 10 + 6)


def test_blocks_of_a_gather_may_differ_by_rank():
    found = rules("gather 3 root 2", "--blocks", "8,24,100")
    assert found["linear"]["bytes"] == 8 + 24


def test_a_barrier_has_no_blocks_and_a_rank_alone_no_messages():
    assert rules("barrier 8")["dissemination"]["bytes"] == 0
    assert answer("explain", "alltoall 1")["reason"] == "spread: a rank alone sends nothing."


def test_the_rounds_of_a_rank_of_a_broadcast_are_those_of_its_tree():
    found = answer("plan", "bcast 8 root 3", "--algorithm", "binomial", "--rank", "7")
    rounds = found["rules"][0]["schedule"]["rounds"]
    assert [one["send"]["peer"] for one in rounds if one["send"]] == [1, 0]
    assert rounds[0]["receive"]["peer"] == 3
    text = carpool("plan", "bcast 8", "--algorithm", "binomial", "--rank", "4").stdout
    assert "rank 4 by binomial" in text


@pytest.mark.parametrize(("place", "algorithm", "rank", "words"), [
    ("gather 8", "binomial", "4", "block of rank 7"),  # through rank 6
    ("scatter 8", "binomial", "4", "rank 0's to rank 7"),
    ("alltoall 8", "bruck", "0", "rank 7's to rank 2"),
    ("allgather 6", "gather-bcast", "4", "block of rank 5"),
    ("reduce_scatter 4", "recursive-halving", "0", "to rank 3"),
    ("allreduce 8", "ring", "0", "result piece 1"),
    ("barrier 4", "tree", "0", "notice"),
])
def test_blocks_of_a_collective_are_named_by_where_they_come_from(place, algorithm, rank, words):
    assert words in said("plan", place, "--algorithm", algorithm, "--rank", rank)


@pytest.mark.parametrize("place", ["barrier 11", "bcast 11 root 3", "gather 11 root 3",
                                   "scatter 11 root 3", "allgather 12", "alltoall 11",
                                   "reduce 11 root 3", "allreduce 11", "reduce_scatter 11",
                                   "scan 11", "exscan 11"])
def test_all_algorithms_of_a_kind_are_verified(place):
    kind = place.split()[0]
    found = answer("verify", place, "--per-node", "4")
    assert list(found) == kinds()[kind]
    assert not any(found.values())


def test_verify_runs_one_algorithm_or_those_that_apply():
    assert answer("verify", "allgather 37", "--algorithm", "ring") == {"ring": []}
    found = answer("verify", "allreduce 6", "--in-order")
    left_out = set(kinds()["allreduce"]) - set(found)
    assert {name for name in left_out if not re.search("node|lane", name)} == {"ring"}
    assert not any(found.values())


@pytest.mark.parametrize(("arguments", "words"), [
    (("explain", "gather"), "'gather': expected gather RANKS [root R]"),
    (("explain", "gather 8 9"), "expected gather RANKS [root R]"),
    (("explain", "allgather 8 root 1"), "expected allgather RANKS"),
    (("explain", "gather many"), "'many'"),
    (("explain", "gather 0"), "0 ranks, expected from 1 to 131072"),
    (("explain", "alltoall 16385"), "16385 ranks, expected from 1 to 16384"),
    (("explain", "gather 8 root 8"), "root 8, expected from 0 to 7"),
    (("explain", "gather 8", "--blocks", "1,2"), "2 block sizes, expected 1 or 8"),
    (("explain", "bcast 8", "--blocks", "1,2"), "2 block sizes, expected 1"),
    (("explain", "bcast 8", "--algorithm", "ring"), "'ring', expected for bcast auto or one of"),
    (("plan", "allreduce 8", "--in-order", "--algorithm", "ring"), "'ring' needs an operator that"),
    (("explain", "gather 8", "--in-order"), "is for reductions, not for gather"),
    (("explain", "bcast 8", "--segment", "x"), "'x', expected whole bytes"),
    (("explain", "bcast 8", "--segment", "0"), "a segment of 0 bytes, expected from 1"),
    (("explain", "bcast 8", "--ranks-per-core", "0.5"), "0.5 ranks per core, expected from 1 to 8"),
    (("explain", "bcast 8", "--rank", "8"), "rank 8, expected from 0 to 7"),
    (("explain", "bcast 8", "--op", "reduce"), "--op reduce is for grids and graphs"),
    (("explain", "bcast 8", "--ranks", "4"), "--ranks 4 is for grids and graphs"),
    (("explain", "ring 8", "--in-order"), "--in-order is for collectives, not for 'ring 8'"),
    (("explain", "ring 8", "--segment", "8"), "--segment is for collectives"),
    (("explain", "allreduce 65", "--plot", "x.svg"), "a picture of 65 ranks, expected at most 64"),
    (("verify", "bcast 65536", "--algorithm", "scatter-allgather"), "more than 2^22 blocks on"),
])
def test_invalid_arguments_for_a_collective_are_refused_in_words(arguments, words):
    assert words in refusal(*arguments)


def test_many_ranks_are_explained_at_once():
    assert rules("allreduce 100000")["recursive-doubling"]["messages"] == 16 + 1


def test_the_steps_of_a_collective_are_drawn_the_same_each_time(tmp_path):
    for name in ("a.svg", "b.svg"):
        run = carpool("plan", "gather 8 root 3", "--algorithm", "binomial", "--plot",
                      str(tmp_path / name))
        assert run.returncode == 0, run.stderr
    picture = (tmp_path / "a.svg").read_bytes()
    assert picture.startswith(b"<?xml")
    assert picture == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("place", ["alltoall 1", "barrier 2"])
def test_the_steps_of_few_ranks_are_drawn_too(tmp_path, place):
    file = tmp_path / "picture.png"
    assert carpool("explain", place, "--plot", str(file)).returncode == 0
    assert file.read_bytes().startswith(b"\x89PNG")


# Paper 5's equations 1, 2, 3 and 5, where its virtual topologies are full.
@pytest.mark.parametrize("rule, number",
                         [("direct", "1"), ("mesh", "2"), ("grid", "3"), ("hypercube", "5")])
def test_counts_of_an_alltoall_agree_with_the_papers_equations(rule, number):
    text = carpool("explain", "alltoall 64", "--block", "76").stdout
    rows = [line.split() for line in text[text.index("equation"):].splitlines()]
    row = next(row for row in rows if row[:2] == [rule, number])
    assert row[2] == row[-2], row
