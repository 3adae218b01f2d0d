# SPDX-License-Identifier: MIT
"""Graphs by name or from files, as the planner is asked about them."""

from dataclasses import dataclass
from pathlib import Path

import click

from carpool_cli import files
from carpool_cli.output import loaded

# Words that a grid begins with; what begins otherwise is a graph.
GRIDS = ("torus", "mesh", "grid")
FILE_OPTIONS = ("ranks", "ids", "parts", "sharing")


@dataclass(frozen=True)
class Given:
    """Options about files; see options.py."""

    ranks: int | None = None
    ids: str | None = None
    parts: str | None = None
    sharing: str | None = None


def is_grid(text):
    return text.split()[:1] in [[word] for word in GRIDS]


def graph_of(text, given):
    """A name that the planner knows, or the edges in a file: see cli/graph_question.hpp."""
    if not files.is_there(text) and (not Path(text).suffix or " " in text):
        only_files(text, given)
        return text
    if given.ranks is not None and given.ranks < 1:
        raise click.UsageError(f"--ranks {given.ranks}, expected at least 1")
    return loaded("graph_files", text).question(text, given)


def only_files(text, given):
    for name in FILE_OPTIONS:
        value = getattr(given, name)
        if value is not None:
            raise click.UsageError(f"--{name} {value} is for graphs in files, not for '{text}'")
