# SPDX-License-Identifier: MIT
"""The cost of each rule over the block size, and where the cheapest one changes."""

import math
from itertools import pairwise

import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from carpool_cli import costs
from carpool_cli.style import INK, PALE, RULES, SOFT


def draw(axes, answer):
    steps = costs.cut_offs(answer)
    highest = max(4096.0, *(at for at, _ in steps)) * 32
    colour = groups(axes, answer, np.geomspace(1, highest, 300))
    axes.set_xlim(1, highest)
    zones(axes, steps, highest, colour)
    scales(axes, highest)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.02, 0.5), handlelength=1.6)
    axes.spines[["top", "right"]].set_visible(False)


def groups(axes, answer, sizes):
    """A line per rule, one for those of equal cost; the colour of each rule."""
    together = {}
    for rule in answer["rules"]:
        one = costs.line(rule, answer)
        together.setdefault((one.start, one.slope), []).append(one)
    colour = {}
    drawn = axes.loglog if any(start or slope for start, slope in together) else axes.semilogx
    for number, lines in enumerate(together.values()):
        shade = RULES[number % len(RULES)]
        drawn(sizes, [lines[0].at(m) for m in sizes], color=shade, lw=2.2,
                    label="\n= ".join(one.name for one in lines))
        colour |= {one.name: shade for one in lines}
    return colour


def zones(axes, steps, highest, colour):
    """Tints where a rule is the cheapest, with its name above and the cut-off between."""
    limits = [1.0, *(max(1.0, at) for at, _ in steps[1:]), highest]
    above = axes.get_xaxis_transform()
    for (_, name), (low, high) in zip(steps, pairwise(limits), strict=True):
        axes.axvspan(low, high, color=colour[name], alpha=0.10, lw=0, zorder=0)
        if math.log(high / low) > 0.2 * math.log(highest):
            axes.text(math.sqrt(low * high), 1.13, f"{name} is cheapest", transform=above,
                      ha="center", va="bottom", fontsize=10, color=INK, fontweight="bold")
    for at, height in zip(limits[1:-1], heights(limits[1:-1], highest), strict=True):
        axes.axvline(at, color=PALE, lw=1.2, ls=(0, (4, 3)), zorder=1)
        axes.text(at, height, costs.size(round(at)), transform=above, ha="center", va="bottom",
                  fontsize=9.5, color=SOFT)


def heights(cut_offs, highest):
    """Where the cut-offs are written: one too close to that before it goes above it, or below."""
    found = []
    for before, at in pairwise([0, *cut_offs]):
        close = before and math.log(at / before) < 0.1 * math.log(highest)
        found.append(1.075 if close and found[-1] == 1.02 else 1.02)
    return found


def scales(axes, highest):
    axes.xaxis.set_major_locator(FixedLocator([16.0**k for k in range(12) if 16.0**k <= highest]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda m, _: costs.size(round(m))))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda t, _: costs.seconds(t)))
    axes.set_xlabel("bytes of a block")
    axes.set_ylabel("estimated time")
