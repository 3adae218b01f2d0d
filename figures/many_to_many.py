# SPDX-License-Identifier: MIT
"""[5], figures 10 and 11: each of 2,048 ranks sends to the δ ranks after it."""

from figure import Claim, Figure, pick
from personalized import ALPHA, BETA, BLOCKS, MACHINES, milliseconds, over, panels, scene

RANKS = 2048
DEGREES = [64, 128, 256, 512]
RULES = ["direct", "mesh", "grid"]


def figures_10_and_11(alltoalls):
    """@param alltoalls: {machine: what each strategy takes for an all-to-all, which is degree 2,048}"""
    found = {name: {**{degree: many(degree, machine) for degree in DEGREES},
                    RANKS: {rule: alltoalls[name][rule] for rule in RULES}}
             for name, machine in MACHINES.items()}
    rows = [[name, f"{degree:,}", *(milliseconds(by[rule][number]["time"])
                                    for number in range(len(BLOCKS)) for rule in RULES)]
            for name, by_degree in found.items() for degree, by in by_degree.items()]
    return Figure("Many-to-many on 2,048 ranks (figures 10 and 11)",
                  "Milliseconds by LogGP, on the same machines, 4 ranks per node; δ = 2,048 is the "
                  "all-to-all.",
                  [sparse(found), small(found), large(found)],
                  ["machine", "δ", *(f"{rule}, {size} B" for size in BLOCKS for rule in RULES)], rows,
                  lambda drawn: panels(drawn, {
                      f"{size} B, {name}": over(found[name], number)
                      for name in found for number, size in enumerate(BLOCKS)}, "δ"), "paper-5-degrees")


def many(degree, machine):
    return {rule: scene(machine).costs(f"manytomany {RANKS} degree {degree}", sizes=BLOCKS, op="alltoall",
                                       algorithm=rule)[rule] for rule in RULES}


def to(found, faster, slower, number):
    """The largest degree to which one rule is faster than another, from the smallest on; 0 if nowhere."""
    last = 0
    for degree, by in found.items():
        if by[faster][number]["time"] >= by[slower][number]["time"]:
            break
        last = degree
    return last


def ahead(found, faster, slower, number):
    return {name: to(by, faster, slower, number) for name, by in found.items()}


def worded(degrees):
    return "; ".join((f"to δ = {degree:,}" if degree else "nowhere") + f" ({name})"
                     for name, degree in degrees.items())


def sparse(found):
    degrees = [ahead(found, "direct", min(("mesh", "grid"), key=lambda rule: found["shared"][DEGREES[0]]
                                          [rule][number]["time"]), number) for number in range(2)]
    return Claim("figures 10, 11", "direct is best for small δ",
                 f"76 B: {worded(degrees[0])}; 476 B: {worded(degrees[1])}",
                 pick(all(all(by.values()) for by in degrees), otherwise="agrees in part"),
                 "direct sends each byte once, but each block in a message of its own, where grid and mesh "
                 f"send about {3 * RANKS ** (1 / 3):.0f} and {2 * RANKS ** (1 / 2):.0f} messages")


def small(found):
    grid = ahead(found, "grid", "mesh", 0)
    return Claim("figure 10", "grid is ahead of mesh for 76 B",
                 worded(grid), pick(all(degree == RANKS for degree in grid.values()),
                                    otherwise="agrees in part" if any(grid.values()) else "differs"),
                 "the more a message costs, and the less a byte, the further grid is ahead")


def large(found):
    grid = ahead(found, "grid", "mesh", 1)
    return Claim("figure 11", "grid is ahead of mesh for 476 B to δ = 512, then mesh",
                 worded(grid), pick(all(degree == 512 for degree in grid.values()),
                                    otherwise="agrees in part" if any(grid.values()) else "differs"),
                 f"by equations 7 and 8, with α = 5 µs, mesh is ahead from δ = {saved_messages():.0f} on "
                 "where each rank has 300 MB/s, and earlier where 4 share them: the paper's messages must "
                 "cost more than it says")


def saved_messages():
    """The degree at which equations 7 and 8 are equal."""
    return (2 * RANKS ** (1 / 2) - 3 * RANKS ** (1 / 3)) * ALPHA / (BLOCKS[1] * BETA)
