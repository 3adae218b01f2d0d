# SPDX-License-Identifier: MIT
"""[1] Träff, Carpen-Amarie, Hunold, Rougier: Isomorphic, sparse collectives (2016), figures 2 to 5.
Figures 6 to 8 are in paper_1_machines.py."""

from dataclasses import replace
from itertools import product

import paper_1_machines
from carpool_cli.machines import Machine
from figure import Claim, Figure, pick, ratio, times
from paper_1_parts import PRINTED, RULES, crossed, crossing, curves, factors, loop, span
from simulator import Scene

# Assumed: InfiniBand QDR as an Opteron of 2010 drives it.
JUPITER = Machine.alike(overhead=1e-6, latency=1e-6, gap=1e-8, bandwidth=3.2e9,
                        node_latency=3e-7, node_bandwidth=5e9, copy_bandwidth=5e9)
DEAR = JUPITER.with_overhead(5e-6)
NO_COPIES = replace(JUPITER, copy_bandwidth=1e15)  # as with the paper's zero-copy
PER_NODE = 16
SIZES = [1, 8, 64, 500, 2000]
SHALES = [8, 64, 500]  # sizes, for millions of messages

# 480 ranks, as there, as MPI_Dims_create divides them.
CASES = {"(a) d = 2, r = 1": ("24x20", "moore 2 1", 8, 4),
         "(b) d = 3, r = 1": ("10x8x6", "moore 3 1", 26, 6),
         "(c) d = 4, r = 1": ("6x5x4x4", "moore 4 1", 80, 8),
         "(d) d = 5, r = 1": ("5x4x4x3x2", "moore 5 1", 242, 10),
         "(e) d = 3, r = 3": ("10x8x6", "moore 3 3", 342, 18),
         "(f) positive, d = 3, r = 3": ("10x8x6", "octant 3 3", 63, 9)}
WIDE, ASYMMETRIC = list(CASES)[4:]


def figures():
    yield figure_2()
    yield figure_3()
    yield figure_4()
    yield figure_5()
    yield from paper_1_machines.figures()


def seconds(machine, grid, stencil, rule, sizes, op="alltoall"):
    scene = Scene(f"cluster:{2**20}x{PER_NODE}", machine)
    return scene.times(f"torus {grid}", stencil, sizes=sizes, op=op, algorithm=rule,
                       as_printed=True)[rule]


def over_direct(machine, case):
    grid, stencil, *_ = CASES[case]
    return factors(seconds(machine, grid, stencil, "torus", SIZES),
                   seconds(machine, grid, stencil, "direct", SIZES))


def figure_2():
    found = {case: over_direct(JUPITER, case) for case in CASES}
    dear = {case: over_direct(DEAR, case) for case in CASES}
    rows = [[case, f"{s} → {rounds}", *map(ratio, found[case]), crossed(SIZES, found[case]),
             crossed(SIZES, dear[case])] for case, (_, _, s, rounds) in CASES.items()]
    return Figure("All-to-all, InfiniBand QDR, 480 ranks (figure 2)",
                  "Time of `torus` over that of `direct`, by LogGP; overhead "
                  f"{JUPITER.overhead * 1e6:g} µs at each end, {PER_NODE} ranks per node. {PRINTED}",
                  claims_2(found, dear),
                  ["figure 2", "messages", *(f"{size:,} B" for size in SIZES), "`direct` ahead from",
                   f"with {DEAR.overhead * 1e6:g} µs"], rows,
                  lambda drawn: ratios(drawn, found), "paper-1-alltoall")


def ratios(drawn, found):
    axes = drawn.subplots()
    curves(axes, SIZES, found, "time of torus over that of direct")
    axes.axhline(1, color="#666666", lw=1)


