# SPDX-License-Identifier: MIT
"""Runs one unchanged program, bare and with Carpool in turns."""

import random
import subprocess
import tempfile
import time
from pathlib import Path

import osu_runs
import programs

WAYS = {"default": {}, "all": {"CARPOOL_CALLS": "all"}}
LIMIT = 100  # seconds
SAID = 400  # characters of what a program that failed has said


class Run:
    """A program that has ended in a folder of its own."""

    def __init__(self, program, launch, ranks, before):
        with tempfile.TemporaryDirectory() as folder:
            program.prepare(Path(folder))
            command = [*before, *programs.placed(launch, ranks, 1), "--timeout", str(LIMIT), *program.command]
            began = time.monotonic()
            self.done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                       check=False, cwd=folder)
            self.seconds = time.monotonic() - began
            self.calls = osu_runs.calls_in(Path(folder) / "carpool.json")
            if self.done.returncode == 0:
                self.result = program.result(self.done.stdout, Path(folder))
                self.seconds = program.seconds(self.done.stdout, Path(folder)) or self.seconds

    def told(self):
        if self.done.returncode or not self.result:
            return {"failure": (self.done.stdout + self.done.stderr)[-SAID:]}
        return {"seconds": self.seconds, "result": self.result}


def before_of(way, **more):
    """What `carpool run` does, without the time that the command takes to start."""
    library = programs.build_folder().resolve() / "preload" / "libcarpool_mpi.so"
    settings = {} if way == "bare" else {"LD_PRELOAD": library, **WAYS[way], **more}
    return ["env", *(f"{name}={value}" for name, value in settings.items())]


def reported(program, launch, ranks, way):
    """Who makes how many calls; apart, since a report takes time."""
    return Run(program, launch, ranks, before_of(way, CARPOOL_REPORT="./carpool.json")).calls


def measure(program, options, launch):
    order, ways = random.Random(program.name), ["bare", *WAYS]
    runs = [{"turn": turn, "way": way} | Run(program, launch, options.ranks, before_of(way)).told()
            for turn in range(options.runs) for way in order.sample(ways, len(ways))]
    calls = {way: reported(program, launch, options.ranks, way) for way in WAYS}
    return {"name": program.name, "title": program.title, "runs": runs, "calls_made_by": calls}
