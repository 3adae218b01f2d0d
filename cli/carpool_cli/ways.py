# SPDX-License-Identifier: MIT
"""The ways of one rank's blocks: a colour per phase, and one block followed all the way."""

import math

import matplotlib.patheffects as effects
import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from carpool_cli.costs import counted
from carpool_cli.style import FAINT, INK, NODES, OWN_NODE, PALE, PHASES

# More arrows than this are a blot.
MOST_ARROWS = 400
MOST_NUMBERS = 120


def pair(answer):
    """The simplest rule and the one to compare it with; none if they cannot be drawn."""
    simplest, *others = answer["rules"]
    if answer["dimensions"] not in (2, 3) or not others or not simplest["rounds"]:
        return []
    chosen = next((rule for rule in others if rule["name"] == answer["choice"]), None)
    shown = [simplest, chosen or min(others, key=lambda rule: (
        rule["rounds"], not rule["automatic"], rule["volume"]))]
    return shown if all(len(arrows(rule)) <= MOST_ARROWS for rule in shown) else []


def title(rule):
    return f"{rule['name']}: {counted(rule['rounds'], 'message')}"


def caption(rule):
    if max((len(one["moves"]) for one in rule["plan"]), default=0) < 2:
        return "every block travels alone,\na message for each arrow"
    return "blocks that go the same way share a ride:\narrows that look alike are one message"


def phase_legend(rule):
    """The phases, as many as have a colour of their own."""
    if rule["phases"] == 1:
        return [Line2D([], [], color=PHASES[0], lw=3.2, label="all at once")]
    return [Line2D([], [], color=colour, lw=3.2, label=f"phase {phase}" if phase == 1 else phase)
            for phase, colour in enumerate(PHASES[:rule["phases"]], start=1)]


def common_legend(rules):
    marks = [Line2D([], [], color="white", lw=2.6, label="the way of one block, to the far corner",
                    path_effects=[effects.Stroke(linewidth=6, foreground=INK), effects.Normal()])]
    if any(numbered(arrows(rule)) for rule in rules):
        marks.append(Line2D([], [], color=INK, marker="$3$", markersize=8, ls="",
                            label="so many blocks share the ride"))
    if any("nodes_of_ways" in rule for rule in rules):
        marks.append(Patch(color=OWN_NODE, label="the rank's own node; others have other colours"))
    return marks


def numbered(found):
    return len(found) <= MOST_NUMBERS and max(found.values(), default=0) > 1


def farthest(answer):
    """The neighbor that takes most steps; of several the last, which has most positive ones."""
    offsets = [tuple(offset) for offset in answer["offsets"] if any(offset)]
    return max(offsets, key=lambda offset: (sum(map(abs, offset)), offset), default=())


def moves(rule):
    """(from, to, phase) of every move, as ways from the origin."""
    for one in rule["plan"]:
        for move in one["moves"]:
            yield tuple(rule["ways"][move["from"]]), tuple(rule["ways"][move["to"]]), one["phase"]


def arrows(rule):
    """{(from, to, phase): number of blocks}"""
    found = {}
    for key in moves(rule):
        found[key] = found.get(key, 0) + 1
    return found


def route(rule, end):
    """The arrows that the block to `end` travels; every rule may have more than one such way."""
    for one in reversed(rule["plan"]):
        for move in one["moves"]:
            if tuple(rule["ways"][move["to"]]) == end:
                before = tuple(rule["ways"][move["from"]])
                return [*route(rule, before), (before, end, one["phase"])]
    return []


def flat(point):
    """Where a point lies on paper; the second of three dimensions leads to the back."""
    if len(point) == 2:
        return np.array(point, float)
    x, y, z = point
    return np.array([x + 0.58 * y, z + 0.37 * y])


def draw(axes, rule, answer):
    found = arrows(rule)
    stops = {end for start, end, _ in found} | {start for start, _, _ in found}
    nodes(axes, rule)
    lattice(axes, stops)
    followed = set(route(rule, farthest(answer)))
    for key, blocks in sorted(found.items(), key=lambda item: (item[0][2], item[0])):
        arrow(axes, *key, blocks, key in followed)
        if blocks > 1 and numbered(found):
            badge(axes, *key, blocks)
    ranks(axes, stops, farthest(answer))
    frame(axes, stops)


