# SPDX-License-Identifier: MIT
"""What the figures ask of `carpool simulate`, each question once."""

import functools
import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from carpool_cli import machines, options, platforms, programs, simgrid
from carpool_cli.simulation import Simulation

KEPT = Path(__file__).resolve().parent / "out"  # answers, for a run that goes on where one stopped


@dataclass(frozen=True)
class Scene:
    """A machine and its nodes. @param engine: loggp, simgrid, or auto as in the command"""

    platform: str
    machine: machines.Machine
    engine: str = "loggp"
    limit: float = 60

    def costs(self, place, stencil=None, *, sizes=None, blocks=None, op=None, algorithm="auto",
              graph_rules=False, **more):
        """{method: [cost for each size]}, with the costs that cli/README.md lists.
        @param blocks: the size of each block, instead of one for all
        @param more: other options of the command, such as digits="8x8" or theta=8"""
        given = {**DEFAULTS, **more, "platform": self.platform, "algorithm": algorithm,
                 "operation": op, "block": blocks or [sizes[0]]}
        platform = platforms.chosen({**given, "machine": None})
        asked = options.question(place, stencil, **given)
        simulation = Simulation(self.machine, platform, self.engine, self.limit)
        key = json.dumps([asked, asdict(self.machine), self.platform, self.engine, self.limit,
                          sizes, graph_rules, planner_digest(), simgrid.is_here()],
                         sort_keys=True)
        return kept(key, lambda: {
            method["name"]: method["costs"]
            for method in simulation.of(asked, sizes, graph_rules)["methods"]})

    def times(self, *place, **asked):
        """{method: [seconds for each size]}"""
        return {name: [cost["time"] for cost in costs]
                for name, costs in self.costs(*place, **asked).items()}

    def times_by(self, names, *place, **asked):
        """The same for these methods; "3 digits" and "node:6" are those of graphs."""
        found = {}
        for name in names:
            count, _, rule = name.rpartition(" ")
            one = self.times(*place, **asked, algorithm=rule, **({"digits": count} if count else {}))
            (found[name],) = one.values()
        return found


DEFAULTS = {"ranks": None, "ids": None, "theta": 4, "digits": "2", "rearrange": "auto", "in_order": False,
            "segment": None, "per_node": None}


@functools.cache
def planner_digest():
    """Another planner may answer otherwise."""
    return hashlib.sha256(Path(programs.program("carpool-planner")).read_bytes()).hexdigest()


def kept(key, compute):
    """What was answered before, or is now."""
    file = KEPT / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"
    if not file.exists():
        KEPT.mkdir(exist_ok=True)
        file.write_text(json.dumps(compute()), encoding="utf-8")
    return json.loads(file.read_text(encoding="utf-8"))
