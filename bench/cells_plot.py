# SPDX-License-Identifier: MIT
"""Draws all cells of some runs, sorted, by gain over the best of the host's forms. Several results of one MPI count as so
many runs more."""

import math

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import cell_results
import origin

COLORS = {"mpich": "#2186eb", "openmpi": "#e66a1f"}
MARKERS = {1: "o", 4: "^"}  # by hosts
GAP = 0.06  # between kinds, of the width of one


def width_of(cells):
    """Of a kind's place: many cells need more of it, but few are to be seen too."""
    return math.sqrt(len(cells))


def places(cells, begin, width):
    """One per cell, evenly over the place of its kind."""
    return [begin + width * (place + 0.5) / len(cells) for place in range(len(cells))]


def draw_cells(axes, cells, begin, width, color):
    at = places(cells, begin, width)
    axes.vlines(at, *zip(*(cell.spread for cell in cells)), color=color, linewidth=0.5, alpha=0.45,
                zorder=1)
    for hosts, marker in MARKERS.items():
        some = [(x, cell.gain) for x, cell in zip(at, cells) if cell.hosts == hosts]
        axes.plot(*zip(*some) if some else ((), ()), marker, markersize=2.2, color=color,
                  markeredgewidth=0, zorder=2)


def labelled(kind, by_mpi):
    below = ", ".join(str(sum(cell.is_below for cell in cells)) for cells in by_mpi.values())
    return f"{kind}\n{below} of {max(map(len, by_mpi.values()))}"


def panel(axes, found, form):
    """The kinds side by side, in each the cells of each MPI sorted."""
    begin, ticks = 0.0, []
    for kind in cell_results.KINDS:
        some = [cell for cell in found if (cell.kind, cell.form) == (kind, form)]
        by_mpi = {mpi: [cell for cell in some if cell.mpi == mpi] for mpi in origin.MPIS}
        by_mpi = {mpi: cells for mpi, cells in by_mpi.items() if cells}
        if not by_mpi:
            continue
        width = max(map(width_of, by_mpi.values()))
        for mpi, cells in by_mpi.items():
            draw_cells(axes, cells, begin, width, COLORS[mpi])
        ticks.append((begin + width / 2, labelled(kind, by_mpi)))
        begin += width
        axes.axvline(begin + GAP * width / 2, color="#cccccc", linewidth=0.6)
        begin += GAP * width
    axes.set_xticks(*zip(*ticks), fontsize=8)
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.01 * begin, begin)
    axes.axhline(cell_results.LEAST, color="#c44569", linewidth=0.8, zorder=3)


def finish_axes(axes, form):
    axes.set_yscale("log")
    axes.set_yticks(ticks := [0.25, 0.5, 0.75, 1, 1.5, 2, 4, 10, 30, 100],
                    [f"{tick:g}" for tick in ticks], fontsize=8)
    axes.minorticks_off()
    axes.grid(axis="y", linewidth=0.3, color="#dddddd")
    axes.set_axisbelow(True)
    axes.set_title(f"{form}; under each kind: how many are below {cell_results.LEAST}",
                   fontsize=9, loc="left")
    axes.set_ylabel("best host form's time / Carpool's", fontsize=8)


def legend(axes, found):
    for mpi, color in COLORS.items():
        if any(cell.mpi == mpi for cell in found):
            axes.plot([], [], "s", color=color, label=origin.MPIS[mpi])
    for hosts, words in ((1, "one node"), (4, "4 hosts")):
        axes.plot([], [], MARKERS[hosts], color="gray", markersize=4, label=words)
    axes.plot([], [], color="gray", linewidth=0.5, label="least to most of the runs")
    axes.legend(fontsize=7, loc="upper right", ncols=5, frameon=False)


def draw(found, file, sources):
    plt.rcParams.update({"svg.hashsalt": "carpool"})
    figure, rows = plt.subplots(2, 1, sharey=True, figsize=(11, 8.2))
    for axes, form in zip(rows, cell_results.FORMS, strict=True):
        panel(axes, found, form)
        finish_axes(axes, form)
    ends = [end for cell in found for end in cell.spread]
    rows[0].set_ylim(max(0.1, min(ends) * 0.9), max(ends) * 1.3)
    legend(rows[0], found)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None, "Source": sources})
    plt.close(figure)
