# SPDX-License-Identifier: MIT
"""Runs programs that know nothing of Carpool, with `carpool run` and with the library loaded before them."""

import json
import os
import subprocess
from pathlib import Path

from command import CARPOOL

LAUNCH = Path(__file__).resolve().parents[2] / "tools" / "launch"
MPIEXEC = os.environ.get("CARPOOL_MPIEXEC")
PROGRAMS = Path(os.environ["CARPOOL_TEST_INTERPOSED"])
LIBRARY = Path(os.environ["CARPOOL_TEST_PRELOAD"])
RANKS = [str(LAUNCH), "-n", "3", "--timeout", "180"] + (["--mpiexec", MPIEXEC] if MPIEXEC else [])


def run(*options, program="call_patterns", arguments=(), **settings):
    return subprocess.run([CARPOOL, "run", *options, *RANKS, PROGRAMS / f"interposed_{program}", *arguments],
                          capture_output=True, text=True, check=False,
                          env={**os.environ, **settings})


def preloaded(library, program="mistakes", **settings):
    return subprocess.run([*RANKS, PROGRAMS / f"interposed_{program}"], capture_output=True, text=True,
                          check=False, env={**os.environ, "LD_PRELOAD": str(library), **settings})


def reported(folder, *options, **run_with):
    """What a run has written to a file, and what the program has printed."""
    file = folder / "report.json"
    done = run("--report", str(file), *options, **run_with)
    assert done.returncode == 0, done.stderr
    return json.loads(file.read_text()), done.stdout


def calls_of(report, operation, made_by):
    return [one for one in report["calls"] if (one["operation"], one["made_by"]) == (operation, made_by)]
