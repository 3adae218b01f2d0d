# SPDX-License-Identifier: MIT
"""What the figures of paper [3] share: its machine, its graphs, and what is asked about them."""

import json
from dataclasses import asdict

from carpool_cli import graph_answers, options, planner, platforms
from carpool_cli.machines import Machine
from carpool_cli.simulation import Simulation
from simulator import DEFAULTS, Scene, kept

PER_NODE = 8  # two quad-core processors
PLATFORM = f"cluster:1024x{PER_NODE}"
# Assumed: InfiniBand QDR, 1.5 µs for a short message; an adapter passes 10 million messages a second.
QDR = Machine.alike(overhead=5e-7, latency=5e-7, gap=1e-7, bandwidth=3.2e9,
                    node_latency=3e-7, node_bandwidth=5e9, copy_bandwidth=5e9)
DEAR = QDR.with_overhead(2e-6)
THETA = 4  # as in the paper, and in DEFAULTS
OP = "allgather"

GRIDS = {2: "torus 128x64", 3: "torus 32x16x16"}  # 8,192 ranks, as MPI_Dims_create divides them


def random_graph(density, machine, sizes, rule, seed=1):
    return Scene(PLATFORM, machine).costs(f"random 4096 density {density} seed {seed}", sizes=sizes, op=OP,
                                          algorithm=rule, theta=THETA)[rule]


def moore(d, r, machine, sizes, rule):
    """A Moore neighborhood, by a rule for graphs, which knows nothing of the torus."""
    asked = asked_of_moore(d, r, sizes, rule)
    key = json.dumps([asked, asdict(machine), sizes], sort_keys=True)
    simulation = Simulation(machine, platforms.platform(PLATFORM), "loggp", 60)
    return kept(key, lambda: simulation.of(asked, sizes)["methods"][0]["costs"])


def asked_of_moore(d, r, sizes, rule):
    given = {**DEFAULTS, "platform": PLATFORM, "machine": None, "algorithm": rule, "operation": OP,
             "block": [sizes[0]]}
    return graph_answers.as_graph(options.question(GRIDS[d], f"moore {d} {r}", **given))


def planning(density):
    """What ranks send until all know their part of the plan by friends."""
    given = {**DEFAULTS, "algorithm": "friends", "operation": OP, "block": [4]}
    asked = options.question(f"random 4096 density {density} seed 1", None, **given)
    return kept(f"planning {json.dumps(asked, sort_keys=True)}",
                lambda: planner.ask("explain", **asked)["rules"][0]["planning"])


def sent(cost, ranks):
    """Messages of a rank, on average."""
    return (cost["within"]["messages"] + cost["between"]["messages"]) / ranks
