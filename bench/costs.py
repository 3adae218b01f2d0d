#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a report costs: starts with and without one.

    CARPOOL_BUILD=build/mpich-release CARPOOL_MPI=mpich bench/costs.py [--realtime]
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
MOST = 1  # percent


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
            for event in programs.events(launch, "starts", ranks, [batches, *cases], 180)
            if event["event"] == "steady"}


def rows_of(options, launch, console):
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


HEAD = ["ranks", "start of", "ns without", "ns more with a report", "%",
               "spread without, %"]


def wanted(options, cases):
    return [(ranks, some) for ranks, some in cases.items()
            if not options.ranks or ranks in options.ranks]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=7, help="of each program")
    parser.add_argument("--ranks", type=int, nargs="+", help="only these rank counts")
    parser.add_argument("--realtime", action="store_true", help="before all other processes (root)")
    options = parser.parse_args()
    rows = list(rows_of(options, programs.launcher(options.realtime), Console(stderr=True)))
    print("\n".join(markdown(HEAD, rows)))
    above = [row for row in rows if float(row[4]) > MOST]
    print(f"\n{os.environ.get('CARPOOL_MPI', 'mpich')}: {len(above)} of {len(rows)} above {MOST} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
