# SPDX-License-Identifier: MIT
"""The simulated time of each method over the block size."""

import math

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, NullLocator

from carpool_cli import costs
from carpool_cli.style import RULES, STYLE, WIDTH, literal


def draw(found, file):
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(WIDTH, 4.2), layout="constrained")
        lines(axes, found)
        scales(axes, found)
        figure.savefig(file, dpi=192, metadata={"Date": None} if file.endswith(".svg") else None)
        plt.close(figure)


def lines(axes, found):
    """Those by SimGrid have full marks."""
    sizes = sizes_of(found)
    for number, method in enumerate(found["methods"]):
        shade = RULES[number % len(RULES)]
        times = [cost["time"] or math.nan for cost in method["costs"]]
        axes.plot(sizes, times, color=shade, lw=2, label=method["name"],
                  ls="-" if number < len(RULES) else "--")
        for size, time, cost in zip(sizes, times, method["costs"], strict=True):
            axes.plot([size], [time], "o", color=shade,
                      mfc=shade if cost["engine"] == "simgrid" else "white")


def scales(axes, found):
    """Logarithmic unless there is nothing above 0."""
    shown = [(size, cost["time"]) for method in found["methods"]
             for size, cost in zip(sizes_of(found), method["costs"], strict=True) if cost["time"] is not None]
    for set_scale, values in ((axes.set_xscale, (size for size, _ in shown)),
                              (axes.set_yscale, (time for _, time in shown))):
        set_scale("log" if any(value > 0 for value in values) else "linear")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_xticks(sizes_of(found))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda m, _: costs.size(round(m))))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda t, _: costs.seconds(t)))
    axes.set_xlabel("bytes of a block")
    axes.set_title(literal(f"{found['place']}: {found['ranks']:,} ranks on {found['platform']}"), loc="left")
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.02, 0.5))
    axes.spines[["top", "right"]].set_visible(False)


def sizes_of(found):
    return found["sizes"] or found["block_bytes"][:1] or [0]
