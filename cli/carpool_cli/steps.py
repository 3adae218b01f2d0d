# SPDX-License-Identifier: MIT
"""Who sends to whom in a collective: a row per rank, a column per phase, an arrow per message."""

import math

from carpool_cli.costs import counted, size
from carpool_cli.style import FAINT, INK, PALE, PHASES, SOFT

# More columns are too narrow to tell arrows apart.
MOST_PHASES = 12


def phases(rule):
    """[(phase, its messages), ...] as many as are shown; phases without messages are left out."""
    found = {}
    for message in rule["sent"]:
        found.setdefault(message["phase"], []).append(message)
    return sorted(found.items())


def title(answer):
    root = "" if answer["root"] is None else f" from root {answer['root']}"
    if answer["collective"] in ("gather", "reduce"):
        root = root.replace("from", "to")
    return f"{answer['collective']} on {counted(answer['ranks'], 'rank')}{root}: {answer['choice']}"


def caption(rule):
    found = phases(rule)
    text = f"{counted(len(rule['sent']), 'message')} in {counted(len(found), 'phase')}"
    if len(found) > MOST_PHASES:
        text += f", of which the first {MOST_PHASES} are shown"
    return text + "; the wider an arrow, the more bytes"


def draw(axes, answer):
    rule = answer["rules"][0]
    shown = phases(rule)[:MOST_PHASES]
    most = max((message["bytes"] for message in rule["sent"]), default=0)
    lines(axes, answer["ranks"], len(shown))
    for column, (phase, messages) in enumerate(shown):
        heading(axes, answer["ranks"], column, phase, messages)
        for message in messages:
            arrow(axes, column, message, width_of(message, most, answer["ranks"]))
    dots(axes, answer["ranks"], [messages for _, messages in shown])
    names(axes, answer)
    axes.set_xlim(-0.12, max(len(shown), 1) + 0.12)
    axes.set_ylim(answer["ranks"] - 0.4, -0.6)
    axes.set_axis_off()


def colour_of(column):
    return PHASES[column % len(PHASES)]


def lines(axes, ranks, columns):
    """Faint lines that tell rows apart."""
    for rank in range(ranks):
        axes.plot([0, columns], [rank, rank], color=FAINT, lw=1, zorder=0)


def heading(axes, ranks, column, phase, messages):
    """The phase above its column, and below it what is sent in it."""
    axes.annotate(f"{phase + 1}" if column else f"phase {phase + 1}", (column + 0.5, -0.6), (0, 6), textcoords="offset points",
                  ha="center", va="bottom", fontsize=10, fontweight="bold", color=colour_of(column),
                  annotation_clip=False)
    axes.annotate(f"{len(messages)} × {span([message['bytes'] for message in messages])}",
                  (column + 0.5, ranks - 0.4), (0, -6), textcoords="offset points", ha="center",
                  va="top", fontsize=9, color=SOFT, annotation_clip=False)


def span(sizes):
    """Of one message, or of the smallest and the largest."""
    low, high = size(min(sizes)), size(max(sizes))
    if low == high:
        return low
    number, unit = low.split()
    return f"{number} – {high}" if high.endswith(f" {unit}") else f"{low} –\n{high}"


def radius(ranks):
    """Of a rank's dot, in points."""
    return max(1.8, 4.6 - ranks / 24)


def width_of(message, most, ranks):
    """Thinner where many arrows cross."""
    share = math.sqrt(message["bytes"] / most) if most else 0
    return (0.8 + 1.8 * share) * (1 if ranks <= 16 else 0.6)


def arrow(axes, column, message, width):
    axes.annotate("", (column + 1, message["to"]), (column, message["from"]), zorder=2, arrowprops={
        "arrowstyle": "-|>,head_width=0.22,head_length=0.5", "lw": width,
        "color": colour_of(column),
        "shrinkA": 5, "shrinkB": 5, "mutation_scale": 10})


def dots(axes, ranks, columns):
    """Dark before a rank sends, and where it has just received."""
    for column in range(len(columns) + 1):
        busy = {message["to"] for message in columns[column - 1]} if column else set()
        if column < len(columns):
            busy |= {message["from"] for message in columns[column]}
        for rank in range(ranks):
            axes.scatter(column, rank, s=(2 * radius(ranks)) ** 2, zorder=3, linewidths=1.2,
                         color=INK if rank in busy else "white",
                         edgecolor=INK if rank in busy else PALE, clip_on=False)


def names(axes, answer):
    for rank in range(answer["ranks"]):
        root = rank == answer["root"]
        axes.annotate(f"root {rank}" if root else f"{rank}", (0, rank), (-11, 0),
                      textcoords="offset points", ha="right", va="center", annotation_clip=False,
                      fontsize=9 if answer["ranks"] <= 32 else 7, color=INK if root else SOFT,
                      fontweight="bold" if root else "normal")
