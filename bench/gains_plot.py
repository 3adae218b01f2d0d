# SPDX-License-Identifier: MIT
"""Draws a race: a panel for each MPI, in it the gains of Carpool over each other way, case by case."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import origin
from races import RACES

COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]  # Okabe and Ito
STYLE = {"font.size": 8, "svg.hashsalt": "carpool", "svg.fonttype": "none"}
SHIFT = 0.13  # between the ways of a case, of the distance of two cases


def ratios(result, race, other):
    """Of each case the quartiles of the gain, or None."""
    for case in result["cases"]:
        judged = next(racer for racer in case["racers"] if racer["name"] == race["judged"])
        yield judged["gain"].get(other)


def draw_way(axes, found, color, shift, label):
    """A point for each case, with the middle half of its ratios."""
    timed = [(place + shift, ratio) for place, ratio in enumerate(found) if ratio]
    places = [place for place, _ in timed]
    axes.vlines(places, [ratio["first"] for _, ratio in timed], [ratio["third"] for _, ratio in timed], color=color, lw=1,
                alpha=0.5)
    axes.plot(places, [ratio["median"] for _, ratio in timed], "o", ms=3, color=color, label=f"over {label}")


def panel(axes, result):
    race = RACES[result["what"].removeprefix("race ")]
    names = [case["case"] for case in result["cases"]]
    first = -SHIFT * (len(race["against"]) - 1) / 2
    for number, other in enumerate(race["against"]):
        draw_way(axes, ratios(result, race, other), COLORS[number], first + number * SHIFT, other)
    axes.axhline(1, color="black", lw=0.6)
    axes.set(yscale="log", title=f"{origin.named(result)}, {result['settings']['ranks']} ranks", ylabel="gain")
    axes.yaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 1.5, 2, 3, 5, 7)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.grid(axis="y", alpha=0.3)
    axes.set_xticks(range(len(names)), names, rotation=40, ha="right")
    axes.set_xlim(-0.6, len(names) - 0.4)


def draw(found, file, sources):
    """The picture remembers its sources."""
    with plt.rc_context(STYLE):
        figure, rows = plt.subplots(len(found), 1, squeeze=False, sharex=True, figsize=(9, 0.8 + 2.4 * len(found)),
                                    layout="constrained")
        for axes, result in zip(rows[:, 0], found):
            panel(axes, result)
        rows[0, 0].legend(ncols=len(COLORS), loc="lower left", bbox_to_anchor=(0, 1.12), frameon=False, fontsize=8)
        figure.savefig(file, metadata={"Date": None, "Source": sources})
        plt.close(figure)
