"""Plans as pictures: the ways of one rank's blocks, and the cost over the block size."""

import math
from itertools import pairwise

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from carpool import costs

# Okabe and Ito's colours, which all eyes can tell apart.
PHASES = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
INK = "#333333"
PALE = "#BBBBBB"
STYLE = {"svg.hashsalt": "carpool", "font.size": 10, "font.family": "DejaVu Sans",
         "axes.edgecolor": PALE, "axes.titlesize": 12, "axes.titleweight": "bold",
         "text.color": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK}


def draw(answer, wanted, model, file):
    """Ways above or beside the cost, for 2 and 3 dimensions; the cost alone for others."""
    rules = {rule["name"]: rule for rule in answer["rules"]}
    combined = rules[wanted] if wanted not in ("auto", "direct") else fewest_messages(rules)
    with plt.rc_context(STYLE):
        spatial = answer["dimensions"] in (2, 3) and answer["neighbors"] > 0
        figure = plt.figure(figsize=(13 if spatial else 6, 4.6), layout="constrained")
        kind = {"projection": "3d"} if answer["dimensions"] == 3 else {}
        if spatial:
            for place, rule in ((1, rules["direct"]), (2, combined)):
                ways(figure.add_subplot(1, 3, place, **kind), rule, answer)
        cost(figure.add_subplot(1, 3 if spatial else 1, 3 if spatial else 1), answer, model)
        figure.savefig(file, dpi=150, metadata={"Date": None} if file.endswith(".svg") else None)
        plt.close(figure)


def fewest_messages(rules):
    return min((rule for name, rule in rules.items() if name != "direct"),
               key=lambda rule: (rule["rounds"], rule["volume"], rule["phases"],
                                 not rule["automatic"]))


def arrows(rule):
    """{(from, to, phase): number of blocks} over the plan's moves."""
    found = {}
    for one in rule["plan"]:
        for move in one["moves"]:
            key = (tuple(rule["ways"][move["from"]]), tuple(rule["ways"][move["to"]]), one["phase"])
            found[key] = found.get(key, 0) + 1
    return found


def ways(axes, rule, answer):
    """The stops of one rank's blocks and the hops between them, a colour per phase."""
    flat = answer["dimensions"] == 2
    moves = arrows(rule)
    stops = {tuple(offset) for offset in answer["offsets"]} | {end for _, end, _ in moves}
    points = np.array(sorted(stops | {(0,) * answer["dimensions"]}))
    axes.scatter(*points.T, s=90 if flat else 35, color="white", edgecolor=INK, zorder=3)
    axes.scatter(*[[0]] * answer["dimensions"], s=170 if flat else 70, color=INK, zorder=4)
    for (start, end, phase), blocks in sorted(moves.items(), reverse=True):
        (arrow_2d if flat else arrow_3d)(axes, start, end, PHASES[phase % len(PHASES)], blocks)
    phases = rule["phases"]
    axes.set_title(f"{rule['name']}: {rule['rounds']} messages, {phases} "
                   f"phase{'s' if phases != 1 else ''}")
    caption(axes, rule, flat)
    axes.set_aspect("equal")
    axes.margins(0.18)
    frame(axes, flat)


def caption(axes, rule, flat):
    handles = [plt.Line2D([], [], color=PHASES[phase % len(PHASES)], lw=3,
                          label=f"phase {phase + 1}" if rule["phases"] > 1 else "all at once")
               for phase in range(min(rule["phases"], 6))]
    note = ("the rank in the middle sends every block alone" if rule["name"] == "direct" else
            "numbers: blocks that share a ride; every rank sends one\n"
            "message per colour and direction, and passes others' on")
    axes.legend(handles=handles, title=note, loc="upper center", ncol=max(1, min(len(handles), 3)),
                bbox_to_anchor=(0.5, 0.0 if flat else 0.05), frameon=False)


def frame(axes, flat):
    if flat:
        axes.set_xticks([])
        axes.set_yticks([])
        for side in axes.spines.values():
            side.set_visible(False)
        return
    axes.set_axis_off()
    axes.view_init(elev=18, azim=-62)
    axes.set_box_aspect(None, zoom=1.25)


def arrow_2d(axes, start, end, colour, blocks):
    """A bow where it would pass over other stops."""
    (x, y), (dx, dy) = start, np.subtract(end, start)
    bow = 0.25 if math.gcd(dx, dy) > 1 else 0
    axes.annotate("", end, start, zorder=2, arrowprops={
        "arrowstyle": "-|>,head_width=0.28,head_length=0.55", "color": colour,
        "lw": 1.2 + 0.8 * blocks**0.5, "shrinkA": 7, "shrinkB": 6,
        "connectionstyle": f"arc3,rad={bow}"})
    if blocks > 1:
        axes.text(x + (dx + bow * dy) / 2, y + (dy - bow * dx) / 2, str(blocks), ha="center", va="center", fontsize=9, zorder=5,
                  bbox={"boxstyle": "circle,pad=0.15", "fc": "white", "ec": colour})


def arrow_3d(axes, start, end, colour, blocks):
    step = np.subtract(end, start)
    axes.quiver(*start, *step * 0.9, color=colour, lw=0.8 + 0.6 * blocks**0.5,
                arrow_length_ratio=0.18 / max(np.linalg.norm(step), 1))
    if blocks > 1:
        axes.text(*(np.add(start, end) / 2), str(blocks), fontsize=8, ha="center", va="center",
                  bbox={"boxstyle": "circle,pad=0.1", "fc": "white", "ec": colour})


def cost(axes, answer, model):
    """A line per rule over the block size; the cheapest one thick, and where it changes."""
    steps = costs.cut_offs(answer["rules"], model)
    highest = max([at for at, _ in steps] + [1024]) * 32
    sizes = np.geomspace(1, highest, 200)
    lines = {rule["name"]: costs.line(rule, model) for rule in answer["rules"]}
    for number, (name, one) in enumerate(lines.items()):
        axes.loglog(sizes, [one.at(m) * 1e6 for m in sizes], label=name,
                    color=PHASES[number % len(PHASES)], lw=1.6, ls=["-", ":", "--", "-."][number % 4])
    limits = [1.0, *(at for at, _ in steps[1:]), highest]
    for (_, name), (low, high) in zip(steps, pairwise(limits), strict=True):
        part = np.geomspace(max(low, 1), high, 50)
        axes.loglog(part, [lines[name].at(m) * 1e6 for m in part], color=INK, lw=6, alpha=0.15,
                    solid_capstyle="round", zorder=1)
    for at, _ in steps[1:]:
        axes.axvline(at, color=PALE, lw=1, ls="--", zorder=0)
    cheapest = [f"{name} below {costs.size(round(until))}"
                for (_, name), (until, _) in pairwise(steps)] + [f"{steps[-1][1]} above"]
    axes.text(0.98, 0.03, "\n".join(cheapest if len(steps) > 1 else [f"always {steps[0][1]}"]),
              transform=axes.transAxes, ha="right", va="bottom", fontsize=9, color="#555555")
    axes.set_xlabel("bytes of a block")
    axes.set_ylabel("estimated µs")
    axes.set_title("which rule is cheapest")
    axes.legend(frameon=False, loc="upper left")
    axes.spines[["top", "right"]].set_visible(False)
