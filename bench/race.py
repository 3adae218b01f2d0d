#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs one of the races on one MPI; prints its table, keeps the JSON.

    CARPOOL_BUILD=build/mpich-release CARPOOL_MPI=mpich bench/race.py halo [--realtime]
"""

import argparse
import os
import sys
from pathlib import Path

from rich.progress import Progress

import origin
import programs
import race_tables
import results
from races import RACES


def run(name, options):
    race = RACES[name]
    launch, program = programs.launcher(options.realtime), race.get("program", name)
    cases = race["arguments"]
    arguments = [str(options.budget), str(options.seed),
                 *(cases(options.ranks) if callable(cases) else cases)]
    told = shared_cores(options.ranks) if options.shared_cores else []
    with Progress(transient=True) as progress:
        task = progress.add_task(name, total=race["cases"])
        for event in programs.events(launch, program, options.ranks, arguments, 180,
                                     options.hosts, told):
            progress.advance(task, "case" in event)
            yield event


def shared_cores(ranks):
    """Tells Carpool that so many ranks share the cores of a host, as a launcher does."""
    return ["env", f"MPI_LOCALNRANKS={ranks}", f"OMPI_COMM_WORLD_LOCAL_SIZE={ranks}"]


def options_from(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("race", choices=sorted(RACES))
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("--hosts", type=int, default=1, help="that this machine emulates")
    parser.add_argument("--shared-cores", action="store_true",
                        help="tell Carpool that all ranks share the cores of each host: those that "
                        "this machine emulates have the same cores")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds of timing per case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--realtime", action="store_true", help="before all other processes (root)")
    parser.add_argument("--out", type=Path, metavar="JSON", help="instead of a file in bench/out")
    return parser.parse_args(arguments)


def file_of(options, mpi):
    hosts = f"-on-{options.hosts}" if options.hosts > 1 else ""
    return results.OUT / f"{options.race}-{mpi}-{options.ranks}{hosts}.json"


def main():
    mpi, options = os.environ.get("CARPOOL_MPI", "mpich"), options_from(sys.argv[1:])
    found = origin.origin(f"race {options.race}", mpi, origin.command("race.py", sys.argv[1:]),
                          {name: value for name, value in vars(options).items() if name not in ("race", "out")})
    events = list(run(options.race, options))
    found["cases"] = [event for event in events if event["event"] == "case"]
    found["devices"] = [event for event in events if event["event"] == "gpu"]
    print("\n".join(race_tables.table_of(options.race, found["cases"])))
    if len(found["cases"]) < RACES[options.race]["cases"]:
        return 1
    print(f"\n{results.save(found, options.out or file_of(options, mpi))}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
