"""A bar on the terminal, for what takes a while."""

import sys

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn


def each(doing, names):
    """The names, one by one; which one is at work is shown, but not in a file or a pipe."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True,
                  disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(doing, total=len(names))
        for name in names:
            progress.update(task, description=f"{doing} {name}")
            yield name
            progress.advance(task)
