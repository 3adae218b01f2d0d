# SPDX-License-Identifier: MIT
"""What a run found: one JSON file per run in bench/out."""

import hashlib
import json
import math
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "bench" / "out"
KINDS = ("cases", "planning", "collectives", "subarrays", "cg", "cells", "failures")


def new(origin):
    return origin | {kind: [] for kind in KINDS}


def add(result, event, ranks):
    """Files an event of a bench program under its kind."""
    kind = event.pop("event")
    if kind == "run":
        return  # see origin.py
    lists = {"case": "cases", "planning": "planning", "collective": "collectives",
             "subarrays": "subarrays", "cg": "cg", "cell": "cells", "failure": "failures"}
    result[lists[kind]].append({"ranks": ranks} | event)


def rounded(value):
    """With numbers of five digits at most, which is more than any run repeats."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: rounded(member) for key, member in value.items()}
    return [rounded(member) for member in value] if isinstance(value, list) else value


def text_of(result):
    """JSON with a line for each case, so that git shows which have changed."""
    lists = [name for name, value in result.items() if isinstance(value, list) and value]
    text = json.dumps(result | {name: [name] for name in lists}, indent=1)
    for name in lists:
        cases = ",\n".join("  " + json.dumps(rounded(case), separators=(",", ":")) for case in result[name])
        text = text.replace(f'"{name}": [\n  "{name}"\n ]', f'"{name}": [\n{cases}\n ]')
    return text + "\n"


def save(result, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text_of(result), encoding="utf-8")
    return path


def file_of(result):
    """In bench/out, where a name has a date."""
    stamp = result["date"].replace(":", "").replace("T", "-")
    return OUT / f"{result['mpi']}-{stamp}.json"


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]


def load(path):
    return json.loads(Path(path).read_text())


def newest_of_each_mpi():
    """Files are named by date, so the last one of an MPI is its newest. Old ones without an origin are left out."""
    found = [load(path) for path in sorted(OUT.glob("*-????-??-??-*.json"))]
    return list({result["mpi"]: result for result in found if "command" in result}.values())


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
