"""A bar on the terminal, for what takes a while."""

import sys
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn


def shown():
    """On a terminal; not in a file or a pipe."""
    return Progress(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(),
                    console=Console(stderr=True), transient=True,
                    disable=not sys.stderr.isatty())


def each(doing, names):
    """The names, one by one; which one is at work is shown."""
    with shown() as progress:
        task = progress.add_task(doing, total=len(names))
        for name in names:
            progress.update(task, description=f"{doing} {name}")
            yield name
            progress.advance(task)


@contextmanager
def bar(doing):
    """Gives what is to be told now and then how much is done, up to 1."""
    with shown() as progress:
        task = progress.add_task(doing, total=1)
        yield lambda done: progress.update(task, completed=done)
