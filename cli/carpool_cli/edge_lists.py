# SPDX-License-Identifier: MIT
"""Lists of edges: a line "from to" or "from to weight" for each. What follows a # or % says nothing."""

import re
from dataclasses import dataclass

import numpy as np

from carpool_cli import files, metis
from carpool_cli.edge_files import Graph
from carpool_cli.patterns import Pattern
from carpool_cli.planner import MOST_RANKS

# What --ids says of the numbers in a list, and the least of them.
LEAST = {"0": 0, "1": 1, "any": 0}
MOST_DIGITS = {"0": 9, "1": 9, "any": 18}
MOST_VALUES = (1 << 31) - 1  # along an edge
COMMENT = re.compile(r"[#%].*")
WEIGHT = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?")


@dataclass
class EdgeList:
    """The edges of a file; `weights` where a third word of each line is a whole number."""

    file: str
    ids: str
    text: str
    sources: np.ndarray
    targets: np.ndarray
    weights: np.ndarray | None = None
    left_out: bool = False  # weights that are no numbers of values
    skipped: int = 0  # lines taken away above

    def header(self, ranks):
        """Takes away a first line that has the numbers of vertices and of edges, and returns the
        number of vertices; None if there is no such line. Of two lines each may be an edge."""
        if len(self.sources) < 3 or self.targets[0] != len(self.sources) - 1 or self.weights is not None:
            return None
        vertices, ends = int(self.sources[0]), np.append(self.sources[1:], self.targets[1:])
        if ranks not in (None, vertices):
            return None
        if ends.max() > vertices or (ends.max() == vertices and ends.min() != 1):
            return None
        self.sources, self.targets, self.skipped = self.sources[1:], self.targets[1:], 1
        return vertices

    def ranks(self):
        """As many as the numbers of the ends need, which then begin at 0."""
        least = LEAST[self.ids]
        if self.ids == "any":
            names, ends = np.unique(np.append(self.sources, self.targets), return_inverse=True)
            self.sources, self.targets = np.split(ends, 2)
            return len(names)
        self.check((self.sources >= least) & (self.targets >= least), f"expected numbers from {least} on")
        self.sources, self.targets = self.sources - least, self.targets - least
        return int(max(self.sources.max(initial=-1), self.targets.max(initial=-1))) + 1

    def check_room(self, needed, count):
        if self.ids == "any" and needed > count:
            raise files.Unreadable(f"{self.file}: {needed} numbers, expected at most {count}, of --ranks")
        least = LEAST[self.ids]
        self.check((self.sources < count) & (self.targets < count),
                   f"expected ranks from {least} to {count - 1 + least}", least)

    def check(self, right, expected, shifted=0):
        if right.all():
            return
        wrong = int(np.argmin(right))
        raise files.mistake_in(self.file, line_of(self.text, wrong + self.skipped),
                               f"edge {self.sources[wrong] + shifted} to {self.targets[wrong] + shifted}, {expected}")

    def advice(self, graph):
        if self.ids != "0":
            return ""
        ends = np.append(self.sources, self.targets)
        if graph.idle() == 1 and ends.min(initial=1) == 1:
            return ": rank 0; if numbers begin at 1 there, say --ids 1"
        return "; --ids any numbers only those that have one"

    def weight_notes(self):
        if self.weights is not None:
            return ["the third number of a line is taken for how many values of --block the edge carries"]
        return ["the third words of lines are no numbers of values; they are left out"] if self.left_out else []


def words_of_lines(text):
    """The words of each line that has some, with the number of the line."""
    for number, line in files.numbered_lines(text):
        if words := COMMENT.sub("", line).split():
            yield number, words


def line_of(text, edge):
    return next(number for place, (number, _) in enumerate(words_of_lines(text)) if place == edge)


