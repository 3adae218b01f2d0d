# SPDX-License-Identifier: MIT
"""The command in this process, for tests with many runs: most of the time of a short one Python takes to start."""

import contextlib
import functools
import io
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import command

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "cli"))
for program in "planner", "tune":
    os.environ.setdefault(f"CARPOOL_{program.upper()}", str(
        Path(os.environ["CARPOOL_COMMAND"]).parents[1] / f"libexec/carpool-{program}"))
os.environ.setdefault("CARPOOL_ASSUMED_MPI", "mpich")  # as in the build tree, whichever MPI is tested
os.environ.setdefault("CARPOOL_PAGES", str(ROOT / "docs"))

from carpool_cli import app, assumptions  # noqa: E402


def carpool(*arguments):
    """What it answers and with which status it ends."""
    for remembered in assumptions.said_in, assumptions.known:
        remembered.cache_clear()  # files may have changed since the last run
    out, err = io.StringIO(), io.StringIO()
    with (contextlib.redirect_stdout(out), contextlib.redirect_stderr(err),
          mock.patch.object(sys, "argv", ["carpool", *map(str, arguments)])):
        try:
            app.run()
            status = 0
        except SystemExit as end:
            status = end.code
    if isinstance(status, str):
        print(status, file=err)
        status = 1
    return SimpleNamespace(returncode=status or 0, stdout=out.getvalue(), stderr=err.getvalue())


answer = functools.partial(command.answer, by=carpool)
said = functools.partial(command.said, by=carpool)
refusal = functools.partial(command.refusal, by=carpool)
rules = functools.partial(command.rules, by=carpool)


def run(*arguments):
    """The command, which has to succeed."""
    done = carpool(*arguments)
    assert done.returncode == 0, (arguments, done.stderr)
    return done
