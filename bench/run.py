#!/usr/bin/env python3
"""Runs the benches of one MPI, shows tables, and writes JSON and a page with plots to bench/out.

    CARPOOL_BUILD=build/mpich CARPOOL_MPI=mpich bench/run.py [--full] [--ranks 8 16] [--only d3-n5]
"""

import argparse
import os
import re
import signal
import sys

from rich.console import Console
from rich.progress import (BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn,
                           TimeRemainingColumn)

import cases
import cg_tables
import collective_tables
import page
import programs
import results
import subarray_tables
import tables


WHAT = ("neighborhoods", "planning", "collectives", "subarrays", "cg")
ASKED_FOR = ("persistence",)


def options_from(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="some of all cases (the default)")
    parser.add_argument("--full", action="store_true", help="all cases, hours")
    parser.add_argument("--what", nargs="+", choices=WHAT + ASKED_FOR, default=WHAT,
                        help="only these benches; persistence runs only if named")
    parser.add_argument("--ranks", type=int, nargs="+", help="only these rank counts")
    parser.add_argument("--only", default="", help="only cases in which this pattern is found")
    parser.add_argument("--budget", type=float, help="seconds of timing per case")
    parser.add_argument("--seed", type=int, default=1, help="of the order of contenders")
    parser.add_argument("--realtime", action="store_true",
                        help="before all other processes, for a busy machine (needs root)")
    parser.add_argument("--page", nargs="+", metavar="JSON", help="only make the page from these")
    return parser.parse_args(arguments)


def selected(options, chosen):
    """Of cases per rank count those that are wanted."""
    return {ranks: [name for name in names if re.search(options.only, name)]
            for ranks, names in chosen.items() if not options.ranks or ranks in options.ranks}


def neighborhoods(options):
    budget = options.budget or (3 if options.full else 1.2)
    chosen = cases.full() if options.full else cases.quick()
    return ("neighborhoods", [str(budget), str(options.seed)], selected(options, chosen))


def planning(options):
    wanted = [name for name in cases.PLANNING if re.search(options.only, name)]
    return ("planning", [], {8: wanted})


def of_collectives(options, chosen):
    budget = options.budget or (1 if options.full else 0.25)
    arguments = ["--json", "--budget", str(budget), "--seed", str(options.seed)]
    return ("collectives", arguments, selected(options, chosen))


def collectives(options):
    return of_collectives(options, cases.full_collectives() if options.full
                          else cases.quick_collectives())


def persistence(options):
    return of_collectives(options, cases.persistence())


def subarrays(options):
    budget = options.budget or (1 if options.full else 0.3)
    chosen = cases.full_subarrays() if options.full else cases.quick_subarrays()
    return ("subarrays", [str(budget), str(options.seed)], selected(options, chosen))


def cg(options):
    budget = options.budget or (1 if options.full else 0.3)
    chosen = cases.full_cg() if options.full else cases.quick_cg()
    return ("cg", [str(budget), str(options.seed)], selected(options, chosen))


def benches(options):
    """(program, its options, cases per rank count) of everything that is wanted."""
    every = {"neighborhoods": neighborhoods, "planning": planning, "collectives": collectives,
             "persistence": persistence, "subarrays": subarrays, "cg": cg}
    return [every[name](options) for name in options.what]


def progress_bar(console):
    return Progress(TextColumn("{task.description:<38}"), BarColumn(), MofNCompleteColumn(),
                    TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(), console=console)


def all_events(options):
    """(ranks, event) of every program that a bench consists of."""
    launch = programs.launcher(options.realtime)
    for program, arguments, chosen in benches(options):
        for ranks, names in chosen.items():
            for event in programs.case_events(launch, program, ranks, names, arguments):
                yield ranks, event


def count(options):
    return sum(len(names) for _, _, chosen in benches(options) for names in chosen.values())


def measure(options, mpi, console):
    result = results.new(mpi)
    with progress_bar(console) as progress:
        task = progress.add_task("starting", total=count(options))
        result["realtime"] = options.realtime
        for ranks, event in all_events(options):
            if "next" in event:
                progress.update(task, description=f"{ranks} ranks {event['next']}")
                continue
            progress.advance(task, 1 if "case" in event else 0)
            results.add(result, event, ranks)
    return result


def console_for_tables():
    """Wide enough for the tables, also where the terminal is not."""
    return Console(width=max(Console().width, 158))


def main():
    options = options_from(sys.argv[1:])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if options.page:
        print(page.write([results.load(path) for path in options.page]))
        return 0
    result = measure(options, os.environ.get("CARPOOL_MPI", "mpich"), Console())
    saved = results.save(result)
    console = console_for_tables()
    tables.show(result, console)
    collective_tables.show(result, console)
    subarray_tables.show(result, console)
    cg_tables.show(result, console)
    console.print(f"{saved}\n{page.write(results.newest_of_each_mpi())}")
    return 1 if results.wrong(result) else 0


if __name__ == "__main__":
    sys.exit(main())
