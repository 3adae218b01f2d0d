#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the benches of one MPI, shows tables, and writes JSON and a page with plots to bench/out.

    CARPOOL_BUILD=build/mpich CARPOOL_MPI=mpich bench/run.py [--full] [--ranks 8 16] [--only d3-n5]
"""

import argparse
import os
import re
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import (BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn,
                           TimeRemainingColumn)

import cases
import cell_tables
import cg_tables
import collective_tables
import origin
import page
import programs
import results
import subarray_tables
import tables


WHAT = ("neighborhoods", "planning", "collectives", "subarrays", "cg")
ASKED_FOR = ("persistence", "cells")
HOSTS = (1, 4)


@dataclass
class Bench:
    """A program, its options, and its cases per rank count."""
    program: str
    arguments: list
    chosen: dict
    hosts: int = 1
    run: int = 0  # of several


def options_from(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="some of all cases (the default)")
    parser.add_argument("--full", action="store_true", help="all cases, hours")
    parser.add_argument("--what", nargs="+", choices=WHAT + ASKED_FOR, default=WHAT,
                        help="only these benches; persistence and cells run only if named")
    parser.add_argument("--runs", type=int, default=5, help="of the program, for cells")
    parser.add_argument("--hosts", type=int, choices=HOSTS,
                        help="on one node, or on 4 hosts that this machine emulates [cells on both, all else on one node]")
    parser.add_argument("--ranks", type=int, nargs="+", help="only these rank counts")
    parser.add_argument("--only", default="", help="only cases in which this pattern is found")
    parser.add_argument("--budget", type=float, help="seconds of timing per case")
    parser.add_argument("--seed", type=int, default=1, help="of the order of contenders")
    parser.add_argument("--realtime", action="store_true",
                        help="before all other processes, for a busy machine (needs root)")
    parser.add_argument("--out", type=Path, metavar="JSON", help="instead of a file in bench/out")
    parser.add_argument("--page", nargs="+", metavar="JSON", help="only make the page from these")
    return parser.parse_args(arguments)


def selected(options, chosen):
    """Of cases per rank count those that are wanted."""
    return {ranks: [name for name in names if re.search(options.only, name)]
            for ranks, names in chosen.items() if not options.ranks or ranks in options.ranks}


def neighborhoods(options):
    budget = options.budget or (3 if options.full else 1.2)
    chosen = cases.full() if options.full else cases.quick()
    return Bench("neighborhoods", [str(budget), str(options.seed)], selected(options, chosen),
                 options.hosts or 1)


def planning(options):
    wanted = [name for name in cases.PLANNING if re.search(options.only, name)]
    return Bench("planning", [], {8: wanted})


def of_collectives(options, chosen):
    budget = options.budget or (1 if options.full else 0.25)
    arguments = ["--json", "--budget", str(budget), "--seed", str(options.seed)]
    return Bench("collectives", arguments, selected(options, chosen))


def collectives(options):
    return of_collectives(options, cases.full_collectives() if options.full
                          else cases.quick_collectives())


def persistence(options):
    return of_collectives(options, cases.persistence())


def subarrays(options):
    budget = options.budget or (1 if options.full else 0.3)
    chosen = cases.full_subarrays() if options.full else cases.quick_subarrays()
    return Bench("subarrays", [str(budget), str(options.seed)], selected(options, chosen))


def cg(options):
    budget = options.budget or (1 if options.full else 0.3)
    chosen = cases.full_cg() if options.full else cases.quick_cg()
    return Bench("cg", [str(budget), str(options.seed)], selected(options, chosen))


def cells(options):
    """All kinds of cells, in each run of the program by another order of contenders."""
    budget = options.budget or 0.15
    launch = programs.launcher(options.realtime)
    wanted = [options.hosts] if options.hosts else HOSTS
    hosts = [count for count in wanted if count == 1 or programs.can_have_hosts(launch, count)]
    return [Bench("cells", [str(budget), str(options.seed + run)],
                  selected(options, cases.cells_by_ranks(count)), count, run)
            for run in range(options.runs) for count in hosts]


def benches(options):
    """Everything that is wanted."""
    every = {"neighborhoods": neighborhoods, "planning": planning, "collectives": collectives,
             "persistence": persistence, "subarrays": subarrays, "cg": cg}
    some = [every[name](options) for name in options.what if name in every]
    return some + (cells(options) if "cells" in options.what else [])


def progress_bar(console):
    return Progress(TextColumn("{task.description:<38}"), BarColumn(), MofNCompleteColumn(),
                    TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(), console=console)


def events_of(bench, launch):
    """(ranks, event) of a bench; cells say where they were, and in which run."""
    for ranks, names in bench.chosen.items():
        for event in programs.case_events(launch, bench.program, ranks, names, bench.arguments,
                                          hosts=bench.hosts):
            if event["event"] == "cell":
                event |= {"hosts": bench.hosts, "run": bench.run}
            yield ranks, event


def count(wanted):
    return sum(len(names) for bench in wanted for names in bench.chosen.values())


def measure(options, mpi, console):
    asked = {name: vars(options)[name] for name in ("full", "runs", "budget", "seed", "realtime")}
    result = results.new(origin.origin(" and ".join(options.what), mpi, origin.command("run.py", sys.argv[1:]), asked))
    file = options.out or results.file_of(result)
    wanted, launch = benches(options), programs.launcher(options.realtime)
    with progress_bar(console) as progress:
        task = progress.add_task("starting", total=count(wanted))
        for bench in wanted:
            for ranks, event in events_of(bench, launch):
                if "next" in event:
                    progress.update(task, description=f"{ranks} ranks {event['next']}")
                    continue
                progress.advance(task, 1 if "case" in event else 0)
                results.add(result, event, ranks)
            results.save(result, file)  # so that little is lost if it is ended early
    return result, file


def console_for_tables():
    """Wide enough for the tables, also where the terminal is not."""
    return Console(width=max(Console().width, 158))


def main():
    options = options_from(sys.argv[1:])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if options.page:
        print(page.write([results.load(path) for path in options.page]))
        return 0
    result, file = measure(options, os.environ.get("CARPOOL_MPI", "mpich"), Console(stderr=True))
    console = console_for_tables()
    tables.show(result, console)
    collective_tables.show(result, console)
    subarray_tables.show(result, console)
    cg_tables.show(result, console)
    cell_tables.show(result, console)
    console.print(f"{file}\n{page.write(results.newest_of_each_mpi())}")
    return 1 if results.wrong(result) else 0


if __name__ == "__main__":
    sys.exit(main())
