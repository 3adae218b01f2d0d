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
os.environ.setdefault("CARPOOL_PLANNER", str(
    Path(os.environ["CARPOOL_COMMAND"]).parents[1] / "libexec/carpool-planner"))
os.environ.setdefault("CARPOOL_PAGES", str(ROOT / "docs"))

from carpool_cli import app  # noqa: E402


def carpool(*arguments):
    """What it answers and with which status it ends."""
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


def run(*arguments):
    """The command, which has to succeed."""
    done = carpool(*arguments)
    assert done.returncode == 0, (arguments, done.stderr)
    return done
