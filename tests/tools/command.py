# SPDX-License-Identifier: MIT
"""Runs the command carpool as users do, and reads what it answers. A function that reads takes another one that runs,
as in in_process.py."""

import functools
import json
import os
import subprocess

CARPOOL = os.environ["CARPOOL_COMMAND"]
NESTED = "[" * 100_000 + "]" * 100_000  # JSON that no recursion reads


def carpool(*arguments):
    return subprocess.run([CARPOOL, *arguments], capture_output=True, text=True, timeout=200,
                          check=False)


def said(*arguments, by=carpool):
    """What it answers, as one line: where lines are broken depends on the width."""
    return " ".join(by(*arguments).stdout.split())


def without(packages, folder, *arguments):
    """The command, where Python lacks packages."""
    for package in packages:
        (folder / package).mkdir(exist_ok=True)
        (folder / package / "__init__.py").write_text(
            f"raise ModuleNotFoundError('gone', name='{package}')\n")
    return subprocess.run([CARPOOL, *arguments], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(folder)})


def answer(*arguments, by=carpool):
    run = by(*arguments, "--json")
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def refusal(*arguments, status=2, by=carpool):
    """The one line in which it says why not."""
    run = by(*arguments)
    assert run.returncode == status, run.stderr
    assert run.stderr.startswith("carpool: "), run.stderr
    assert len(run.stderr.splitlines()) == 1, run.stderr
    return run.stderr


def rules(*arguments, by=carpool):
    return {rule["name"]: rule for rule in answer("explain", *arguments, by=by)["rules"]}


@functools.cache
def names(kind):
    """The rules of grids or graphs."""
    return [rule["name"] for rule in answer("algorithms")["algorithms"] if rule[kind]]
