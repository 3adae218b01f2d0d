#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs programs that know nothing of Carpool, bare and with `carpool run` in turns; compares results and times.

    make programs [MPI=system MPICC=mpicc.openmpi] [ARGS='--only hpcc --realtime']

They are Debian's, which run on its Open MPI, and programs in mpi4py, which run on the MPIs of PyPI. What is missing is
named with the package that has it, and left out. What was measured goes to bench/out/applications-MPI.json; a table is printed.

    bench/applications.py --docs docs/measurements/data/applications-system.json      puts it into docs/measurements/unchanged.md
"""

import argparse
import json
import os
import signal
import statistics
import sys
from pathlib import Path

from rich.console import Console

import application_list
import application_runs
import docs_part
import origin
import programs
import results
import run as benches
from tables import median_of_ratios, short

SLOWER = 1.02


def options_from(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="only programs in whose names this pattern is found")
    parser.add_argument("--runs", type=int, default=5, help="of each program in each way")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--realtime", action="store_true",
                        help="before all other processes, for a busy machine (needs root)")
    parser.add_argument("--out", metavar="JSON", help="instead of bench/out/applications-MPI.json")
    parser.add_argument("--docs", metavar="JSON", help="only put the table of this file into docs/measurements/unchanged.md")
    return parser.parse_args(arguments)


def about(mpi, options):
    settings = {"realtime": options.realtime, "ways": application_runs.WAYS}
    return origin.origin("unchanged programs, bare and with carpool run", mpi,
                         origin.command("applications.py", sys.argv[1:]), settings) | {"ranks": options.ranks}


def times(found, way):
    """In each turn."""
    return {run["turn"]: run["seconds"] for run in found["runs"] if run["way"] == way and run.get("seconds")}


def ratio(found, way):
    """Median over the turns of Carpool's time over that of MPI alone."""
    return median_of_ratios(times(found, way), times(found, "bare"))


def verdict(found):
    if any("failure" in run for run in found["runs"]):
        return "failed"
    alike = len({run["result"] for run in found["runs"]}) == 1
    if alike:
        return "the same"
    bare = len({run["result"] for run in found["runs"] if run["way"] == "bare"}) > 1
    return "differ, bare too" if bare else "DIFFER"


def rows(measured):
    """Markdown: where it was measured, and a row per program."""
    yield from [f"{origin.sentence(measured)}; `{measured['command']}`", ""]
    yield "| program | ranks | bare | defaults | all calls | Carpool's calls | results |"
    yield "|---" * 7 + "|"
    for found in measured["programs"]:
        bare = times(found, "bare").values()
        ratios = [short(ratio(found, way)) for way in application_runs.WAYS]
        calls = " / ".join(f"{found['calls_made_by'][way].get('Carpool', 0):,}" for way in application_runs.WAYS)
        if not bare:
            yield f"| {found['title']} | | | | | | failed |"
            continue
        yield (f"| {found['title']} | {measured['ranks']} | {short(1e3 * statistics.median(bare))} ms | {ratios[0]} | "
               f"{ratios[1]} | {calls} | {verdict(found)} |")


def is_bad(found):
    slow = any((ratio(found, way) or 0) > SLOWER for way in application_runs.WAYS)
    return slow or verdict(found) in ("failed", "DIFFER")


def main():
    options = options_from(sys.argv[1:])
    if options.docs:
        measured = json.loads(Path(options.docs).read_text())
        print(docs_part.fill("unchanged.md", f"applications {measured['mpi']}", rows(measured)))
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    mpi = os.environ.get("CARPOOL_MPI", "mpich")
    wanted = application_list.that_can_run(mpi, options.only)
    measured = about(mpi, options) | {"programs": []}
    file = Path(options.out) if options.out else results.OUT / f"applications-{mpi}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    with benches.progress_bar(Console(stderr=True)) as progress:
        task = progress.add_task("starting", total=len(wanted))
        for program in wanted:
            progress.update(task, description=program.name)
            measured["programs"].append(application_runs.measure(program, options, programs.launcher(options.realtime)))
            file.write_text(json.dumps(measured, indent=1) + "\n")
            progress.advance(task)
    print("\n".join(rows(measured)), file, sep="\n")
    return 1 if any(is_bad(found) for found in measured["programs"]) else 0


if __name__ == "__main__":
    sys.exit(main())
