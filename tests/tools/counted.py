# SPDX-License-Identifier: MIT
"""What the schedules of all ranks have, counted from what `carpool plan --schedules` writes; and what a table says."""

import json
import re
from collections import Counter, namedtuple

import pytest

from in_process import run

LEVELS = ("within", "between")

Message = namedtuple("Message", "sender receiver phase blocks bytes")


def messages_by(rule, asked, folder):
    """All messages that the schedules of a rule have, as their senders know them; and the number of phases."""
    count, _, name = rule.rpartition(" ")
    file = folder / "schedules.jsonl"
    run("plan", *asked, "--algorithm", name, "--digits", count or 2, "--schedules", file)
    schedules = [json.loads(line) for line in file.read_text().splitlines()]
    found = [Message(rank, one["send"]["peer"], one["phase"], len(one["send"]["parts"]),
                     sum(part["bytes"] for part in one["send"]["parts"]))
             for rank, schedule in enumerate(schedules) for one in schedule["rounds"] if one["send"]]
    check_received(found, schedules)
    phases = max((one["phase"] + 1 for schedule in schedules for one in schedule["rounds"]), default=0)
    return found, phases


def check_received(messages, schedules):
    """Receivers expect the same messages."""
    received = Counter((one["receive"]["peer"], rank, sum(part["bytes"] for part in one["receive"]["parts"]))
                       for rank, schedule in enumerate(schedules) for one in schedule["rounds"] if one["receive"])
    assert received == Counter((one.sender, one.receiver, one.bytes) for one in messages)


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


def of_blocks(message):
    return message.blocks


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


def estimate_on_nodes(rule, found, phases):
    """What the counts that an estimate is said to have cost."""
    charged, between = rule["nodes"]["charged"], rule["nodes"]["phases_between"]
    linear = sum(charged[level]["messages"] * costs["alpha"] + charged[level]["bytes"] * costs["beta"]
                 for level, costs in costs_of(found).items())
    waits = ((found if charged["between"]["messages"] else found["nodes"])["sigma"] * between
             + found["nodes"]["sigma"] * (phases - between))
    return linear, waits


def costs_of(found):
    return {"within": found["nodes"], "between": found}


def check_busiest_is_charged(rule, found, ranks, messages, node):
    """The estimate has what it says it counts, and no rank's messages cost more."""
    far = by_level(messages, node)[1]
    charged = rule["nodes"]["charged"]
    for key, weight in (("messages", of_messages), ("bytes", of_bytes)):
        assert charged["between"][key] == busiest(ranks, far, weight)
        assert charged["within"][key] == busiest(ranks, messages, weight) - charged["between"][key]
    costs = costs_of(found)
    dearest = busiest(ranks, messages, lambda one: sum(
        value * costs[LEVELS[node[one.sender] != node[one.receiver]]][name]
        for name, value in (("alpha", 1), ("beta", one.bytes))))
    assert dearest <= estimate_on_nodes(rule, found, 0)[0] * (1 + 1e-9)


def check_simulation(draw, asked, ranks, rule, folder):
    """What passes within nodes and between them, through the busiest adapter, and what a processor does for it."""
    size, overhead = draw.randrange(1, ranks + 1), draw.choice([1e-6, 3e-7])
    on = ("--platform", f"cluster:{-(-ranks // size)}x{size}")
    machine = folder / "machine.json"
    machine.write_text(json.dumps({"send_overhead": overhead, "receive_overhead": overhead, "latency": 1e-6,
                                   "bandwidth": 1e9, "adapter_bandwidth": 1e9, "node_overhead": overhead,
                                   "node_latency": 0, "node_bandwidth": 1e30, "copy_bandwidth": 1e30,
                                   "sum_bandwidth": 1e30}))
    (method,) = json.loads(run("simulate", *asked, *on, "--machine", machine, "--algorithm", rule, "--engine", "loggp",
                               "--json").stdout)["methods"]
    (cost,) = method["costs"]
    messages, _ = messages_by(rule, (*asked, *on), folder)
    node = nodes_of(ranks, [size])
    for name, some in zip(LEVELS, by_level(messages, node), strict=True):
        assert cost[name] == {"messages": len(some), "bytes": sum(map(of_bytes, some))}
    passing = [one._replace(sender=node[one.sender], receiver=node[one.receiver])
               for one in by_level(messages, node)[1]]
    assert cost["adapter"]["bytes"] == busiest(ranks, passing, of_bytes)
    assert cost["adapter"]["messages"] <= busiest(ranks, passing, of_messages)
    handled = Counter(rank for one in messages for rank in (one.sender, one.receiver))
    assert cost["busy"] == pytest.approx(overhead * max(handled.values(), default=0))
    assert cost["busy"] <= cost["time"] * (1 + 1e-9)


def random_sizes(draw, ranks):
    """Of nodes: one that all have, or one for each."""
    if draw.random() < 0.5:
        return [draw.randrange(1, ranks + 2)]
    sizes = []
    while sum(sizes) < ranks:
        sizes.append(draw.randrange(1, ranks - sum(sizes) + 1))
    return sizes


UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "s": 1, "ms": 1e-3, "µs": 1e-6}


def value(cell):
    """The number that a cell of a table shows."""
    number, _, unit = cell.partition(" ")
    return float(number.replace(",", "")) * (UNITS[unit] if unit else 1)


def rows(text, first):
    """The cells of the rows of the first table that begins with that column, by the first of them."""
    lines = text.splitlines()
    begin = next(number for number, line in enumerate(lines) if line.split()[:1] == [first])
    found = {}
    for line in lines[begin + 2:]:
        if not line.strip():
            return found
        name, *cells = re.split(r" {2,}", line.strip().removesuffix("◀").strip())
        found[name] = cells
    return found


def check_row(cells, numbers):
    """A row shows these numbers, rounded to three digits."""
    assert len(cells) == len(numbers), (cells, numbers)
    for cell, number in zip(cells, numbers, strict=True):
        assert value(cell) == pytest.approx(number, rel=6e-3, abs=1e-12), (cells, numbers)
