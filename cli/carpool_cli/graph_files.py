# SPDX-License-Identifier: MIT
"""Graphs in files: of ranks, or of rows that are dealt to ranks."""

import click

from carpool_cli import edge_files, edge_lists, files, kinds, metis, parts, patterns
from carpool_cli.output import lacking, loaded
from carpool_cli.planner import MOST_RANKS
from carpool_cli.printable import complaint


def question(file, given):
    """What the planner is asked; what was assumed about the file is told at once."""
    try:
        graph, notes = read(file, given)
    except files.Unreadable as error:
        raise click.UsageError(str(error)) from None
    if not 1 <= graph.ranks <= MOST_RANKS:
        anywhere = "; --ids any numbers only those with edges" if graph.ranks and not given.ids else ""
        raise click.UsageError(f"{file}: a graph of {graph.ranks} ranks, expected from 1 to {MOST_RANKS}{anywhere}")
    for note in notes:
        click.echo(complaint(f"{file}: {note}"), err=True)
    return edge_files.asked(graph)


def read(file, given):
    """The graph of ranks, and notes on what was assumed."""
    content = files.content(file)
    kind = kinds.kind_of(file, content)
    if kind is None or kind in (kinds.MATRIX_MARKET, kinds.METIS):
        content = files.without_mark(file, content)
        kind = kinds.kind_of(file, content)
    check(file, kind, given)
    if kind is None:
        return of_list(file, content, given)
    graph = dealt(file, kind, pattern_of(file, content, kind, given), given)
    return graph, edge_lists.idle_notes(graph)


def pattern_of(file, content, kind, given):
    try:
        return getattr(loaded(kind.module, file), kind.reader)(file, content, given)
    except ModuleNotFoundError as missing:  # which a package loads when it needs it
        raise lacking(missing, file) from None


def check(file, kind, given):
    """Options that say nothing about such a file."""
    if kind is not None and given.ids is not None:
        raise click.UsageError(f"--ids {given.ids} is for lists of edges, but {file} is {kind.what}")
    if given.sharing is not None and (kind is None or kind.module != "meshes"):
        what = kind.what if kind else "a list of edges"
        raise click.UsageError(f"--sharing {given.sharing} is for meshes, but {file} is {what}")


def dealt(file, kind, pattern, given):
    """Vertices of a graph of METIS are ranks, unless there are too many of them."""
    patterns.check(file, pattern)
    if kind == kinds.METIS and given.parts is None and (given.ranks or pattern.rows) >= pattern.rows:
        return metis.graph_of_vertices(pattern, given.ranks)
    return parts.graph(file, pattern, given.ranks, given.parts)


def of_list(file, content, given):
    text = files.decoded(file, content, errors="replace")
    if given.parts is not None:
        pattern, notes = edge_lists.vertices(file, text, given.ids)
        graph = parts.graph(file, pattern, given.ranks, given.parts)
        return graph, notes + edge_lists.idle_notes(graph)
    graph, notes = edge_lists.graph(file, text, given.ranks, given.ids)
    if kinds.begins_as_matrix(content):
        notes.insert(0, "has a banner of Matrix Market, but no line of sizes; taken for a list of edges from "
                        f"{edge_lists.LEAST[given.ids or '0']} on, each in one direction")
    return graph, notes
