# SPDX-License-Identifier: MIT
"""What runs of the program found about cells: of each the median of its gains, and their spread."""

import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass, field

LEAST = 0.97  # a gain below this counts as slower
FAR_BELOW = 0.75  # cells with less are listed on the page
FORMS = ("requests", "calls")
KINDS = ("neighborhoods", "graphs", "collectives", "all-to-all", "lists", "exchanges")


@dataclass
class Cell:
    """One form of one case on so many ranks of so many hosts: the best of the host's time over ours,
    the median of each run of the program."""
    mpi: str
    form: str
    case: str
    ranks: int
    hosts: int
    gains: list = field(default_factory=list)
    bests: list = field(default_factory=list)
    algorithms: list = field(default_factory=list)

    @property
    def kind(self):
        return self.case.split("/")[0]

    @property
    def gain(self):
        return statistics.median(self.gains)

    @property
    def spread(self):
        return min(self.gains), max(self.gains)

    @property
    def where(self):
        return f"{self.ranks} ranks" + (f", {self.hosts} hosts" if self.hosts > 1 else "")

    @property
    def is_below(self):
        return self.gain < LEAST

    @property
    def is_clearly_below(self):
        """In every run."""
        return max(self.gains) < LEAST


def most_frequent(values):
    return Counter(values).most_common(1)[0][0]


def cells(runs):
    """Of results of runs, the least gain first."""
    found = {}
    for run in runs:
        for event in run.get("cells", []):
            for form in FORMS:
                if not event[form]:
                    continue
                key = (run["mpi"], form, event["case"], event["ranks"], event["hosts"])
                cell = found.setdefault(key, Cell(*key))
                cell.gains.append(event[form]["median"])
                cell.bests.append(event[form]["best"])
                cell.algorithms.append(event["algorithm"] if form == "requests" else None)
    return sorted(found.values(), key=lambda cell: cell.gain)


def groups(some):
    """Cells by kind and form, in the order of KINDS, then all of a form."""
    by = defaultdict(list)
    for cell in some:
        by[cell.kind, cell.form].append(cell)
        by["all", cell.form].append(cell)
    return {key: by[key] for kind in (*KINDS, "all") for form in FORMS
            if (key := (kind, form)) in by}


def described(some):
    """Cells, geometric mean, least, below LEAST and in how many of these every run was."""
    below = [cell for cell in some if cell.is_below]
    clearly = sum(cell.is_clearly_below for cell in below)
    return [str(len(some)), f"{statistics.geometric_mean([cell.gain for cell in some]):.2f}",
            f"{min(cell.gain for cell in some):.2f}",
            f"{len(below)} ({clearly})" if below else "0"]


HEAD = ["cells", "geometric mean", "least", f"below {LEAST} (in every run)"]


def row(cell):
    """As HEAD_BELOW says."""
    low, high = cell.spread
    return [cell.form, cell.case, cell.where, f"{cell.gain:.2f}", f"{low:.2f}–{high:.2f}", most_frequent(cell.bests),
            most_frequent(cell.algorithms) or ""]


HEAD_BELOW = ["form", "cell", "where", "median", "runs", "host's best", "done by"]
