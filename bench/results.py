# SPDX-License-Identifier: MIT
"""What a run found: one JSON file per run in bench/out."""

import datetime
import json
import math
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "bench" / "out"


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def commit():
    name = git("rev-parse", "--short", "HEAD") or "none"
    return name + ("-dirty" if git("status", "--porcelain") else "")


def new(mpi):
    date = datetime.datetime.now().isoformat(timespec="minutes")
    return {"mpi": mpi, "date": date, "commit": commit(), "cases": [], "planning": [],
            "collectives": [], "subarrays": [], "cg": [], "cells": [], "failures": []}


def add(result, event, ranks):
    """Files an event of a bench program under its kind."""
    kind = event.pop("event")
    if kind == "run":
        result.update(machine=event["machine"], seed=event["seed"])
        result.setdefault("budget", event["budget"])
        return
    lists = {"case": "cases", "planning": "planning", "collective": "collectives",
             "subarrays": "subarrays", "cg": "cg", "cell": "cells", "failure": "failures"}
    result[lists[kind]].append({"ranks": ranks} | event)


def save(result):
    OUT.mkdir(exist_ok=True)
    stamp = result["date"].replace(":", "").replace("T", "-")
    path = OUT / f"{result['mpi']}-{stamp}.json"
    path.write_text(json.dumps(result, indent=1))
    return path


def load(path):
    return json.loads(Path(path).read_text())


def newest_of_each_mpi():
    """Files are named by date, so the last one of an MPI is its newest."""
    newest = {path.name.split("-")[0]: path for path in sorted(OUT.glob("*-????-??-??-*.json"))}
    return [load(path) for path in newest.values()]


def contender(case, name):
    return next(c for c in case["contenders"] if c["name"] == name)


def gain(case, name, over="host blocking"):
    """Quartiles of (time of `over`) / (time of `name`), or None where one was not timed."""
    return contender(case, name).get("gain", {}).get(over)


def median_seconds(case, name):
    return contender(case, name).get("seconds", {}).get("median")


HOST = ("host blocking", "host nonblocking", "host persistent")
HAND = ("hand-written", "hand-written nonblocking", "hand-written in turn")


def best(case, forms):
    """The fastest of some contenders in this case."""
    return min(forms, key=lambda form: median_seconds(case, form) or math.inf)


def wrong(result):
    """(case, contender, what) of everything that failed."""
    lost = [(f["case"], f"{f['ranks']} ranks", "crashed or hung") for f in result["failures"]]
    return lost + [(case["case"], c["name"], c["failure"])
                   for case in result["cases"] for c in case["contenders"] if "failure" in c]
