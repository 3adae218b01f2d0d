# SPDX-License-Identifier: MIT
"""How long each operation has taken in all, by algorithm, and what that saved."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from carpool_cli import costs, reports
from carpool_cli.style import INK, RULES, SOFT, STYLE, WIDTH, literal

MOST = 30  # rows that can be read


def name_of(line):
    return literal(f"{line['operation']}, {reports.size(line)}\n{line['algorithm']}")


def bars_of_time(axes, lines):
    shades = {name: RULES[number % len(RULES)] for number, name in
              enumerate(dict.fromkeys(line["algorithm"] for line in lines))}
    unit, scale = costs.unit_of_seconds(max((reports.mean(line) for line in lines), default=0))
    for row, line in enumerate(lines):
        axes.barh(row, line["seconds"], color=shades[line["algorithm"]], height=0.7)
        axes.text(line["seconds"], row, f"  {line['starts']:,} of "
                  f"{reports.mean(line) * scale:.3g} {unit}", va="center", color=SOFT, fontsize=9)
    axes.set_yticks(range(len(lines)), map(name_of, lines), fontsize=9)
    axes.invert_yaxis()
    axes.set_xmargin(0.4)
    axes.set_xlabel("seconds in all, on rank 0", color=SOFT)
    axes.set_title("Where the time went", color=INK, fontweight="bold")


def bars_of_savings(axes, lines):
    """Nothing where the host MPI's own collective was not measured."""
    for row, line in enumerate(lines):
        saved = line.get("saved", 0)
        axes.barh(row, saved, color=INK if saved > 0 else SOFT, height=0.7)
    axes.axvline(0, color=SOFT, linewidth=0.8)
    axes.set_xlabel("seconds saved against the host MPI", color=SOFT)
    axes.set_title("What it saved", color=INK, fontweight="bold")


def draw(lines, file):
    shown = lines[:MOST]
    with plt.rc_context(STYLE):
        figure, (left, right) = plt.subplots(
            1, 2, sharey=True, width_ratios=(3, 2), figsize=(WIDTH, 1.3 + 0.34 * len(shown)))
        bars_of_time(left, shown)
        bars_of_savings(right, shown)
        for axes in (left, right):
            axes.spines[["top", "right"]].set_visible(False)
        figure.tight_layout()
        figure.savefig(file, dpi=192, metadata={"Date": None} if file.endswith(".svg") else None)
        plt.close(figure)
