# SPDX-License-Identifier: MIT
"""The command that simulates, and the engine that others trust beside ours."""

import json
import random
import shutil
from pathlib import Path

import pytest

from in_process import answer, carpool, refusal, said

# A machine of which LogGP and SimGrid know the same.
EVEN = str(Path(__file__).with_name("even.json"))
CLUSTER = ("--platform", "cluster:8x8", "--machine", EVEN)

# How far LogGP may be from SimGrid where no link is shared: all but a few are within 10 %.
SELDOM, ALWAYS = 0.10, 0.15
with_simgrid = pytest.mark.skipif(shutil.which("smpirun") is None, reason="SimGrid is not here")


def methods(*arguments):
    return {one["name"]: one["costs"] for one in answer("simulate", *arguments)["methods"]}


def test_message_combining_wins_where_messages_cost_and_loses_where_bytes_do():
    found = methods("torus 4x4x4", "moore 3 1", *CLUSTER, "--sizes", "4,40kB")
    short, long = ({name: costs[i]["time"] for name, costs in found.items()} for i in (0, 1))
    assert short["cartesian"] < short["direct"] / 2
    assert long["direct"] < long["cartesian"]


def test_messages_and_bytes_are_those_of_the_schedules():
    found = methods("torus 8x8", "moore 2 1", *CLUSTER, "--block", "100")
    for name, messages, blocks in (("direct", 8, 8), ("cartesian", 4, 12)):
        cost = found[name][0]
        assert cost["within"]["messages"] + cost["between"]["messages"] == 64 * messages
        assert cost["within"]["bytes"] + cost["between"]["bytes"] == 64 * blocks * 100


def test_neighbors_that_are_one_rank_have_a_message_each_as_printed():
    """27 points on 2x2x2: as printed 26 messages, or 2 in each of 3 dimensions; 7 and 3 by the library."""
    for options, messages in ((("--as-printed",), {"direct": 26, "cartesian": 6, "torus": 6}),
                              ((), {"direct": 7, "cartesian": 3, "torus": 3})):
        found = methods("torus 2x2x2", "moore 3 1", *CLUSTER, "--engine", "loggp", *options)
        for name, expected in messages.items():
            assert found[name][0]["within"]["messages"] == 8 * expected, name
    assert answer("explain", "torus 2x2x2", "moore 3 1", "--as-printed")["rules"][0]["rounds"] == 26


@pytest.mark.parametrize(("place", "expected"), [
    (("random 8 density 0.5",), "--as-printed is for grids"), (("bcast 8",), "--as-printed is for grids"),
    (("torus 2x2", "moore 2 1", "--halo", "4x4"), "--as-printed is not for --halo")])
def test_only_grids_have_offsets_to_take_as_printed(place, expected):
    assert expected in refusal("explain", *place, "--as-printed")


def test_a_ring_takes_its_messages_latency_and_bytes():
    """Two sends, the copy for the nearer one, the latency of the farther one, its receipt."""
    cost = methods("torus 4", "moore 1 1", "--platform", "cluster:2x2", "--machine", EVEN,
                   "--algorithm", "direct", "--block", "40")["direct"][0]
    assert cost["time"] == pytest.approx(2 * 4e-7 + 40 / 1e10 / 2 + 6e-7 + 40 / 12.3e9 + 4e-7, rel=1e-6)
    assert cost["adapter"] == {"messages": 2, "bytes": 80}


def test_graphs_and_collectives_are_simulated_too():
    assert {"direct", "friends", "node:1", "2 digits"} <= set(
        methods("random 64 density 0.2", *CLUSTER, "--op", "allgather"))
    assert {"ring", "recursive-doubling"} <= set(methods("allreduce 64", *CLUSTER, "--engine", "loggp"))
    assert {"direct", "node:8"} <= set(
        methods("torus 8x8", "moore 2 1", *CLUSTER, "--graph-rules"))