def claims_2(found, dear):
    gained = {case: 1 / f[0] for case, f in found.items()}
    close = [gained[case] / (s / rounds) for case, (_, _, s, rounds) in CASES.items()]
    yield Claim("figure 2", "for small blocks the gain is close to neighbors over rounds",
                f"at 1 B factors of {span(gained.values())}, which is {span(close, '{:.2f}')} times that "
                "ratio",
                pick(min(close) > 0.7 and max(close) < 1.3, otherwise="agrees in part"),
                "messages cost most, and each is paid for at both ends")
    yield Claim("figure 2", "the advantage diminishes as blocks grow",
                f"factors of {span([1 / f[2] for f in found.values()])} at {SIZES[2]} B, of "
                f"{span([1 / f[3] for f in found.values()])} at {SIZES[3]} B",
                pick(all(f[0] < f[2] < f[3] for f in found.values()), otherwise="agrees in part"),
                f"{PER_NODE} ranks share an adapter, which carries each block as often as it hops")
    ends = [[crossing(SIZES, f) or SIZES[-1] for f in one.values()] for one in (found, dear)]
    yield Claim("abstract", "significant improvements for blocks of up to a few kilobytes",
                f"`direct` is ahead from {span(ends[0], '{:.0f}')} B on, with {DEAR.overhead * 1e6:g} µs "
                f"per message and end from {span(ends[1], '{:,.0f}')} B on",
                pick(min(ends[0]) >= 2000, otherwise=pick(max(ends[1]) >= 2000, "agrees in part")),
                "where the lines cross is a statement about what a message costs, which must be several "
                "times that; the figures themselves end at 2 kB")
    f = found[ASYMMETRIC]
    yield Claim("figure 2 (f)", "asymmetric neighborhoods gain, too",
                f"a factor of {1 / f[0]:.1f} at 1 B, of {1 / f[2]:.1f} at {SIZES[2]} B; at {SIZES[3]} B "
                f"{ratio(f[3])} times the time of `direct`",
                pick(f[2] < 1, otherwise="agrees in part"),
                "63 messages become 9, and no zero-copy is needed for that")


def blocks_of(d, m):
    """Bytes for each neighbor: m^(d - hops)."""
    hops = [sum(map(abs, offset)) for offset in product((-1, 0, 1), repeat=d)]
    return [m ** (d - h) for h in hops if h]


def irregular(machine, d, m):
    """The time of `torus` over that of `direct`."""
    grid, stencil, *_ = CASES[list(CASES)[d - 2]]
    scene = Scene(f"cluster:{2**20}x{PER_NODE}", machine)
    combined, direct = (scene.times(f"torus {grid}", stencil, blocks=blocks_of(d, m), op="alltoall",
                                    algorithm=rule)[rule][0] for rule in ("torus", "direct"))
    return combined / direct


def figure_3():
    cases = [(3, m) for m in (2, 8, 32, 128, 512)] + [(4, m) for m in (2, 8, 32, 64)]
    found = {case: [irregular(machine, *case) for machine in (JUPITER, DEAR, NO_COPIES)] for case in cases}
    rows = [[f"{d}", f"{m}", f"{sum(blocks_of(d, m)):,} B", *map(ratio, f)]
            for (d, m), f in found.items()]
    return Figure("Alltoallw, blocks of m^(d - hops) bytes (figure 3)",
                  f"Time of `torus` over that of `direct`, 480 ranks, {PER_NODE} per node, by LogGP.",
                  claims_3(found), ["d", "m", "sent by a rank", f"{JUPITER.overhead * 1e6:g} µs",
                                    f"{DEAR.overhead * 1e6:g} µs", "copies for nothing"], rows)


