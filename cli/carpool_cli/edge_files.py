# SPDX-License-Identifier: MIT
"""The edges of a graph in a file for the planner, which is far faster than JSON: see cli/edge_file.hpp."""

import os
import tempfile
import weakref
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Takers:
    """Values with the same owner and the same takers, as classes."""

    values_of_class: np.ndarray
    classes: np.ndarray  # per taker of a class: the class
    edges: np.ndarray  # and the edge, by its number

    @staticmethod
    def none():
        return Takers(*3 * [np.empty(0, np.int32)])


@dataclass(frozen=True)
class Graph:
    """The ends of the edges, and where they are known the values that each carries."""

    ranks: int
    sources: np.ndarray
    targets: np.ndarray
    values: np.ndarray | None = None
    takers: Takers | None = None

    def idle(self):
        """How many ranks have no edge."""
        busy = np.zeros(self.ranks, bool)
        busy[self.sources] = busy[self.targets] = True
        return self.ranks - np.count_nonzero(busy)


class OpenFile(str):
    """How a process that inherits a file opens it; the file is closed with the last who knows."""

    def __new__(cls, file):
        os.set_inheritable(file.fileno(), True)
        name = super().__new__(cls, f"/dev/fd/{file.fileno()}")
        weakref.finalize(name, file.close)
        return name


def asked(graph):
    """What the planner is asked about a graph. Its file has no name in any folder, so nothing is left behind."""
    takers = graph.takers or Takers.none()
    with_values = graph.values is not None
    arrays = (graph.sources, graph.targets, graph.values if with_values else [],
              takers.values_of_class, takers.classes, takers.edges)
    file = tempfile.TemporaryFile()
    for array in arrays:
        file.write(np.ascontiguousarray(array, np.int32))
    file.flush()
    return {"ranks": graph.ranks, "file": OpenFile(file), "edges": len(graph.sources),
            "values": with_values, "classes": len(takers.values_of_class), "takers": len(takers.classes)}
