# SPDX-License-Identifier: MIT
"""The tables that stand at the end of a bench run."""

import statistics

from rich import box
from rich.table import Table

from results import HAND, HOST, best, contender, gain, median_seconds, wrong

FORMS = {
    "host persistent": "host\npersist.",
    "hand-written": "hand-\nwritten",
    "hand-written nonblocking": "hand,\nIsend",
    "hand-written in turn": "hand,\nSendr.",
    "carpool direct": "direct",
    "carpool torus": "torus",
    "carpool cartesian": "cartes.",
    "carpool blocking": "block-\ning",
    "carpool blocking, all checked": "all\nchecked",
    "carpool basis": "basis",
    "carpool auto": "auto",
}

# What auto should gain over the host's blocking form on 8 ranks.
EXPECTED = {("mpich", "grid-d3-n3/alltoall/40"): 3, ("mpich", "grid-d3-n5/alltoall/40"): 9,
            ("openmpi", "grid-d3-n5/alltoall/40"): 2}


def short(value):
    """Three digits, at most: 0.79, 3.73, 11.5, 1360."""
    if value is None:
        return "–"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def table_of(title):
    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))


def median(quartiles):
    return short(quartiles and quartiles["median"])


def spread(quartiles):
    if quartiles is None:
        return ""
    return f"{short(quartiles['first'])}–{short(quartiles['third'])}"


def milliseconds(seconds):
    return "–" if seconds is None else f"{1e3 * seconds:.3g}"


def rounds(case):
    return str(contender(case, "carpool cartesian").get("plan", {}).get("rounds", "–"))


def chosen(case):
    return contender(case, "carpool auto").get("plan", {}).get("algorithm", "–")


def gain_row(case):
    return [case["case"], str(case["t"]), rounds(case),
            milliseconds(median_seconds(case, "host blocking")),
            *(median(gain(case, name)) for name in FORMS), spread(gain(case, "carpool auto")),
            chosen(case), median(gain(case, "carpool auto", best(case, HOST))),
            median(gain(case, "carpool auto", best(case, HAND)))]


def gains(result, ranks, operation):
    """Host's blocking time over each contender's: above 1 the contender is faster."""
    table = table_of(f"{operation}, {result['mpi']}, {ranks} ranks: gain over the host's blocking")
    table.add_column("case", no_wrap=True)
    for name in ("t", "C", "host\nms", *FORMS.values(), "auto's\nquartiles", "auto\nuses",
                 "auto /\nbest\nhost", "auto /\nhand-\nwritten"):
        table.add_column(name, justify="right", no_wrap=True)
    for case in result["cases"]:
        if (case["ranks"], case["operation"]) == (ranks, operation):
            table.add_row(*gain_row(case))
    return table


def floor_row(case):
    floor, plan = case["floor"], contender(case, "carpool cartesian")["plan"]
    above = floor["cartesian_over_floor"]
    return [case["case"], str(case["ranks"]), str(plan["messages"]), str(plan["bytes"]),
            f"{1e6 * floor['alpha']:.3g}", f"{1e9 * floor['beta']:.3g}",
            milliseconds(floor["seconds"]["median"]),
            milliseconds(median_seconds(case, "carpool cartesian")), median(above), spread(above)]


def floors(result):
    """How far cartesian stays above C·α + V·m·β, measured with the same messages side by side."""
    table = table_of(f"floor of cartesian, {result['mpi']}")
    table.add_column("case", no_wrap=True)
    for name in ("ranks", "messages", "bytes", "α µs", "β ns/B", "floor ms", "cartesian ms",
                 "cartesian\nover floor", "quartiles"):
        table.add_column(name, justify="right")
    for case in result["cases"]:
        if case["floor"]:
            table.add_row(*floor_row(case))
    return table


def plans(result):
    """Planning: wall time of the slowest rank, processor time of the one that waited least."""
    table = table_of(f"planning, {result['mpi']}")
    for name in ("pattern", "ranks", "t", "step"):
        table.add_column(name)
    for name in ("wall ms", "quartiles", "cpu ms"):
        table.add_column(name, justify="right")
    for plan in result["planning"]:
        for step in plan["steps"]:
            wall = {key: 1e3 * value for key, value in step["wall"].items()}
            table.add_row(plan["case"], str(plan["ranks"]), str(plan["t"]), step["name"],
                          median(wall), spread(wall), milliseconds(step["cpu"]["median"]))
    return table


def median_of_ratios(ours, others):
    """Of times by turn: the median of the ratios within turns, None if no turn has both."""
    ratios = [ours[turn] / others[turn] for turn in ours.keys() & others.keys()]
    return statistics.median(ratios) if ratios else None


def mean_gain(cases, over):
    found = [gain(c, "carpool auto", best(c, over)) for c in cases]
    gains = [g["median"] for g in found if g]
    return short(statistics.geometric_mean(gains) if gains else None)


def summary(result):
    table = table_of(f"geometric means of auto's gain, {result['mpi']}")
    for name in ("operation", "ranks", "cases", "over host\nblocking", "over best\nhost form",
                 "over hand-\nwritten"):
        table.add_column(name, justify="right")
    kinds = dict.fromkeys((c["operation"], c["ranks"]) for c in result["cases"])
    for kind in kinds:
        cases = [c for c in result["cases"] if (c["operation"], c["ranks"]) == kind]
        table.add_row(kind[0], str(kind[1]), str(len(cases)), mean_gain(cases, HOST[:1]),
                      mean_gain(cases, HOST), mean_gain(cases, HAND))
    return table


def expectations(result):
    """One line for each figure that issue 2 expects."""
    for case in result["cases"]:
        least = EXPECTED.get((result["mpi"], case["case"]))
        found = gain(case, "carpool auto")
        if least and found and case["ranks"] == 8:
            verdict = "as expected" if found["median"] >= least else "[bold]short of it[/]"
            yield f"{case['case']}: auto {median(found)}×, expected {least}×: {verdict}"


def show(result, console):
    for ranks, operation in dict.fromkeys((c["ranks"], c["operation"]) for c in result["cases"]):
        console.print(gains(result, ranks, operation))
    for table in (floors(result), plans(result), summary(result)):
        console.print(table)
    for line in expectations(result):
        console.print(line)
    for case, who, what in wrong(result):
        console.print(f"[red]{case}: {who}: {what}[/]")
