# SPDX-License-Identifier: MIT
"""The times that were measured for a tuning file, beside what the fitted costs say, and where
another way of a message begins to take less."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

from carpool_cli import costs
from carpool_cli.cut_offs import PACKING, by_mpi
from carpool_cli.fits import fitted
from carpool_cli.style import INK, PALE, PHASES, SOFT, STYLE, WIDTH
from carpool_cli.tune_tables import WORDS

HEIGHT = 4.4  # of a row


def draw(machine, fits, cut_offs, file):
    works = list(dict.fromkeys(one.work for one in fits))
    panels = crossings(cut_offs)
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(WIDTH, (2 if panels else 1) * HEIGHT), layout="constrained")
        rows = figure.subfigures(2 if panels else 1, squeeze=False)[:, 0]
        for axes, work in zip(across(rows[0], works), works, strict=True):
            compare(axes, work, [one for one in fits if one.work == work])
        for axes, panel in zip(across(rows[-1], panels), panels, strict=True) if panels else ():
            cross(axes, **panel)
        figure.suptitle(f"{machine['mpi']}, {machine['ranks']} ranks: what costs explain, and "
                        "where another way begins", color=INK, fontweight="bold")
        figure.savefig(file, dpi=192, metadata={"Date": None} if file.endswith(".svg") else None)
        plt.close(figure)


def across(row, panels):
    axes = row.subplots(1, len(panels), squeeze=False)[0]
    for one in axes:
        one.spines[["top", "right"]].set_visible(False)
    return axes


def times(axis):
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_minor_formatter(NullFormatter())
    axis.set_major_formatter(FuncFormatter(lambda seconds, _: costs.seconds(seconds)))


def compare(axes, work, fits):
    """A point per exchange; on the line, its time is what the costs say."""
    for shade, one in zip(PHASES, fits, strict=False):
        axes.loglog([at["seconds"] for at in one.equations],
                    [fitted(one.costs, at) for at in one.equations], "o", color=shade,
                    alpha=0.75, mec="white", ms=7, label=WORDS[one.level])
    low, high = axes.get_xlim()
    axes.plot([low, high], [low, high], color=PALE, zorder=0)
    axes.set_title(work, color=INK)
    axes.set_xlabel("measured", color=SOFT)
    axes.set_ylabel("fitted", color=SOFT)
    times(axes.xaxis)
    times(axes.yaxis)
    axes.legend(frameon=False)


def crossings(cut_offs):
    """What each panel of ways shows: two curves, and where the one is left for the other."""
    lengths = cut_offs.lengths
    apart = [one for one in cut_offs.put_together if one.parts == 1]
    panels = [
        {"title": "one piece", "at": lengths.get("whole_through_memory"),
         "curves": {"through memory": points(cut_offs.whole, "memory"),
                    "by MPI": points(cut_offs.whole, "whole")}},
        {"title": "16 pieces", "at": lengths.get("put_together_through_memory"),
         "curves": {"through memory": points(apart, "memory"),
                    "by MPI": sorted((one.bytes, by_mpi(lengths, one)) for one in apart
                                     if by_mpi(lengths, one))}},
        {"title": "16 pieces by MPI", "at": packed_below(lengths),
         "curves": {"packed": points(apart, "packed"), "by a datatype": points(apart, "typed")}},
    ]
    return [panel for panel in panels if all(panel["curves"].values())]


def points(messages, way):
    return sorted((one.bytes, one.seconds[way]) for one in messages if way in one.seconds)


def packed_below(lengths):
    """Of a message of one part and 16 pieces."""
    per_message, per_part, per_piece = (lengths.get(name, 0) for name in PACKING)
    return max(per_message, per_part, 16 * per_piece)


def cross(axes, title, at, curves):
    for shade, (name, curve) in zip(PHASES, curves.items(), strict=False):
        axes.loglog([size for size, _ in curve], [seconds for _, seconds in curve], "o-",
                    color=shade, mec="white", ms=6, label=name)
    low, high = axes.get_xlim()
    if low <= at <= high:
        axes.axvline(at, color=PALE, lw=1.4, ls=(0, (4, 3)), zorder=0)
    axes.set_title(f"{title}: up to {costs.size(at)}", color=INK, fontsize=11)
    axes.set_xticks([4.0**k for k in range(3, 13, 3) if low <= 4.0**k <= high])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda size, _: costs.size(int(size))))
    axes.set_xlabel("bytes of a message", color=SOFT)
    times(axes.yaxis)
    axes.legend(frameon=False)