def test_blocks_of_different_sizes_are_simulated():
    unequal = methods("torus 4x4", "von_neumann 2 1", *CLUSTER, "--blocks", "1,1,1,1MB")["direct"][0]
    equal = methods("torus 4x4", "von_neumann 2 1", *CLUSTER, "--block", "1")["direct"][0]
    assert unequal["time"] > 10 * equal["time"]


def test_a_laptop_is_one_node():
    cost = methods("torus 4x4", "moore 2 1", "--machine", "laptop")["direct"][0]
    assert cost["between"]["messages"] == 0


def test_a_machine_is_read_from_a_file(tmp_path):
    file = tmp_path / "machine.json"
    machine = {"send_overhead": 1, "receive_overhead": 2, "latency": 0, "bandwidth": 1e9, "adapter_bandwidth": 1e9,
               "node_overhead": 0, "node_latency": 0, "node_bandwidth": 1e9, "copy_bandwidth": 1e9}
    file.write_text(json.dumps(machine))
    cost = methods("bcast 2", "--platform", "cluster:2x1", "--machine", str(file), "--engine", "loggp",
                   "--block", "1", "--algorithm", "binomial")["binomial"][0]
    assert cost["time"] == pytest.approx(3)
    file.write_text(json.dumps({**machine, "latency": -1}))
    assert "latency is -1, expected a number, at least 0" in refusal(
        "simulate", "bcast 2", "--platform", "cluster:2x1", "--machine", str(file))
    file.write_text("{}")
    assert "expected an object with send_overhead" in refusal(
        "simulate", "bcast 2", "--platform", "cluster:2x1", "--machine", str(file))


@pytest.mark.parametrize(("arguments", "expected"), [
    (("--platform", "ring:3"), "expected cluster:NODESxRANKS"),
    (("--platform", "cluster:3"), "expected cluster:NODESxRANKS"),
    (("--platform", "cluster:3x3x3"), "expected cluster:NODESxRANKS"),
    (("--platform", "torus:0x4"), "expected torus:"),
    (("--platform", "cluster:3x4"), "has room for 12 ranks, expected at least 16"),
    (("--platform", "nothing.xml"), "nothing.xml: No such file"),
    (("--platform", "cluster:8x8", "--machine", "cray"), "expected laptop, ethernet"),
    (("--platform", "cluster:8x8", "--per-node", "4"), "says how many ranks a node has"),
    (("--platform", "cluster:8x8", "--sizes", "1,x"), "expected whole bytes"),
    (("--platform", "cluster:8x8", "--overhead", "-1"), "expected seconds, at least 0"),
    ((), "Missing option '--platform'"),
    (("--machine", "laptop", "--per-node", "4"), "a laptop is one node"),
])
def test_mistakes_are_told_in_one_line(arguments, expected):
    assert expected in refusal("simulate", "torus 4x4", "moore 2 1", *arguments)


def test_explain_assumes_the_costs_of_a_platform():
    found = answer("explain", "torus 8x8", "moore 2 1", *CLUSTER)
    assert found["alpha"] == pytest.approx(8e-7)
    assert found["nodes"]["count"] == 8
    assert f"on {EVEN}" in found["assumed"]
    omnipath = ("--platform", "cluster:8x8", "--machine", "omnipath")
    assert "Assumed between nodes, on omnipath" in said("explain", "torus 8x8", "moore 2 1", *omnipath)


def test_a_picture_and_all_schedules_are_written(tmp_path):
    picture = tmp_path / "times.svg"
    run = carpool("simulate", "torus 8x8", "moore 2 1", *CLUSTER, "--sizes", "4,400", "--plot",
                  str(picture))
    assert run.returncode == 0, run.stderr
    assert picture.read_text().startswith("<?xml")
    lines = tmp_path / "all.jsonl"
    run = carpool("plan", "torus 8x8", "moore 2 1", "--algorithm", "cartesian", "--schedules",
                  str(lines))
    assert run.returncode == 0, run.stderr
    schedules = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [len(one["rounds"]) for one in schedules] == [4] * 64


