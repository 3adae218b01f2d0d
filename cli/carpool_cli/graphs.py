"""Graphs by name or from files, as the planner is asked about them."""

import gzip
from pathlib import Path

import click

from carpool_cli.output import loaded

# Words that a grid begins with; what begins otherwise is a graph.
GRIDS = ("torus", "mesh", "grid")


def is_grid(text):
    return text.split()[:1] in [[word] for word in GRIDS]


def graph_of(text, ranks):
    """A name that the planner knows, or the edges in a file: see cli/graph_question.hpp."""
    file = Path(text)
    if file.is_file() or (file.suffix and " " not in text):
        return graph_of_file(file, ranks)
    if ranks is not None:
        raise click.UsageError(f"--ranks {ranks} is for graphs in files, not for '{text}'")
    return text


def graph_of_file(file, ranks):
    if ranks is not None and ranks < 1:
        raise click.UsageError(f"--ranks {ranks}, expected at least 1")
    try:
        read = rank_graph if ".mtx" in file.suffixes else edge_list
        count, sources, targets = read(file, ranks)
    except OSError as error:
        raise click.UsageError(f"{file}: {error.strerror or error}") from None
    return {"ranks": count, "from": sources, "to": targets}


def edge_list(file, ranks):
    """Lines of two ranks, "from to"; what follows a # or % says nothing."""
    opened = gzip.open if file.suffix == ".gz" else open
    sources, targets = [], []
    with opened(file, "rt", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            words = line.replace("%", "#").split("#")[0].split()
            if words:
                source, target = ends(file, number, words)
                sources.append(source)
                targets.append(target)
    return ranks or max(sources + targets, default=-1) + 1, sources, targets


def ends(file, number, words):
    if len(words) == 2 and all(word.isascii() and word.isdigit() and len(word) < 10
                               for word in words):
        return map(int, words)
    raise click.UsageError(f"{file} line {number}: '{' '.join(words[:4])}', expected two ranks, "
                           f"from and to, such as 0 1")


def rank_graph(file, ranks):
    file.open().close()  # what is not there is said first
    return loaded("matrices", file).rank_graph(file, ranks)
