#!/usr/bin/env python3
"""What measuring at work costs: a report, by starts with and without; or the exploring starts of a
request, against a thousand starts of the way that it finds.

    CARPOOL_BUILD=build/mpich-release CARPOOL_MPI=mpich bench/costs.py report [--realtime]
    CARPOOL_BUILD=build/mpich-release CARPOOL_MPI=mpich bench/costs.py exploring
"""

import argparse
import os
import statistics
import sys
import tempfile
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import track

import programs
from cell_tables import markdown

REPORTED = {1: ("collectives/allreduce/8", "collectives/bcast/8"),
            2: ("collectives/barrier/0", "collectives/allreduce/8", "collectives/bcast/8",
                "graphs/random:1/alltoall/64", "neighborhoods/grid-d2-n3/alltoall/40"),
            8: ("collectives/allreduce/8", "neighborhoods/grid-d3-n3/alltoall/40")}
EXPLORED = {2: ("collectives/alltoall/8", "graphs/random:1/alltoall/64",
                "neighborhoods/grid-d3-n3/alltoall/40"),
            8: ("collectives/bcast/8", "collectives/allgather/512", "collectives/alltoall/4096",
                "graphs/random:0.3/allgather/64", "graphs/random:0.6/alltoall/64",
                "neighborhoods/grid-d2-n3/alltoall/40", "neighborhoods/grid-d3-n3/alltoall/40",
                "neighborhoods/grid-d3-n5/alltoall/400", "all-to-all/all/76", "lists/4/1000")}
MOST_REPORT, MOST_EXPLORING = 1, 3  # percent


@contextmanager
def report_to(file):
    """CARPOOL_REPORT for the programs that are started meanwhile; none without a file."""
    os.environ["CARPOOL_REPORT"] = str(file or "")
    try:
        yield
    finally:
        del os.environ["CARPOOL_REPORT"]


def steady(launch, ranks, cases, batches):
    """Of each case the seconds of a start in the fastest batch: what disturbs only adds."""
    return {event["case"]: min(event["seconds"])
            for event in programs.events(launch, "starts", ranks, ["steady", batches, *cases], 180)
            if event["event"] == "steady"}


def report_rows(options, launch, console):
    """Off and on by turns, a program each; the first of each pair by turns too."""
    with tempfile.TemporaryDirectory() as folder:
        for ranks, cases in wanted(options, REPORTED):
            seconds = {False: defaultdict(list), True: defaultdict(list)}
            for turn in track(range(options.runs), f"{ranks} ranks", console=console, transient=True):
                for on in (turn % 2 == 0, turn % 2 == 1):
                    with report_to(Path(folder) / "report.json" if on else None):
                        for case, least in steady(launch, ranks, cases, "20").items():
                            seconds[on][case].append(least)
            for case in cases:
                off, on = (seconds[which][case] for which in (False, True))
                more = statistics.median(on) - statistics.median(off)
                share = 100 * more / statistics.median(off)
                yield [str(ranks), case, f"{1e9 * statistics.median(off):.0f}", f"{1e9 * more:.1f}",
                       f"{share:.1f}", f"{100 * (max(off) - min(off)) / min(off):.1f}"]


REPORT_HEAD = ["ranks", "start of", "ns without", "ns more with a report", "%",
               "spread without, %"]


def share(first):
    """Percent of a thousand later starts that the first ones took more."""
    return 100 * first["more"] / (1000 * first["steady"])


def exploring_rows(options, launch, console):
    for ranks, cases in wanted(options, EXPLORED):
        found = defaultdict(list)
        arguments = ["exploring", str(options.runs), *cases]
        for event in track(programs.events(launch, "starts", ranks, arguments, 180),
                           f"{ranks} ranks", options.runs * len(cases), console=console,
                           transient=True):
            found[event["case"]].append(event)
        for case, events in found.items():
            tried, untried = ([share(event[which]) for event in events]
                              for which in ("tried", "untried"))
            steady_us = 1e6 * statistics.median(event["tried"]["steady"] for event in events)
            yield [str(ranks), case, events[-1]["tried"]["algorithm"], f"{steady_us:.1f}",
                   f"{statistics.median(tried):.1f}", f"{min(tried):.1f}–{max(tried):.1f}",
                   f"{statistics.median(untried):.1f}",
                   f"{statistics.median(tried) - statistics.median(untried):.1f}"]


EXPLORING_HEAD = ["ranks", "start of", "found", "us", "first 100 more, % of 1000", "requests",
                  "the same without a trial", "exploring, %"]


def wanted(options, cases):
    return [(ranks, some) for ranks, some in cases.items()
            if not options.ranks or ranks in options.ranks]


WHAT = {"report": (report_rows, REPORT_HEAD, 4, MOST_REPORT),
        "exploring": (exploring_rows, EXPLORING_HEAD, 7, MOST_EXPLORING)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("--runs", type=int, default=7, help="of each program, or requests of a kind")
    parser.add_argument("--ranks", type=int, nargs="+", help="only these rank counts")
    parser.add_argument("--realtime", action="store_true", help="before all other processes (root)")
    options = parser.parse_args()
    rows_of, head, place, most = WHAT[options.what]
    rows = list(rows_of(options, programs.launcher(options.realtime), Console(stderr=True)))
    print("\n".join(markdown(head, rows)))
    above = [row for row in rows if float(row[place]) > most]
    print(f"\n{os.environ.get('CARPOOL_MPI', 'mpich')}: {len(above)} of {len(rows)} above {most} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