def edge_list(file, text, ids):
    """By numpy if all is digits, else line by line."""
    ids = ids or "0"
    plain = COMMENT.sub("", text) if "#" in text or "%" in text else text
    columns = columns_of(plain, MOST_DIGITS[ids])
    if columns is not None:
        check_number(file, len(columns[0]))
        return EdgeList(file, ids, text, *columns)
    edges = edges_of_lines(file, text, ids)
    ends = np.array([words[:2] for words in edges], np.int64).reshape(-1, 2)
    return EdgeList(file, ids, text, ends[:, 0], ends[:, 1], left_out=any(len(words) > 2 for words in edges))


def columns_of(plain, most_digits):
    """Two or three columns of whole numbers; None if there is anything else."""
    if not plain.isascii() or plain.translate(dict.fromkeys(map(ord, "0123456789 \t\r\n"))) or not plain.strip():
        return None
    try:
        table = np.loadtxt(plain.splitlines(), np.int64, ndmin=2)
    except (ValueError, OverflowError):
        return None
    most = 10 ** most_digits
    if table.shape[1] not in (2, 3) or table[:, :2].max() >= most or table.max() > max(most, MOST_VALUES):
        return None
    return table.T


def edges_of_lines(file, text, ids):
    """The words of edges, of which the third may be any number."""
    found = []
    for number, words in words_of_lines(text):
        width = len(found[0]) if found else len(words)
        if width not in (2, 3) or len(words) != width or not all(
                is_end(word, ids) for word in words[:2]) or not all(map(WEIGHT.fullmatch, words[2:])):
            raise files.mistake_in(
                file, number, f"'{' '.join(words[:4])}', expected two ranks, from and to, such as "
                              "0 1; or a graph of METIS, in a file whose name ends in .graph")
        found.append(words)
        check_number(file, len(found))
    return found


def is_end(word, ids):
    return word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS[ids]


def check_number(file, count):
    if count > metis.MOST_EDGES + 1:  # and a first line that is none
        raise files.Unreadable(f"{file}: {count} edges, expected at most {metis.MOST_EDGES}")


def graph(file, text, ranks, ids):
    """The ranks and edges, and notes on what was assumed."""
    try:
        found = edge_list(file, text, ids)
    except files.Unreadable:
        if not metis.is_one(file, text):
            raise
        return of_metis(file, text, ranks)
    if not len(found.sources):
        return Graph(ranks or 0, found.sources, found.targets), []
    vertices = found.header(ranks)
    if vertices is not None and metis.is_one(file, text):
        return of_metis(file, text, ranks)
    needed = found.ranks()
    count = ranks or max(needed, vertices or 0 if found.ids != "any" else 0)
    found.check_room(needed, count)
    notes = [] if vertices is None else [
        f"line {line_of(text, 0)} is taken for the numbers of vertices and edges, {vertices} and {len(found.sources)}; "
        "if it is an edge, move it down"]
    made = weighed(found, count)
    idle = [] if ranks or count > MOST_RANKS else [
        f"{note}{found.advice(made)}" for note in idle_notes(made)]
    return made, notes + found.weight_notes() + idle


def of_metis(file, text, ranks):
    graph = metis.graph_of_vertices(metis.pattern_in(file, text), ranks)
    return graph, [f"line {line_of(text, 0)} and those below it are taken for a graph of METIS"]


def weighed(found, count):
    """Edges without a value are none."""
    if found.weights is None:
        return Graph(count, found.sources, found.targets)
    some = found.weights > 0
    return Graph(count, found.sources[some], found.targets[some], values=found.weights[some])


def vertices(file, text, ids):
    """The list as a pattern of vertices, which are not ranks, and what was assumed."""
    found = edge_list(file, text, ids)
    listed = found.header(None)
    count = max(found.ranks(), listed or 0)
    notes = ["weights are left out, since vertices are dealt to ranks"] if found.weights is not None else []
    return Pattern(count, count, found.targets, found.sources, "vertex"), notes


def idle_notes(graph):
    """A note on ranks that have no edge."""
    missing = graph.idle()
    return [f"{missing:,} of {graph.ranks:,} ranks {'has' if missing == 1 else 'have'} no edge"] if missing else []
