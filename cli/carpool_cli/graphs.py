"""Graphs by name or from files, as the planner is asked about them."""

import io
from pathlib import Path

import click

from carpool_cli import edge_lists, files, metis
from carpool_cli.output import loaded
from carpool_cli.printable import complaint

# Words that a grid begins with; what begins otherwise is a graph.
GRIDS = ("torus", "mesh", "grid")
BANNER = b"%%matrixmarket"
MOST_RANKS = 1 << 16  # as in cli/graph_question.cpp


def is_grid(text):
    return text.split()[:1] in [[word] for word in GRIDS]


def graph_of(text, ranks, ids):
    """A name that the planner knows, or the edges in a file: see cli/graph_question.hpp."""
    if files.is_there(text) or (Path(text).suffix and " " not in text):
        return graph_of_file(text, ranks, ids)
    only_files(text, ranks, ids)
    return text


def only_files(text, ranks, ids):
    for name, given in (("ranks", ranks), ("ids", ids)):
        if given is not None:
            raise click.UsageError(f"--{name} {given} is for graphs in files, not for '{text}'")


def graph_of_file(file, ranks, ids):
    """What was assumed about the file is told at once."""
    if ranks is not None and ranks < 1:
        raise click.UsageError(f"--ranks {ranks}, expected at least 1")
    try:
        count, sources, targets, notes = read(file, ranks, ids)
    except files.Unreadable as error:
        raise click.UsageError(str(error)) from None
    if not 1 <= count <= MOST_RANKS:
        raise click.UsageError(f"{file}: a graph of {count} ranks, expected from 1 to {MOST_RANKS}"
                               f"{'; --ids any numbers only those with edges' if count and not ids else ''}")
    for note in notes:
        click.echo(complaint(f"{file}: {note}"), err=True)
    return {"ranks": count, "from": sources, "to": targets}


def read(file, ranks, ids):
    """By the banner, or by the name."""
    content = files.without_mark(file, files.content(file))
    suffixes = Path(file).suffixes
    if ".mtx" in suffixes or is_matrix(content):
        only_lists(ids, file, "a matrix")
        return with_idle(loaded("matrices", file).rank_graph(file, content, ranks))
    text = files.decoded(file, content, errors="replace")
    if any(suffix in metis.SUFFIXES for suffix in suffixes):
        only_lists(ids, file, "a graph of METIS")
        return with_idle(metis.graph(file, text, ranks))
    *graph, notes = edge_lists.graph(file, text, ranks, ids)
    if begins_as_matrix(content):
        notes.insert(0, "has a banner of Matrix Market, but no line of sizes; taken for a list of edges from "
                        f"{edge_lists.LEAST[ids or '0']} on, each in one direction")
    return (*graph, notes)


def with_idle(graph):
    """A graph, and which of its ranks have no edge."""
    return (*graph, edge_lists.idle(*graph))


def only_lists(ids, file, kind):
    if ids is not None:
        raise click.UsageError(f"--ids {ids} is for lists of edges, but {file} is {kind}")


def begins_as_matrix(content):
    return content[:len(BANNER)].lower() == BANNER


def is_matrix(content):
    """Sizes follow the banner. There are lists of edges with a banner, where they do not."""
    if not begins_as_matrix(content):
        return False
    lines = iter(io.BytesIO(content))
    banner = next(lines).lower().split()
    sizes = next((line.split() for line in lines if line.strip() and not line.startswith(b"%")), [])
    return b"array" in banner or len(sizes) != 2
