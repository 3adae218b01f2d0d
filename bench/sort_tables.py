#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs examples/radix_sort with 1,000 to 2 million keys in all ([5] table 1 has as many on each of
128 to 1,024 processors), prints a table, and keeps the JSON.

    CARPOOL_BUILD=build/mpich-release CARPOOL_MPI=mpich bench/sort_tables.py [--realtime]
"""

import argparse
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import track

import origin
import programs
import results
from cell_tables import markdown

WAYS = ("host", "auto", "direct", "star", "2-digits", "3-digits")
KEYS = (1_000, 10_000, 100_000, 500_000, 1_000_000, 2_000_000)


def least_times(ranks, keys, options):
    """ms in the exchanges of one sort by each way, or an error where the keys are not sorted."""
    command = [*programs.launcher(options.realtime), "-n", str(ranks), "--timeout", "600",
               programs.build_folder() / "examples" / "radix_sort", str(max(1, keys // ranks)),
               str(options.repetitions), *WAYS]
    text = subprocess.run(command, check=True, capture_output=True, text=True,
                          cwd=programs.ROOT, stdin=subprocess.DEVNULL).stdout
    return {way: float(ms) for way, ms in re.findall(r"(\S+) +exchanges +([\d.]+) ms", text)}


def cases_of(options):
    for ranks, keys in itertools.product(options.ranks, options.keys):
        yield {"ranks": ranks, "keys": keys, "ms": least_times(ranks, keys, options)}


def table(found):
    """A row for each number of ranks and keys."""
    result, = found
    rows = ([str(case["ranks"]), f"{case['keys']:,}", *(f"{case['ms'][way]:.2f}" for way in WAYS),
             f"{case['ms']['host'] / case['ms']['auto']:.2f}"] for case in result["cases"])
    return markdown(["ranks", "keys in all", *WAYS, "host / auto"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", type=int, nargs="+", default=[8, 16, 32, 64])
    parser.add_argument("--keys", type=int, nargs="+", default=KEYS)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--realtime", action="store_true", help="before all other processes (root)")
    parser.add_argument("--out", type=Path, metavar="JSON", help="instead of a file in bench/out")
    options = parser.parse_args()
    mpi = os.environ.get("CARPOOL_MPI", "mpich")
    found = origin.origin("radix sort, least ms in the exchanges of one sort", mpi,
                          origin.command("sort_tables.py", sys.argv[1:]),
                          {"repetitions": options.repetitions, "realtime": options.realtime})
    found["cases"] = list(track(cases_of(options), "sorting", len(options.ranks) * len(options.keys),
                                console=Console(stderr=True)))
    print("\n".join(table([found])))
    print(results.save(found, options.out or results.OUT / f"sort-{mpi}.json"), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
