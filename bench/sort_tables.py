#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs examples/radix_sort with 1,000 to 2 million keys in all ([5] table 1 has as many on each of
128 to 1,024 processors) and prints a table; --docs writes it to docs/measurements/personalized.md.

    CARPOOL_BUILD=build/mpich-release CARPOOL_MPI=mpich bench/sort_tables.py [--realtime] [--docs]
"""

import argparse
import itertools
import os
import re
import subprocess
import sys

import docs_part
import programs
import results

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


def table(options):
    yield "| ranks | keys in all | " + " | ".join(WAYS) + " | host / auto |"
    yield "|---" * (len(WAYS) + 3) + "|"
    for ranks in options.ranks:
        for keys in options.keys:
            found = least_times(ranks, keys, options)
            yield (f"| {ranks} | {keys:,} | " + " | ".join(f"{found[way]:.2f}" for way in WAYS)
                   + f" | {found['host'] / found['auto']:.2f} |")


def printed(lines):
    for line in lines:
        print(line, flush=True)
        yield line


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", type=int, nargs="+", default=[8, 16, 32, 64])
    parser.add_argument("--keys", type=int, nargs="+", default=KEYS)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--realtime", action="store_true", help="before all other processes (root)")
    parser.add_argument("--docs", action="store_true", help="into docs/measurements/")
    options = parser.parse_args()
    mpi = os.environ.get("CARPOOL_MPI", "mpich")
    head = f"{mpi}, commit {results.commit()}, least of {options.repetitions}, ms"
    lines = list(printed(itertools.chain([head, ""], table(options))))
    if options.docs:
        print(docs_part.fill("personalized.md", f"radix sort {mpi}", lines), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
