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
import page
import programs
import results
import tables


def options_from(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="some of all cases (the default)")
    parser.add_argument("--full", action="store_true", help="all cases, hours")
    parser.add_argument("--ranks", type=int, nargs="+", help="only these rank counts")
    parser.add_argument("--only", default="", help="only cases in which this pattern is found")
    parser.add_argument("--budget", type=float, help="seconds of timing per case")
    parser.add_argument("--seed", type=int, default=1, help="of the order of contenders")
    parser.add_argument("--realtime", action="store_true",
                        help="before all other processes, for a busy machine (needs root)")
    parser.add_argument("--page", nargs="+", metavar="JSON", help="only make the page from these")
    return parser.parse_args(arguments)


def selected(options):
    """Cases per rank count."""
    chosen = cases.full() if options.full else cases.quick()
    return {ranks: [name for name in names if re.search(options.only, name)]
            for ranks, names in chosen.items() if not options.ranks or ranks in options.ranks}


def program_options(options):
    budget = options.budget or (3 if options.full else 1.2)
    return [str(budget), str(options.seed)]


def progress_bar(console):
    return Progress(TextColumn("{task.description:<38}"), BarColumn(), MofNCompleteColumn(),
                    TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(), console=console)


def planned(options):
    return [name for name in cases.PLANNING if re.search(options.only, name)]


def all_events(options):
    """(ranks, event) of every program that a bench consists of."""
    launch = programs.launcher(options.realtime)
    arguments = program_options(options)
    for ranks, names in selected(options).items():
        for event in programs.case_events(launch, "neighborhoods", ranks, names, arguments):
            yield ranks, event
    for event in programs.case_events(launch, "planning", 8, planned(options), []):
        yield 8, event


def count(options):
    return sum(map(len, selected(options).values())) + len(planned(options))


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
    console = console_for_tables()
    tables.show(result, console)
    console.print(f"{results.save(result)}\n{page.write(results.newest_of_each_mpi())}")
    return 1 if results.wrong(result) else 0


if __name__ == "__main__":
    sys.exit(main())
