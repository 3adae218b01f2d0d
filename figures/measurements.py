# SPDX-License-Identifier: MIT
"""Public measurements of collectives on real machines, see measured/README.md, and what Carpool estimates for them."""

import csv
import json
import math
import statistics
import zlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from carpool_cli import planner

FILE = Path(__file__).parent / "measured" / "measurements.csv"
OTHER_HALF = FILE.with_name("other_half.json")  # written by fit_machines.py
NAMES = {"mare_nostrum": "marenostrum"}  # as --machine calls them
SAME = {"digits": "node-2-digits"}  # of MPI Advance: first within nodes, then between them
AT_ONCE = 400  # problems in a question
CLOSE = 1.05  # times the best


@dataclass(frozen=True)
class Setting:
    """A collective on a machine."""

    machine: str
    nodes: str
    per_node: int
    ranks: int
    collective: str
    total: int  # bytes of the vector, or of all blocks of a rank
    block: int

    def problem(self, algorithm):
        return {"collective": f"{self.collective} {self.ranks}", "block_bytes": [self.block], "commutes": True,
                "segment": None, "ranks_per_core": 1, "per_node": [self.per_node], "rank": None, "digits": "2",
                "algorithm": algorithm}


@dataclass
class Measured:
    """Seconds."""

    by_algorithm: dict = field(default_factory=dict)  # of Carpool's algorithms, the best of their implementations
    default: float = math.inf  # what the MPI there does by itself

    @property
    def best(self):
        return min(self.by_algorithm.values())


def is_possible(row):
    """Whether a network can do it: Fugaku's broadcast of this name takes half of the time that its bytes need."""
    return (row["machine"], row["collective"], row["carpool"]) != ("fugaku", "bcast", "linear")


def applies(algorithm, setting):
    """Some algorithms of Carpool are for few ranks, see src/collectives/conditions.cpp."""
    most = {"reduce-scatter": 256, "node-leaders": (1 << 18) // setting.per_node}
    return setting.ranks <= most.get(algorithm, setting.ranks)


def read():
    """{setting: measured}, where at least one algorithm of Carpool's was measured."""
    found = defaultdict(Measured)
    with FILE.open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            setting = Setting(NAMES.get(row["machine"], row["machine"]), row["nodes"], int(row["ppn"]),
                              int(row["ranks"]), row["collective"], int(row["total_bytes"]), int(row["block_bytes"]))
            seconds = float(row["median_us"]) * 1e-6
            algorithm = SAME.get(row["carpool"], row["carpool"])
            if not algorithm:
                found[setting].default = min(seconds, found[setting].default)
            elif is_possible(row) and applies(algorithm, setting):
                times = found[setting].by_algorithm
                times[algorithm] = min(seconds, times.get(algorithm, math.inf))
    return {setting: measured for setting, measured in found.items() if measured.by_algorithm}


def halves(settings):
    """Two halves of message sizes: what is fitted to one is tried on the other."""
    first = [one for one in settings
             if zlib.crc32(f"{one.machine} {one.collective} {one.block}".encode()) % 2 == 0]
    known = set(first)
    return first, [one for one in settings if one not in known]


def estimates(measured, machines):
    """{setting: {algorithm: [seconds on each machine]}}"""
    asked = [(setting, algorithm) for setting, times in measured.items() for algorithm in times.by_algorithm]
    found = defaultdict(dict)
    for first in range(0, len(asked), AT_ONCE):
        part = asked[first:first + AT_ONCE]
        answer = planner.ask("estimates", problems=[setting.problem(algorithm) for setting, algorithm in part],
                             costs=[machine.costs() for machine in machines])["estimates"]
        for (setting, algorithm), times in zip(part, answer, strict=True):
            found[setting][algorithm] = times[algorithm]
    return found


def chosen(estimated, number=0):
    """The algorithm of least estimate, of one setting."""
    return min(estimated, key=lambda algorithm: estimated[algorithm][number])


@dataclass
class Score:
    """How estimates do."""

    errors: list = field(default_factory=list)  # of each time, relative
    regrets: list = field(default_factory=list)  # of each choice: its time over the best one
    defaults: list = field(default_factory=list)  # pairs: the time of the MPI's choice, and of ours, over the best

    def add(self, times, estimated, number=0):
        self.errors += [abs(estimated[name][number] / seconds - 1) for name, seconds in times.by_algorithm.items()]
        if len(times.by_algorithm) < 2:
            return
        regret = times.by_algorithm[chosen(estimated, number)] / times.best
        self.regrets.append(regret)
        if times.default < math.inf:
            self.defaults.append((times.default / times.best, regret))

    def row(self):
        """Cells of a table."""
        theirs, ours = zip(*self.defaults, strict=True) if self.defaults else ((), ())
        return [f"{statistics.median(self.errors):.0%}", f"{len(self.regrets)}", f"{close(self.regrets):.0%}",
                f"{mean(self.regrets):.2f}", f"{ninth_decile(self.regrets):.2f}", f"{max(self.regrets):.2f}",
                *(f"{mean(of):.2f}" if of else "–" for of in (ours, theirs))]


HEADER = ["median error", "choices", "within 5 %", "regret, mean", "p90", "most", "mean beside a default",
          "the MPI's default"]


def score(measured, estimated, number=0):
    found = Score()
    for setting, times in measured.items():
        found.add(times, estimated[setting], number)
    return found


def other_half():
    """{machine: lists of a score}: of sizes by costs that were not fitted to them."""
    return json.loads(OTHER_HALF.read_text(encoding="utf-8")) if OTHER_HALF.exists() else {}


def together(scores):
    found = Score()
    for one in scores:
        for mine, its in zip(vars(found).values(), vars(one).values(), strict=True):
            mine.extend(its)
    return found


def close(regrets):
    return sum(regret <= CLOSE for regret in regrets) / len(regrets)


def mean(ratios):
    return math.exp(statistics.mean(map(math.log, ratios)))


def ninth_decile(regrets):
    """What nine of ten do not exceed."""
    return sorted(regrets)[math.ceil(0.9 * len(regrets)) - 1]
