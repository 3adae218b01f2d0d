#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/graphs.svg from the tables of docs/measurements/graphs.md."""

import re
from pathlib import Path

import matplotlib.pyplot as plt

DOCS = Path(__file__).resolve().parent.parent / "docs"
RULES = ("friends", "cumulative", "mesh", "grid", "hypercube", "cartesian")
SIDES = (("Random", "density ", "random, P = 4096, by density"),
         ("Moore", "= ", "Moore, P = 8192, by (D, R)"))


def tables():
    """Per graph and rule, the modelled time for 4 B in percent of direct."""
    found = {}
    for line in (DOCS / "measurements" / "graphs.md").read_text().splitlines():
        if line.startswith("### "):
            graph = found.setdefault(line[4:].strip(), {})
        row = re.match(r"\| (\w+) \|", line)
        if row and found and row[1] in ("direct", *RULES):
            graph[row[1]] = int(line.split("|")[5].split(",")[0])
    return found


def draw(axes, graphs, side):
    kind, before_label, title = side
    keys = [key for key in graphs if key.startswith(kind)]
    labels = [key.split(before_label)[-1] for key in keys]
    for rule in RULES:
        if all(rule in graphs[key] for key in keys):
            axes.plot(labels, [graphs[key][rule] for key in keys], marker="o", ms=3, label=rule)
    axes.axhline(100, color="black", lw=0.6)
    axes.set_title(title)
    axes.set_ylim(0, 220)
    axes.legend(fontsize=7)


def main():
    plt.rcParams.update({"font.size": 8, "svg.hashsalt": "carpool"})
    figure, sides = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True)
    graphs = tables()
    for axes, side in zip(sides, SIDES):
        draw(axes, graphs, side)
    sides[0].set_ylabel("modelled time, % of direct, 4 B, InfiniBand")
    figure.tight_layout()
    figure.savefig(DOCS / "graphs.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
