# SPDX-License-Identifier: MIT
"""Graphs in GraphML and GML, read by networkx. The vertices are numbered as the file lists them."""

import io

import networkx
import numpy as np

from carpool_cli import files
from carpool_cli.patterns import Pattern


def of_graphml(file, content, given):
    return pattern(file, "GraphML", lambda: networkx.read_graphml(io.BytesIO(content)))


def of_gml(file, content, given):
    return pattern(file, "GML", lambda: networkx.read_gml(io.BytesIO(content), label="id"))


def pattern(file, form, read):
    try:
        graph = read()
    except Exception as error:  # networkx has no one kind of error for files that it does not take
        raise files.Unreadable(f"{file} is no graph in {form}: {error}") from None
    numbers = {vertex: number for number, vertex in enumerate(graph)}
    ends = np.array([[numbers[end] for end in edge[:2]] for edge in graph.edges()], np.int64).reshape(-1, 2)
    sources, targets = ends.T
    if not graph.is_directed():
        sources, targets = np.append(sources, targets), np.append(targets, sources)
    return Pattern(len(numbers), len(numbers), targets, sources, "vertex")
