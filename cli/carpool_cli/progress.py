# SPDX-License-Identifier: MIT
"""What takes a while: a bar on the terminal, or else lines on standard error."""

import sys
import time
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

QUIET = 1  # seconds without a line, where there is no bar


def shown():
    """On a terminal; not in a file or a pipe."""
    return Progress(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(),
                    console=Console(stderr=True), transient=True,
                    disable=not sys.stderr.isatty())


def each(doing, names):
    """The names, one by one; which one is at work is shown."""
    began = time.monotonic()
    with shown() as progress:
        task = progress.add_task(doing, total=len(names))
        for number, name in enumerate(names, 1):
            progress.update(task, description=f"{doing} {name}")
            if progress.disable and time.monotonic() - began > QUIET:
                print(f"carpool: {doing} {name}, {number} of {len(names)}", file=sys.stderr, flush=True)
            yield name
            progress.advance(task)


@contextmanager
def bar(doing):
    """Gives what is to be told now and then how much is done, up to 1."""
    with shown() as progress:
        task = progress.add_task(doing, total=1)
        yield lambda done: progress.update(task, completed=done)