def nodes(axes, rule):
    """Ranks of one node have one colour around them, and where the next begins is a line."""
    found = {tuple(way): node for way, node in
             zip(rule["ways"], rule.get("nodes_of_ways", []), strict=False) if node is not None}
    colour = colours(found)
    for stop, node in sorted(found.items()):
        if len(stop) == 2:
            x, y = flat(stop)
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, color=colour[node], lw=0, zorder=-2))
            border(axes, stop, found)
        else:
            axes.scatter(*flat(stop), s=420, color=colour[node], lw=0, zorder=-2)


def colours(found):
    """Per node: the first stop is the rank itself."""
    own, *others = dict.fromkeys(found.values()) or [None]
    return {own: OWN_NODE, **{node: NODES[i % len(NODES)] for i, node in enumerate(others)}}


def border(axes, stop, found):
    """To the next stops to the right and above, if these are on other nodes."""
    x, y = stop
    for beside, line in (((x + 1, y), ((x + 0.5, x + 0.5), (y - 0.5, y + 0.5))),
                         ((x, y + 1), ((x - 0.5, x + 0.5), (y + 0.5, y + 0.5)))):
        if found.get(beside, found[stop]) != found[stop]:
            axes.plot(*line, color=PALE, lw=1.6, zorder=-1)


def lattice(axes, stops):
    """Faint lines between ranks that are next to each other."""
    for stop in sorted(stops):
        for k in range(len(stop)):
            beside = (*stop[:k], stop[k] + 1, *stop[k + 1:])
            if beside in stops:
                axes.plot(*zip(flat(stop), flat(beside), strict=True), color=FAINT, lw=1.2,
                          zorder=0)


def bow(start, end):
    """An arrow that would pass over other stops goes round them."""
    step = [abs(b - a) for a, b in zip(start, end, strict=True)]
    return 0.18 if math.gcd(*step) > 1 else 0


def arrow(axes, start, end, phase, blocks, followed):
    width = 1.3 + 0.75 * math.sqrt(blocks)
    patch = axes.annotate("", flat(end), flat(start), zorder=3 if followed else 2, arrowprops={
        "arrowstyle": "-|>,head_width=0.3,head_length=0.6", "color": PHASES[phase % len(PHASES)],
        "lw": width, "shrinkA": 8, "shrinkB": 8, "mutation_scale": 11,
        "connectionstyle": f"arc3,rad={bow(start, end)}"}).arrow_patch
    if followed:
        patch.set_path_effects([effects.Stroke(linewidth=width + 4, foreground=INK),
                                effects.Stroke(linewidth=width + 1.8, foreground="white"),
                                effects.Normal()])


def badge(axes, start, end, phase, blocks):
    """How many blocks ride, in the middle of the arrow's bow."""
    a, b = flat(start), flat(end)
    dx, dy = b - a
    spot = (a + b) / 2 + bow(start, end) / 2 * np.array([dy, -dx])
    axes.text(*spot, str(blocks), ha="center", va="center", fontsize=9 if len(start) == 2 else 8,
              zorder=6, bbox={"boxstyle": "circle,pad=0.18", "fc": "white",
                              "ec": PHASES[phase % len(PHASES)]})


def ranks(axes, stops, end):
    for stop in sorted(stops):
        origin, target = not any(stop), stop == end
        axes.scatter(*flat(stop), s=150 if origin else 75, zorder=5, linewidths=1.4,
                     color=INK if origin or target else "white",
                     edgecolor=INK if origin or target else PALE)


def frame(axes, stops):
    points = np.array([flat(stop) for stop in sorted(stops)])
    low, high = points.min(axis=0), points.max(axis=0)
    room = 0.12 * max(*(high - low), 1)
    axes.set_xlim(low[0] - room, high[0] + room)
    axes.set_ylim(low[1] - room, high[1] + room)
    axes.set_aspect("equal", anchor="C")
    axes.set_axis_off()
