# SPDX-License-Identifier: MIT
"""A plan as a picture: ways of the blocks, and below them the cost over the block size; or the
steps of a collective."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from carpool_cli import cost_plot, steps, ways
from carpool_cli.style import INK, SOFT, STYLE, WIDTH

# Inches, from the top.
TITLE, PANEL, LEGEND, COST = 0.95, 3.3, 0.75, 3.4


def draw(answer, file):
    with plt.rc_context(STYLE):
        figure = stepped(answer) if "collective" in answer else planned(answer)
        figure.savefig(file, dpi=192, metadata={"Date": None} if file.endswith(".svg") else None)
        plt.close(figure)


def stepped(answer):
    """Rows come closer where there are many."""
    ranks = answer["ranks"]
    rows = max(0.8, ranks * (0.34 if ranks <= 16 else 0.24 if ranks <= 32 else 0.17))
    height = 1.2 + rows + 0.6
    figure = plt.figure(figsize=(WIDTH, height), facecolor="white")
    headline(figure, height, WIDTH / 2, steps.title(answer), steps.caption(answer["rules"][0]))
    axes = figure.add_axes([0.8 / WIDTH, 0.6 / height, (WIDTH - 1.2) / WIDTH,
                            rows / height])
    steps.draw(axes, answer)
    return figure


def headline(figure, height, middle, title, caption):
    figure.text(middle / WIDTH, 1 - 0.3 / height, title, ha="center", va="center", fontsize=14,
                fontweight="bold", color=INK)
    figure.text(middle / WIDTH, 1 - 0.68 / height, caption, ha="center", va="center",
                fontsize=10.5, color=SOFT, linespacing=1.4)


def planned(answer):
    """Ways above the cost, where they can be drawn; else the cost alone."""
    shown = [] if "graph" in answer else ways.pair(answer)
    top = TITLE + PANEL + LEGEND if shown else 0.2
    height = top + COST
    figure = plt.figure(figsize=(WIDTH, height), facecolor="white")
    for column, rule in enumerate(shown):
        panel(figure, height, 0.2 + column * WIDTH / 2, rule, answer)
    if shown:
        figure.legend(handles=ways.common_legend(shown), loc="center", frameon=False, ncol=2,
                      bbox_to_anchor=(0.5, 1 - (top - 0.15) / height), columnspacing=2.5)
    cost_plot.draw(figure.add_axes([0.95 / WIDTH, 0.65 / height, (WIDTH - 2.9) / WIDTH,
                                    (COST - 1.4) / height]), answer)
    return figure


def panel(figure, height, left, rule, answer):
    width = WIDTH / 2 - 0.4
    middle = (left + width / 2) / WIDTH
    headline(figure, height, left + width / 2, ways.title(rule), ways.caption(rule))
    axes = figure.add_axes([left / WIDTH, (height - TITLE - PANEL) / height, width / WIDTH,
                            PANEL / height])
    ways.draw(axes, rule, answer)
    figure.legend(handles=ways.phase_legend(rule), loc="center", frameon=False, ncol=6,
                  bbox_to_anchor=(middle, 1 - (TITLE + PANEL + 0.2) / height), handlelength=1.3,
                  columnspacing=1.2, handletextpad=0.5)
