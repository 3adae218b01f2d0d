#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the OSU micro-benchmarks of all collectives, unchanged, bare and with `carpool run` in turns.

    make osu OSU=FOLDER [MPI=openmpi] [ARGS='--quick --only alltoall']

FOLDER is where the OSU micro-benchmarks are installed or were built with the compilers of that MPI, as their README
says. OSU checks all results itself (-c). What was measured is written to bench/out/osu-MPI.json after each case; the
next call goes on from there. bench/osu_page.py makes the page and its pictures of such files.
"""

import argparse
import os
import signal
import sys

from rich.console import Console

import osu_cases
import osu_runs
import programs
import run as benches


def place(text):
    """(ranks, hosts) of 8, or of 8x4 for four hosts."""
    ranks, _, hosts = text.partition("x")
    try:
        return int(ranks), int(hosts or 1)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of ranks such as 8, or 8x4 on 4 hosts") from error


PLACES = ["2", "4", "8", "16", "8x4", "16x4"]
QUICK_PLACES = ["4", "8x4"]


def options_from(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--osu", required=True, metavar="FOLDER", help="where the benchmarks are")
    parser.add_argument("--places", nargs="+", type=place, metavar="RANKS[xHOSTS]",
                        help=f"numbers of ranks, on one host or on several that this machine emulates [{' '.join(PLACES)}]")
    parser.add_argument("--kinds", nargs="+", choices=osu_cases.KINDS, default=osu_cases.KINDS)
    parser.add_argument("--ways", nargs="+", choices=osu_runs.WAYS, default=osu_runs.WAYS,
                        help="by the defaults of carpool run, or the collective that is timed by Carpool")
    parser.add_argument("--only", default="", help="only cases in which this pattern is found")
    parser.add_argument("--runs", type=int, help="of each program in each way [5]")
    parser.add_argument("--quick", action="store_true", help="two runs, on 4 ranks and on 8 of 4 hosts")
    parser.add_argument("--realtime", action="store_true",
                        help="before all other processes, for a busy machine (needs root)")
    parser.add_argument("--out", metavar="JSON", help="instead of bench/out/osu-MPI.json")
    options = parser.parse_args(arguments)
    options.places = options.places or [place(text) for text in (QUICK_PLACES if options.quick else PLACES)]
    options.runs = options.runs or (2 if options.quick else 5)
    return options


def cases_that_can_run(options, launch):
    cases = osu_cases.cases_of(options.osu, options.kinds, options.only, options.places)
    if not cases:
        sys.exit(f"osu: in {options.osu} there is no collective/blocking/osu_… to run. Give the folder in which the OSU "
                 "micro-benchmarks are installed (https://mvapich.cse.ohio-state.edu/benchmarks/)")
    most = max(case.hosts for case in cases)
    if most > 1 and not programs.can_have_hosts(launch, most):
        cases = [case for case in cases if case.hosts == 1]
    return cases


def main():
    options = options_from(sys.argv[1:])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    mpi = os.environ.get("CARPOOL_MPI", "mpich")
    launch = programs.launcher(options.realtime)
    cases = cases_that_can_run(options, launch)
    done = osu_runs.Measured(options.out, mpi, options)
    with benches.progress_bar(Console(stderr=True)) as progress:
        task = progress.add_task("starting", total=len(cases))
        for case in cases:
            progress.update(task, description=case.key)
            if not done.has(case):
                done.add(case, osu_runs.measure(case, options, launch))
            progress.advance(task)
    print(done.file)
    for failure in done.failures():
        print(failure)
    return 1 if any(done.failures()) else 0


if __name__ == "__main__":
    sys.exit(main())
