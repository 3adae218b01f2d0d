# SPDX-License-Identifier: MIT
"""What the figures of [1] share."""

import math

from carpool_cli.style import PHASES

PRINTED = "Neighbors that are the same rank get a message each, as printed."
RULES = {"direct": "all at once", "torus": "torus", "cartesian": "torus direct", "basis": "basis"}


def loop(machine, per_node, neighbors, size):
    """Seconds of listing 4, the paper's straightforward algorithm: a Sendrecv for each neighbor, one after
    the other. No simulation, but a formula: all ranks are in the same round, each of which leads to
    another node and shares the adapter with the other ranks of its own."""
    sent = per_node * max(machine.adapter_gap, size / machine.bandwidth)
    return neighbors * (2 * machine.overhead + machine.latency + sent)


def factors(slow, fast):
    return [a / b for a, b in zip(slow, fast, strict=True)]


def crossing(sizes, ratios):
    """The size from which on ratios exceed 1, between two that were simulated on logarithmic scales;
    None if they do not."""
    pairs = list(zip(sizes, ratios, strict=True))
    for (small, low), (large, high) in zip(pairs, pairs[1:], strict=False):
        if low <= 1 < high:
            return small * (large / small) ** (-math.log(low) / math.log(high / low))
    return sizes[0] if ratios[0] > 1 else None


def crossed(sizes, ratios):
    size = crossing(sizes, ratios)
    return f"{sizes[-1]:,} B or more" if size is None else f"{float(f'{size:.2g}'):,.0f} B"


def span(values, shown="{:.1f}"):
    low, high = shown.format(min(values)), shown.format(max(values))
    return low if low == high else f"{low} to {high}"


def curves(axes, sizes, lines, what):
    """@param lines: {label: values}, as many as sizes"""
    for number, (label, values) in enumerate(lines.items()):
        axes.loglog(sizes, values, marker="o", ms=3, color=PHASES[number % len(PHASES)], label=label)
    axes.set_xlabel("block, bytes")
    axes.set_ylabel(what)
    axes.legend(frameon=False, fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
