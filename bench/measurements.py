#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what the pages of docs/measurements are made of, and makes their tables and figures, as measurements.toml says.

    make measurements [PAGES='halo bundles'] [MPIS=mpich] [ARGS=--realtime]
    make measurement-tables [PAGES=halo]          only makes tables and figures, of stored results

Results are stored in docs/measurements/data. A run whose stored result has the same command and sources is skipped, so an
interrupted call continues where it stopped.
"""

import argparse
import os
import re
import subprocess
import sys

from rich.console import Console

import measurement_pages
import origin
import programs
import results
import run as benches

SAID = 2000  # characters of what a script that failed has said


def options_from(measurements, arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", help=f"of {', '.join(measurements.pages)} [all]")
    parser.add_argument("--mpis", nargs="+", choices=measurements.mpis, default=measurements.mpis)
    parser.add_argument("--tables", action="store_true", help="only make tables and figures of what is stored")
    parser.add_argument("--check", action="store_true", help="only name the parts that differ from what is stored")
    parser.add_argument("--only", default="", help="only runs in whose name this pattern is found: a page may take hours")
    parser.add_argument("--again", action="store_true", help="measure also what was measured of these sources")
    parser.add_argument("--realtime", action="store_true",
                        help="before all other processes, for a busy machine (needs root)")
    options = parser.parse_args(arguments)
    if unknown := set(options.pages) - set(measurements.pages):
        parser.error(f"page '{unknown.pop()}', expected one of {', '.join(measurements.pages)}")
    options.pages = options.pages or list(measurements.pages)
    return options


def is_done(run):
    if not run.file.exists():
        return False
    found = results.load(run.file)
    return (found["commit"], found["command"]) == (origin.commit(), run.command)


def measure(run, realtime):
    """Runs its script in the environment of its MPI; says what the script has said if it fails."""
    file = results.OUT / run.file.name
    script, *words = run.words
    command = [programs.ROOT / f".venv-{run.mpi}/bin/python", programs.ROOT / "bench" / script, *words, "--out", file,
               *(["--realtime"] if realtime else [])]
    environment = run.environment | {"CARPOOL_MPI": run.mpi, "CARPOOL_BUILD": str(programs.ROOT / f"build/{run.mpi}-release")}
    done = subprocess.run(command, env=os.environ | environment, cwd=programs.ROOT, capture_output=True, text=True,
                          check=False)
    if done.returncode:
        print(f"measurements: {run.command} with {run.mpi} has failed\n{(done.stdout + done.stderr)[-SAID:]}", file=sys.stderr)
        return False
    run.file.parent.mkdir(exist_ok=True)
    file.replace(run.file)
    return True


def measure_all(measurements, options):
    """Whether all has succeeded."""
    runs = [run for run in measurements.runs(options.pages, options.mpis) if re.search(options.only, run.file.stem)]
    succeeded = True
    with benches.progress_bar(Console(stderr=True)) as progress:
        task = progress.add_task("starting", total=len(runs))
        for run in runs:
            progress.update(task, description=f"{run.name} {run.mpi}")
            if options.again or not is_done(run):
                succeeded &= measure(run, options.realtime)
            progress.advance(task)
    return succeeded


def check(measurements, pages):
    """Whether no part differs."""
    differing = [(page, part) for page in pages for part in measurements.differing(page)]
    for page, part in differing:
        print(f"docs/measurements/{page}.md: '{part}' is not what its results make; make measurement-tables makes it")
    return not differing


def main():
    measurements = measurement_pages.Measurements()
    options = options_from(measurements, sys.argv[1:])
    if options.check:
        return 0 if check(measurements, options.pages) else 1
    succeeded = options.tables or measure_all(measurements, options)
    for page in dict.fromkeys([*options.pages, "index"]):
        measurements.make(page)
    return 0 if succeeded else 1


if __name__ == "__main__":
    sys.exit(main())
