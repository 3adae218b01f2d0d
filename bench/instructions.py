#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the instructions of a start and of its wait on rank 0, ours and the host's: of persistent
forms, and of the calls of nonblocking ones.

    CARPOOL_BUILD=build/mpich-release CARPOOL_MPI=mpich bench/instructions.py [CASE…]

Rank 0 alone runs under valgrind, so much slower than the others that their messages are there when
it looks: starts then count alike from run to run, waits nearly so. Needs valgrind.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import cases
import programs

# Per bench its columns: what each of COUNTED is there.
HEADINGS = {
    "collectives": ("our start", "host's start", "our wait", "host's wait", "our nonblocking call",
                    "host's"),
    "listing_3": ("our call, as printed", "host's blocking call", "", "", "our request",
                  "host's persistent one")}
COUNTED = ("carpool_start", "host_start", "carpool_wait", "host_wait",
           "carpool_nonblocking_start", "host_nonblocking_start")

# Rank 0 under valgrind, the others as they are.
PER_RANK = """
if [ "${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-0}}" = 0 ]; then
    exec valgrind --log-file="$1/log" --tool=callgrind --collect-atstart=no \\
        --toggle-collect='*counted_*' --callgrind-out-file="$1/callgrind" "$2" --starts "$3" "$4"
fi
exec "$2" --starts "$3" "$4"
"""


def run(bench, ranks, starts, name, folder):
    program = programs.build_folder() / "bench" / bench
    command = [*programs.launcher(False), "-n", str(ranks), "--timeout", "300", "sh", "-c",
               PER_RANK, "sh", folder, program, str(starts), name]
    subprocess.run(command, check=True, cwd=programs.ROOT, stdin=subprocess.DEVNULL)


def counts(folder, starts):
    """Instructions per call, everything below a function included."""
    text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100",
                           Path(folder) / "callgrind"], check=True, capture_output=True,
                          text=True).stdout
    found = {}
    for line in text.splitlines():
        hit = re.match(r"\s*([\d,]+).*counted_(\w+)\(", line)
        if hit:
            found[hit[2]] = max(found.get(hit[2], 0), int(hit[1].replace(",", "")) // starts)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", choices=HEADINGS, default="collectives")
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("--starts", type=int, default=50)
    parser.add_argument("cases", nargs="*", default=cases.collectives(8, (8,)),
                        help="allreduce/8 …; of listing_3 values of n")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("instructions: valgrind is missing", file=sys.stderr)
        return 1
    headings = HEADINGS[options.bench]
    mpi = os.environ.get("CARPOOL_MPI", "mpich")
    print(f"{mpi}, {options.ranks} ranks, instructions of rank 0")
    print("| case | " + " | ".join(filter(None, headings)) + " | host's / ours |")
    print("|---" * (2 + len(list(filter(None, headings)))) + "|")
    for name in options.cases:
        with tempfile.TemporaryDirectory() as folder:
            run(options.bench, options.ranks, options.starts, name, folder)
            found = counts(folder, options.starts)
        ours, host = (found.get(key, 0) for key in COUNTED[:2])
        cells = [f"{found.get(key, 0):,}" for key, words in zip(COUNTED, headings) if words]
        print(f"| {name} | " + " | ".join(cells) + f" | {host / max(ours, 1):.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