def claims_3(found):
    won = [sum(f[number] < 1 for f in found.values()) for number in (0, 1)]
    yield Claim("figure 3", "alltoallw is faster than MPI's in most cases",
                f"faster in {won[0]} of {len(found)} cases, with {DEAR.overhead * 1e6:g} µs per message and "
                f"end in {won[1]}",
                pick(min(won) > 2 / 3 * len(found), otherwise=pick(min(won) > 0, "agrees in part")),
                "of blocks that hop often little is sent, and short messages gain; whether these are most "
                "cases depends on which m are shown, and our text of the paper names only 512")
    cases = {d: max(m for e, m in found if e == d) for d in (3, 4)}.items()
    yield Claim("figure 3", "up to 1.5 MB a rank (m = 512) without explicit copies",
                "; ".join(f"d = {d}, m = {m}, {sum(blocks_of(d, m)) / 2**20:.1f} MiB: "
                          f"{ratio(found[d, m][0])} of the time, {ratio(found[d, m][2])} where copies cost "
                          "nothing"
                          for d, m in cases),
                pick(found[3, 512][2] < 1, otherwise=pick(found[3, 512][2] < 1.05, "agrees in part")),
                "the paper does not say whether this case is among the most; bandwidth decides, and hops add "
                f"{' and '.join(f'{extra(*case):.1%}' for case in cases)} to what is sent")


def extra(d, m):
    """The share by which hops increase what is sent."""
    hops = [sum(map(abs, offset)) for offset in product((-1, 0, 1), repeat=d)]
    return sum(h * m ** (d - h) for h in hops if h) / sum(blocks_of(d, m)) - 1


def figure_4():
    moore = by_rule(JUPITER, "10x8x6", "moore 3 3", 342, SIZES, RULES)
    shales = by_rule(JUPITER, "10x8x6", "shales 3 3 7", 1396, SHALES, RULES)
    dear = by_rule(DEAR, "10x8x6", "shales 3 3 7", 1396, SHALES, ["torus", "cartesian"])
    rows = [[what, name, *map(times, values), *[""] * (len(SIZES) - len(values))]
            if what == "(a)" else [what, name, "", *map(times, values), ""]
            for what, lines in (("(a)", moore), ("(b)", shales)) for name, values in lines.items()]
    return Figure("Torus, torus direct and straightforward (figure 4)",
                  "Times in µs, 480 ranks, Moore d = 3, r = 3 for (a), shales of 3 and 7 for (b); by LogGP, "
                  f"{JUPITER.overhead * 1e6:g} µs at each end. {PRINTED} The loop of Sendrecv is a formula: "
                  "2 overheads, the latency and a share of the adapter for each neighbor.", claims_4(moore, shales, dear),
                  ["figure 4", "", *(f"{size:,} B" for size in SIZES)], rows,
                  lambda drawn: both(drawn, moore, shales), "paper-1-shales")


def by_rule(machine, grid, stencil, neighbors, sizes, rules):
    return {"loop": [loop(machine, PER_NODE, neighbors, size) for size in sizes],
            **{RULES[rule]: seconds(machine, grid, stencil, rule, sizes) for rule in rules}}


def both(drawn, moore, shales):
    left, right = drawn.subplots(1, 2)
    for axes, sizes, lines, title in ((left, SIZES, moore, "(a) Moore, 342 neighbors"),
                                      (right, SHALES, shales, "(b) shales, 1,396 neighbors")):
        curves(axes, sizes, {name: [1e6 * t for t in line] for name, line in lines.items()}, "µs")
        axes.set_title(title)


def claims_4(moore, shales, dear):
    yield gradually(moore, shales)
    yield from against_loop(shales, dear)
    yield Claim("§6", "for the shales torus direct takes 12 rounds instead of 42",
                f"42 by both; with 12, by `basis`, {times(shales['basis'][0])} µs at {SHALES[0]} B, and "
                f"{times(shales['torus direct'][0])} by torus direct",
                "differs", "a misprint: offsets of distance 7 have all coordinates from -7 to 7; fewer "
                "rounds mean more hops, which cost more here")


def gradually(moore, shales):
    ahead = [factors(one["torus direct"], one["torus"]) for one in (moore, shales)]
    return Claim("figure 4", "torus direct gets gradually better than torus as blocks grow",
                f"{ratio(ahead[0][0])} of its time at {SIZES[0]} B and {ratio(ahead[0][-1])} at "
                f"{SIZES[-1]:,} B (a); {ratio(ahead[1][0])} at {SHALES[0]} B and {ratio(ahead[1][-1])} at "
                f"{SHALES[-1]} B (b)",
                pick(all(one[-1] < one[0] for one in ahead)),
                "rounds are as many; a block hops once per dimension instead of up to 3 and 7 times")


