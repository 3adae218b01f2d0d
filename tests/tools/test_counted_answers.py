"""What explain, plan and simulate say of random graphs and grids, counted again here: on the edges, and on the
schedules of all ranks. CARPOOL_RANDOM_CASES questions, from CARPOOL_SEED on."""

import json
import os
import random
import sys
from collections import Counter, namedtuple
from pathlib import Path

import pytest
from click.testing import CliRunner

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "cli"))
os.environ.setdefault("CARPOOL_PLANNER", str(
    Path(os.environ["CARPOOL_COMMAND"]).parents[1] / "libexec/carpool-planner"))

from carpool_cli import app  # noqa: E402

CASES = int(os.environ.get("CARPOOL_RANDOM_CASES", "25"))
SEED = int(os.environ.get("CARPOOL_SEED", "0")) or random.SystemRandom().randrange(1, 2**31)
LEVELS = ("within", "between")

Message = namedtuple("Message", "sender receiver phase blocks bytes")


def run(*arguments):
    done = CliRunner().invoke(app.main, list(map(str, arguments)))
    assert done.exit_code == 0, (arguments, done.output, done.exception)
    return done


def answer(*arguments):
    return json.loads(run(*arguments, "--json").stdout)


def messages_by(rule, asked, folder):
    """All messages that the schedules of a rule have, as their senders know them; and the number of phases."""
    count, _, name = rule.rpartition(" ")
    file = folder / "schedules.jsonl"
    run("plan", *asked, "--algorithm", name, "--digits", count or 2, "--schedules", file)
    schedules = [json.loads(line) for line in file.read_text().splitlines()]
    found = [Message(rank, one["send"]["peer"], one["phase"], len(one["send"]["parts"]),
                     sum(part["bytes"] for part in one["send"]["parts"]))
             for rank, schedule in enumerate(schedules) for one in schedule["rounds"] if one["send"]]
    phases = max((one["phase"] + 1 for schedule in schedules for one in schedule["rounds"]), default=0)
    return found, phases


def busiest(ranks, messages, weight):
    """The most that a rank sends or receives."""
    sent, received = Counter(), Counter()
    for message in messages:
        sent[message.sender] += weight(message)
        received[message.receiver] += weight(message)
    return max(max(sent[rank], received[rank]) for rank in range(ranks))


def of_messages(_):
    return 1


def of_bytes(message):
    return message.bytes


def nodes_of(ranks, sizes):
    """The node of each rank; one size is that of all nodes."""
    sizes = sizes * ranks if len(sizes) == 1 else sizes
    return [node for node, size in enumerate(sizes) for _ in range(size)][:ranks]


def by_level(messages, node):
    return [[one for one in messages if (node[one.sender] != node[one.receiver]) == far] for far in (False, True)]


def check_levels(said, ranks, messages, node):
    for name, some in zip(LEVELS, by_level(messages, node), strict=True):
        assert said[name] == {"messages": busiest(ranks, some, of_messages), "bytes": busiest(ranks, some, of_bytes),
                              "all_messages": len(some), "all_bytes": sum(map(of_bytes, some))}


def check_estimate(rule, found, ranks, messages, node):
    """The estimate has what it says it counts, and no rank's messages cost more."""
    near, far = by_level(messages, node)
    charged = rule["nodes"]["charged"]
    for key, weight in (("messages", of_messages), ("bytes", of_bytes)):
        assert charged["between"][key] == busiest(ranks, far, weight)
        assert charged["within"][key] == busiest(ranks, messages, weight) - charged["between"][key]
    costs = {"within": found["nodes"], "between": found}
    linear = sum(charged[level]["messages"] * costs[level]["alpha"] + charged[level]["bytes"] * costs[level]["beta"]
                 for level in LEVELS)
    between = rule["nodes"]["phases_between"]
    waits = ((found if far else found["nodes"])["sigma"] * between
             + found["nodes"]["sigma"] * (rule["phases"] - between))
    assert rule["estimate"] == pytest.approx(linear + waits)
    dearest = busiest(ranks, messages, lambda one: sum(
        value * costs[LEVELS[node[one.sender] != node[one.receiver]]][name]
        for name, value in (("alpha", 1), ("beta", one.bytes))))
    assert dearest <= linear * (1 + 1e-9)


def random_sizes(draw, ranks):
    if draw.random() < 0.5:
        return [draw.randrange(1, ranks + 2)]
    sizes = []
    while sum(sizes) < ranks:
        sizes.append(draw.randrange(1, ranks - sum(sizes) + 1))
    return sizes


def random_edges(draw, ranks):
    density = draw.choice([0.1, 0.3, 0.9])
    edges = [(a, b) for a in range(ranks) for b in range(ranks) if a != b and draw.random() < density]
    draw.shuffle(edges)
    return edges


