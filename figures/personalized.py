# SPDX-License-Identifier: MIT
"""What the figures of paper [5] share: its machine, its strategies, and pictures."""

import math
from dataclasses import replace

from carpool_cli.machines import Machine
from carpool_cli.style import RULES
from simulator import Scene

# The paper's equations: α = 5 µs, half at each end, and β = 3.33 ns/B for each rank. Neither copies nor an
# adapter's messages cost.
FREE = replace(Machine.alike(overhead=2.5e-6, latency=5e-7, gap=0, bandwidth=3e8, node_latency=1e-6,
                             node_bandwidth=1e9, copy_bandwidth=1e12), adapter_bandwidth=1e15)
# Assumed: the ranks of a node share these 300 MB/s, an adapter takes at least as long for a message as for
# 512 B, and copies are as fast as the network.
SHARED = Machine.alike(overhead=2.5e-6, latency=5e-7, gap=512 / 3e8, bandwidth=3e8, node_latency=1e-6,
                       node_bandwidth=1e9, copy_bandwidth=3e8)
MACHINES = {"free": FREE, "shared": SHARED}

# bruck has the messages and bytes of the hypercube where P is a power of 2, and is planned in a second.
ALLTOALL = {"direct": "spread", "mesh": "mesh", "grid": "grid", "hypercube": "bruck"}
COLORS = dict(zip(ALLTOALL, (RULES[0], *RULES[2:5]), strict=True))
BLOCKS = [76, 476]


def scene(machine, per_node=4):
    return Scene(f"cluster:4096x{per_node}", machine)


def alltoall(ranks, machine, sizes, per_node=4):
    """{strategy: [cost for each size]}"""
    return {name: scene(machine, per_node).costs(f"alltoall {ranks}", sizes=sizes,
                                                 algorithm=algorithm)[algorithm]
            for name, algorithm in ALLTOALL.items()}


ALPHA, BETA = 2 * FREE.overhead, 1 / FREE.bandwidth


def milliseconds(seconds):
    return f"{seconds * 1e3:,.3g}"


def rate(bytes_per_second):
    return f"{bytes_per_second / 1e6:,.0f} MB/s"


def crossing(xs, one, other):
    """The largest x to which `other` is less than `one`, between the given ones by powers; 0 if nowhere,
    the last x if everywhere. The times may cross more than once."""
    found = 0
    logs = [math.log(b / a) for a, b in zip(one, other, strict=True)]
    for number, log in enumerate(logs):
        if log >= 0:
            continue
        found = xs[number]
        if number + 1 < len(xs) and logs[number + 1] >= 0:
            share = log / (log - logs[number + 1])
            found *= (xs[number + 1] / xs[number]) ** share
    return found


def panels(drawn, curves, xlabel):
    """Times over x, both by powers. @param curves: {title of a panel: (xs, {strategy: times})}"""
    for axes, (title, (xs, by)) in zip(drawn.subplots(1, len(curves), sharey=True, squeeze=False)[0],
                                       curves.items(), strict=True):
        for name, times in by.items():
            axes.plot(xs, [time * 1e3 for time in times], "o-", ms=3.5, color=COLORS[name], label=name)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xticks(xs, [f"{x:,}" for x in xs], fontsize=8, rotation=45)
        axes.minorticks_off()
        axes.set_title(title, fontsize=10)
        axes.set_xlabel(xlabel)
        axes.spines[["top", "right"]].set_visible(False)
    first = drawn.axes[0]
    first.set_ylabel("ms")
    first.legend(frameon=False)


def over(by, number):
    """The times of each strategy for a size. @param by: {x: {strategy: [cost for each size]}}"""
    return list(by), {name: [found[name][number]["time"] for found in by.values()]
                      for name in next(iter(by.values()))}
