# SPDX-License-Identifier: MIT
"""Runs cases of OSU's benchmarks in all ways, and keeps what was measured in a file."""

import datetime
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import origin
import osu_cases
import programs
import results

# By the defaults of `carpool run`, or the collective that is timed by Carpool. Not all by Carpool: OSU has the ranks meet
# in a barrier before each call, and a call of a rank that leaves it early is timed while it waits for the others.
WAYS = ("default", "collective")
LIMIT = 300  # seconds
SAID = 400  # characters of what a program that failed has said
WRONG = "OSU has found wrong results"


def carpool_run(*options):
    return [programs.build_folder() / "bin" / "carpool", "run", *options]


def options_of(case, way):
    return ["--calls", case.collective] if way == "collective" else []


def started(case, launch, arguments, before=()):
    command = [*before, *programs.placed(launch, case.ranks, case.hosts), "--timeout", str(LIMIT), case.program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=programs.ROOT)


def failure_of(done, rows):
    """Why a run counts as failed, or nothing."""
    if not all(row["valid"] for row in rows):
        return WRONG
    return (done.stdout + done.stderr)[-SAID:] if done.returncode or not rows else ""


def one_run(case, launch, way, checked):
    before = [] if way == "bare" else carpool_run(*options_of(case, way))
    done = started(case, launch, case.arguments(checked), before)
    rows = osu_cases.read(done.stdout)
    failure = failure_of(done, rows)
    return {"way": way, "rows": rows, "osu": osu_cases.version_in(done.stdout)} | ({"failure": failure} if failure else {})


def calls_in(report):
    """How many calls each has made, by a report of Carpool. Starts of persistent requests are Carpool's, in a list of
    their own."""
    if not report.exists():
        return {}
    told = json.loads(report.read_text())
    counts = {"Carpool": sum(line["starts"] for line in told["lines"] or () if line.get("persistent")), "MPI": 0}
    for call in told["calls"] or ():
        counts[call["made_by"]] += call["calls"]
    return counts


def calls_by_carpool(case, launch, way):
    """Those of rank 0 in a run of one size; apart, since a report takes time."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.json"
        started(case, launch, case.arguments(checked=False, timed=10, largest=osu_cases.SMALLEST),
                carpool_run("--report", str(file), *options_of(case, way)))
        return calls_in(file)


def can_be_checked(case, launch):
    """Not if OSU finds results wrong that MPI alone has made: of version 7.4 this is so for osu_allreduce_persistent."""
    return case.is_barrier or one_run(case, launch, "bare", True).get("failure") != WRONG


def measure(case, options, launch):
    """Bare and Carpool's ways in turns, in random order."""
    order = random.Random(case.key)
    checked = can_be_checked(case, launch)
    runs = [{"turn": turn} | one_run(case, launch, way, checked) for turn in range(options.runs)
            for way in order.sample(["bare", *options.ways], 1 + len(options.ways))]
    return {"checked": checked and not case.is_barrier, "runs": runs,
            "calls_made_by": {way: calls_by_carpool(case, launch, way) for way in options.ways}}


class Measured:
    """What was measured so far, in a file."""

    def __init__(self, file, mpi, options):
        self.file = Path(file) if file else results.OUT / f"osu-{mpi}.json"
        self.found = json.loads(self.file.read_text()) if self.file.exists() else self.new(mpi, options)

    @staticmethod
    def new(mpi, options):
        settings = {"warmup": osu_cases.WARMUP, "timed": osu_cases.TIMED, "realtime": options.realtime}
        return origin.origin("OSU micro-benchmarks, bare and with carpool run", mpi,
                             origin.command("osu.py", sys.argv[1:]), settings) | {"cases": []}

    def has(self, case):
        wanted = case.key, origin.commit()
        return any((other["case"], other["commit"]) == wanted for other in self.found["cases"])

    def add(self, case, measured):
        date = datetime.datetime.now().isoformat(timespec="seconds")
        self.found["cases"] = [other for other in self.found["cases"] if other["case"] != case.key]
        self.found["cases"].append({"case": case.key, "kind": case.kind, "name": case.name, "ranks": case.ranks,
                                    "hosts": case.hosts, "date": date, "commit": origin.commit(),
                                    "machine": origin.machine()} | measured)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(results.text_of(self.found))

    def failures(self):
        return [f"{case['case']}, {run['way']}: {run['failure']}" for case in self.found["cases"]
                for run in case["runs"] if "failure" in run]