def check_graph(draw, folder):
    ranks = draw.randrange(2, 14)
    edges = random_edges(draw, ranks)
    file = folder / "edges.txt"
    file.write_text("".join(f"{a} {b}\n" for a, b in edges))
    block, operation = draw.choice([1, 8, 64, 5000]), draw.choice(["alltoall", "allgather", "reduce"])
    nodes = random_sizes(draw, ranks) if draw.random() < 0.7 else None
    asked = (file, "--ranks", ranks, "--op", operation, "--block", block,
             *(("--per-node", ",".join(map(str, nodes))) if nodes else ()))
    found = answer("explain", *asked)
    assert (found["ranks"], found["edges"]) == (ranks, len(edges))
    for side, end in (("out", 0), ("in", 1)):
        degrees = [sum(edge[end] == rank for edge in edges) for rank in range(ranks)]
        assert found["degrees"][side] == {"least": min(degrees), "mean": pytest.approx(len(edges) / ranks),
                                          "most": max(degrees)}
    node = nodes_of(ranks, nodes or [ranks])
    if nodes:
        assert found["nodes"]["count"] == len(set(node))
        crossing = sum(node[a] != node[b] for a, b in edges)
        assert found["nodes"]["bytes_along_edges"] == crossing * block
        assert found["nodes"]["bytes_along_edges_reordered"] <= crossing * block
    for rule in found["rules"]:
        messages, phases = messages_by(rule["name"], asked, folder)
        check_rule(rule, found, block, messages, phases)
        if nodes:
            check_levels(rule["nodes"], ranks, messages, node)
            check_estimate(rule, found, ranks, messages, node)
    direct, _ = messages_by("direct", asked, folder)
    assert sorted((one.sender, one.receiver) for one in direct) == sorted(edges)
    check_simulation(draw, asked[:7], ranks, found["rules"][0]["name"], folder)


def check_rule(rule, found, block, messages, phases):
    ranks = found["ranks"]
    blocks = busiest(ranks, messages, lambda one: one.blocks)
    assert rule["messages"] == busiest(ranks, messages, of_messages)
    assert rule["mean_messages"] == pytest.approx(len(messages) / ranks)
    assert rule["mean_blocks"] == pytest.approx(sum(one.blocks for one in messages) / ranks)
    assert (rule["phases"], rule["blocks"], rule["bytes"]) == (max(phases, rule["phases"]), blocks, blocks * block)
    if "nodes" not in rule:
        assert rule["estimate"] == pytest.approx(
            rule["messages"] * found["alpha"] + rule["bytes"] * found["beta"] + rule["phases"] * found["sigma"])


def check_simulation(draw, asked, ranks, rule, folder):
    """What passes within nodes and between them, and through the busiest adapter."""
    size = draw.randrange(1, ranks + 1)
    platform = f"cluster:{-(-ranks // size)}x{size}"
    (method,) = answer("simulate", *asked, "--platform", platform, "--algorithm", rule, "--engine", "loggp")["methods"]
    (cost,) = method["costs"]
    messages, _ = messages_by(rule, (*asked, "--platform", platform), folder)
    node = nodes_of(ranks, [size])
    for name, some in zip(LEVELS, by_level(messages, node), strict=True):
        assert cost[name] == {"messages": len(some), "bytes": sum(map(of_bytes, some))}
    passing = [one._replace(sender=node[one.sender], receiver=node[one.receiver])
               for one in by_level(messages, node)[1]]
    assert cost["adapter"]["bytes"] == busiest(ranks, passing, of_bytes)


def check_grid(draw, folder):
    sizes = [draw.randrange(3, 6) for _ in range(draw.choice([1, 2]))]
    kind, dims = draw.choice(["torus", "mesh"]), "x".join(map(str, sizes))
    ranks = sizes[0] * (sizes[1] if len(sizes) > 1 else 1)
    nodes = random_sizes(draw, ranks)
    asked = (f"{kind} {dims}", f"{draw.choice(['moore', 'von_neumann'])} {len(sizes)} 1", "--block", draw.choice([1, 64]),
             "--per-node", ",".join(map(str, nodes)), "--rank", draw.randrange(ranks))
    found = answer("explain", *asked)
    assert found["ranks"] == ranks
    node = nodes_of(ranks, nodes)
    assert found["nodes"]["count"] == len(set(node))
    for rule in found["rules"]:
        messages, _ = messages_by(rule["name"], asked, folder)
        check_levels(rule["nodes"], ranks, messages, node)
        for place in ("at_rank", "at_corner"):
            own = [one for one in messages if one.sender == rule[place]["rank"]]
            assert rule[place] == {"rank": rule[place]["rank"], "messages": len(own), "bytes": sum(map(of_bytes, own))}
        if kind == "torus":
            sent = Counter()
            for one in messages:
                sent[one.sender] += one.blocks
            assert set(sent.values()) == {rule["volume"]}
            assert len(messages) == ranks * rule["rounds"]
            check_estimate({**rule, "phases": rule["least_phases"]}, found, ranks, messages, node)
    crossing = sum(node[one.sender] != node[one.receiver] for one in messages_by("direct", asked, folder)[0])
    assert found["nodes"]["bytes_along_edges"] == crossing * found["block_bytes"][0]


@pytest.mark.parametrize("check", [check_graph, check_grid])
def test_every_number_is_that_of_the_schedules(check, tmp_path):
    for seed in range(SEED, SEED + CASES):
        try:
            check(random.Random(seed), tmp_path)
        except BaseException:
            print(f"CARPOOL_SEED={seed}", file=sys.stderr)
            raise