def against_loop(shales, dear):
    slow = [factors(one["torus"], one["loop"]) for one in (shales, dear)]
    yield Claim("figure 4 (b)", "torus falls behind the straightforward algorithm at 500 B",
                f"behind the loop from {crossed(SHALES, slow[0])}, with {DEAR.overhead * 1e6:g} µs per "
                f"message and end from {crossed(SHALES, slow[1])}; {slow[0][-1]:.1f} and "
                f"{slow[1][-1]:.1f} times its time at 500 B",
                pick(200 < (crossing(SHALES, slow[0]) or 1e9) < 1000, otherwise="agrees in part"),
                "the order is the paper's; the size is what a Sendrecv costs, which the paper does not say")
    even = [factors(one["torus direct"], one["loop"])[-1] for one in (shales, dear)]
    yield Claim("figure 4 (b)", "torus direct stays on par with the straightforward algorithm",
                f"at 500 B {even[0]:.1f} times the time of the loop, with {DEAR.overhead * 1e6:g} µs "
                f"{even[1]:.1f} times",
                pick(max(even) < 1.3, otherwise=pick(min(even) < 1.3, "agrees in part")),
                f"a block hops {hops_of_shales():.1f} times on average, which costs about as much bandwidth "
                "as fewer messages save")


def hops_of_shales():
    """Of torus direct: one for each coordinate that is not 0."""
    hops = [sum(map(bool, offset)) for offset in product(range(-7, 8), repeat=3)
            if max(map(abs, offset)) in (3, 7)]
    return sum(hops) / len(hops)


def figure_5():
    grid, stencil, *_ = CASES[WIDE]
    gathered, direct = (seconds(JUPITER, grid, stencil, rule, SIZES, "allgather")
                        for rule in ("torus", "direct"))
    grid, stencil, *_ = CASES[ASYMMETRIC]
    sizes = [40, 400, 4000, 40000]
    few, many = (seconds(JUPITER, grid, stencil, "torus", sizes, op) for op in ("allgather", "alltoall"))
    rows = [["(a) `torus` over `direct`", *map(ratio, factors(gathered, direct))],
            ["(b) allgather over all-to-all", *map(ratio, factors(few, many))]]
    return Figure("Allgather (figure 5)",
                  "Ratios of times on 480 ranks, (a) Moore d = 3, r = 3, (b) positive coordinates, by LogGP; "
                  f"{JUPITER.overhead * 1e6:g} µs at each end. {PRINTED}",
                  claims_5(factors(gathered, direct), factors(few, many)),
                  ["figure 5", *(f"{a:,}, {b:,} B" for a, b in zip(SIZES[1:], sizes, strict=True))],
                  [[row[0], *row[-4:]] for row in rows])


def claims_5(saved, third):
    hops = sum(map(sum, product(range(4), repeat=3)))
    yield Claim("figure 5 (a)", "allgather takes 80 % less time than MPI's",
                f"{span([100 * (1 - one) for one in saved], '{:.0f}')} % less at {SIZES[0]} B to "
                f"{SIZES[-1]:,} B",
                pick(all(0.7 < 1 - one < 0.9 for one in saved), otherwise="agrees in part"),
                f"18 messages instead of 342 are {100 * (1 - 18 / 342):.0f} % less; for longer blocks "
                "bandwidth counts, and as many blocks are sent")
    yield Claim("figure 5 (b)", "allgather takes a third of the time of all-to-all up to 40 kB",
                f"{span(third, '{:.2f}')} of its time from 40 B to 40 kB, less for longer blocks",
                pick(all(0.25 < one < 0.45 for one in third[1:]), otherwise="agrees in part"),
                "a block that several ranks want is sent once along a path; the volumes are "
                f"63 and {hops} blocks, whose ratio is {ratio(63 / hops)}")
