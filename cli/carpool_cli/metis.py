# SPDX-License-Identifier: MIT
"""Graphs as METIS and Chaco have them: a line with the numbers of vertices and edges, then a line for
each vertex, with its neighbors, which are counted from 1. What follows a % says nothing."""

import numpy as np

from carpool_cli import files, patterns
from carpool_cli.edge_files import Graph

MOST_DIGITS = 9
MOST_EDGES = 1 << 24  # in one direction each, as in cli/graph_question.cpp


def graph_of_vertices(pattern, ranks):
    """Each vertex is a rank."""
    return Graph(ranks or pattern.rows, pattern.needed, pattern.needing)


def pattern(file, content, given):
    return pattern_in(file, files.decoded(file, content, errors="replace"))


def pattern_in(file, text):
    """The vertices and their neighbors, each edge in both directions."""
    lines = [(number, line.split("%")[0]) for number, line in files.numbered_lines(text)
             if not line.lstrip().startswith("%")]
    start, words = first_of(file, lines)
    vertices, edges, skipped, step = header(file, start, words)
    below = [line for line in lines if line[0] > start]
    for number, line in below[vertices:]:
        if line.strip():
            raise files.mistake_in(file, number, f"expected the end, after {vertices} vertices")
    listed = [line.split()[skipped::step] for _, line in below[:vertices]]
    targets = neighbors(file, below, listed, vertices)
    sources = np.repeat(np.arange(len(listed)), [len(words) for words in listed])
    check(file, start, edges, sources, targets)
    return patterns.Pattern(vertices, vertices, targets, sources, "vertex")


def is_one(file, text):
    try:
        return bool(len(pattern_in(file, text).needed))
    except files.Unreadable:
        return False


def first_of(file, lines):
    for number, line in lines:
        if line.strip():
            return number, line.split()
    raise files.Unreadable(f"{file}: expected a line with the numbers of vertices and edges")


def header(file, number, words):
    """The numbers of vertices and edges. Also the index of the first word that is a neighbor, and the
    step to the next."""
    if not 2 <= len(words) <= 4 or not all(is_number(word) for word in words):
        raise files.mistake_in(file, number, f"'{' '.join(words[:4])}', expected the numbers of "
                               "vertices and edges of a graph of METIS, such as 6 6")
    if 2 * int(words[1]) > MOST_EDGES:
        raise files.mistake_in(file, number, f"{words[1]} edges, expected at most {MOST_EDGES // 2}")
    kinds = words[2].zfill(3)[-3:] if len(words) > 2 else "000"
    weights = (int(words[3]) if len(words) > 3 else 1) if kinds[1] == "1" else 0
    return int(words[0]), int(words[1]), int(kinds[0]) + weights, 1 + int(kinds[2])


def is_number(word):
    return word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS


def neighbors(file, lines, listed, vertices):
    """The words of all lines as numbers from 0 on."""
    for (number, _), words in zip(lines, listed, strict=False):
        for word in words:
            if not is_number(word) or not 1 <= int(word) <= vertices:
                raise files.mistake_in(file, number, f"neighbor '{word}', expected from 1 to {vertices}")
    return np.array([word for words in listed for word in words], np.int64) - 1


def check(file, line, edges, sources, targets):
    """Each edge is in the lines of both of its ends."""
    if len(sources) != 2 * edges:
        raise files.mistake_in(file, line, f"{edges} edges, but the lines below have {len(sources)} "
                               f"neighbors, expected {2 * edges}")
    count = max(sources.max(initial=0), targets.max(initial=0)) + 1
    alone = np.setdiff1d(sources * count + targets, targets * count + sources)
    if len(alone):
        vertex, neighbor = divmod(int(alone[0]), int(count))
        raise files.Unreadable(f"{file}: vertex {vertex + 1} has the neighbor {neighbor + 1}, "
                               "expected the same the other way round")
