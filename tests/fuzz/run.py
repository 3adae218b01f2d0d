#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the programs of tests/fuzz, as many at a time as there are cores; fails at the first finding of each.

    tests/fuzz/run.py BUILD SECONDS [NAME...]

First come the programs without_CHECK, which have a fault that must be found. The seconds are those of the whole run: they are divided evenly among the programs. Inputs that take new
branches are kept in BUILD/corpus/NAME, beside those of tests/fuzz/corpus/NAME, and the input of a
finding in BUILD/findings. CARPOOL_TEST_SEED is the seed of libFuzzer, which is printed.
"""

import os
import random
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
LONGEST = {"json": 1024, "tuning": 2048, "question": 2048, "edges": 512}  # bytes of an input, else 256
MOST_SECONDS = 20  # for one input
MOST_MEGABYTES = 2048
STATE = re.compile(r"^#\d+\s+\w+\s+cov: (\d+)", re.MULTILINE)
RUNS = re.compile(r"stat::number_of_executed_units:\s*(\d+)")


def corpora(build, name):
    """The folder for new inputs comes first, as libFuzzer wants it."""
    kept, given = build / "corpus" / name, HERE / "corpus" / name
    kept.mkdir(parents=True, exist_ok=True)
    return [kept, *([given] if given.is_dir() else [])]


def options(build, name, seconds, seed):
    words = HERE / "words" / f"{name}.dict"
    return [f"-seed={seed}", f"-max_total_time={seconds:.0f}", f"-max_len={LONGEST.get(name, 256)}",
            f"-timeout={MOST_SECONDS}", f"-rss_limit_mb={MOST_MEGABYTES}", "-print_final_stats=1",
            f"-artifact_prefix={build / 'findings' / name}-", *([f"-dict={words}"] if words.exists() else [])]


def fuzz(build, name, seconds, seed):
    """Whether the program ended without a finding, and what it printed."""
    run = subprocess.run([build / name, *options(build, name, seconds, seed), *corpora(build, name)],
                         capture_output=True, check=False, encoding="utf-8", errors="replace")
    return run.returncode == 0, run.stderr


def summary(name, passed, text):
    covered = STATE.findall(text)
    runs = RUNS.search(text)
    about = f"{runs[1] if runs else '?':>9} inputs, {covered[-1] if covered else '?':>5} branches"
    return f"{name:14} {about}{'' if passed else ', A FINDING'}"


def is_found(build, name, seed):
    """Does a program whose reader lacks a check find that out within seconds? It begins without inputs."""
    begin = time.monotonic()
    run = subprocess.run([build / name, f"-seed={seed}", "-max_total_time=240", "-max_len=256", "-timeout=5",
                          f"-artifact_prefix={build / 'findings' / name}-"], capture_output=True, check=False)
    print(f"{name:24} {'found' if run.returncode else 'NOT FOUND'} in {time.monotonic() - begin:.1f} s", flush=True)
    return run.returncode != 0


def main(build, seconds, *names):
    build = Path(build).resolve()
    if not (build / "programs.txt").exists():  # CMake has said why
        return 0
    (build / "findings").mkdir(exist_ok=True)
    seed = int(os.environ.get("CARPOOL_TEST_SEED") or random.randrange(1, 2**31))
    names = names or (build / "programs.txt").read_text().split()
    faulty = [name for name in names if name.startswith("without_")]
    names = [name for name in names if name not in faulty]
    cores = len(os.sched_getaffinity(0))
    each = max(1, float(seconds) * cores / max(1, len(names)))
    print(f"seed {seed}, {each:.0f} s for each of {len(names)} programs, {cores} at a time", flush=True)
    with ThreadPoolExecutor(cores) as pool:
        passed = all(list(pool.map(lambda name: is_found(build, name, seed), faulty)))
        ended = pool.map(lambda name: (name, *fuzz(build, name, each, seed)), names)
        for name, clean, text in ended:
            print(summary(name, clean, text), flush=True)
            if not clean:
                print(text[-6000:], flush=True)
            passed = passed and clean
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