@with_simgrid
def test_simgrid_and_loggp_agree_where_no_link_is_shared():
    seed = 38
    draw = random.Random(seed)
    far = []
    for _ in range(8):
        place = draw.choice([("torus 4x4x4", "moore 3 1"), ("mesh 8x8", "moore 2 2"),
                             ("random 64 density 0.1",), ("allreduce 64",), ("alltoall 32",)])
        size = draw.choice(["1", "40", "400", "4000"])
        platform = draw.choice(["cluster:64x1", "cluster:8x8", "cluster:4x16"])
        asked = (*place, "--platform", platform, "--machine", EVEN, "--block", size)
        ours = methods(*asked, "--engine", "loggp")
        theirs = methods(*asked, "--engine", "simgrid")
        for name, costs in ours.items():
            assert theirs[name][0]["engine"] == "simgrid"
            error = abs(costs[0]["time"] / theirs[name][0]["time"] - 1)
            assert error < ALWAYS, (asked, name)
            far.append(error > SELDOM)
    assert sum(far) < 0.1 * len(far)


@with_simgrid
def test_reordered_ranks_are_where_both_engines_have_them():
    asked = ("torus 16x4", "moore 2 1", "--platform", "cluster:16x4", "--machine", EVEN,
             "--block", "4000", "--algorithm", "direct")
    times = {(order, engine): methods(*asked, *order, "--engine", engine)["direct"][0]["time"]
             for order in ((), ("--reorder",)) for engine in ("loggp", "simgrid")}
    assert times[("--reorder",), "loggp"] < 0.95 * times[(), "loggp"]
    for order in ((), ("--reorder",)):
        assert times[order, "simgrid"] == pytest.approx(times[order, "loggp"], rel=SELDOM)


@with_simgrid
def test_a_laptop_and_a_platform_in_a_file_are_replayed(tmp_path):
    one = ("torus 4x4", "moore 2 1", "--engine", "simgrid", "--algorithm", "direct")
    assert methods(*one, "--machine", "laptop")["direct"][0]["engine"] == "simgrid"
    file = tmp_path / "mine.xml"
    xml = """<?xml version='1.0'?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
        <platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="RADICAL" speed="1Gf"
        bw="10GBps" lat="0.3us" loopback_bw="10GBps" loopback_lat="0.3us"/></platform>"""
    file.write_text(xml.replace("RADICAL", "0-3"))
    assert methods(*one, "--platform", str(file), "--per-node", "4")["direct"][0]["time"] > 0
    file.write_text(xml.replace("RADICAL", "a-b"))
    assert "radical 'a-b', expected numbers" in refusal("simulate", *one, "--platform", str(file))


@with_simgrid
def test_the_hosts_collectives_are_simgrids():
    found = methods("alltoall 64", "--platform", "cluster:8x8", "--block", "76", "--engine", "simgrid")
    assert {"MPICH's", "Open MPI's"} <= set(found)


@with_simgrid
def test_congestion_inside_a_torus_makes_long_ways_dear():
    """Hops along the links of the network pay where others share them, and not on a cluster."""
    asked = ("torus 4x4x4", "moore 3 2", "--block", "4000", "--limit", "100")
    network = methods(*asked, "--platform", "torus:4x4x4x1", "--machine", EVEN)
    assert all(costs[0]["engine"] == "simgrid" for costs in network.values())
    cluster = methods(*asked, "--platform", "cluster:64x1", "--machine", EVEN)
    gain = {name: network[name][0]["time"] / cluster[name][0]["time"] for name in network}
    assert gain["direct"] > gain["torus"]


def test_a_missing_program_or_package_is_named(tmp_path, monkeypatch):
    for tool in ("readlink", "dirname"):  # which the command itself needs
        (tmp_path / tool).symlink_to(shutil.which(tool))
    monkeypatch.setenv("PATH", str(tmp_path))
    run = carpool("simulate", "torus 4x4", "moore 2 1", "--platform", "torus:4x4x1")
    assert run.returncode == 0, run.stderr
    assert "libsimgrid-dev" in " ".join(run.stdout.split())
