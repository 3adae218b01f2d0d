# SPDX-License-Identifier: MIT
"""[1], figures 6 to 8: VSC-3 and ARCHER, and networks whose links are shared."""


from carpool_cli.machines import Machine
from carpool_cli.style import PHASES
from figure import Claim, Figure, pick, ratio, times
from paper_1_parts import PRINTED, RULES, crossed, crossing, curves, factors, loop, span
from simulator import Scene

# Assumed: two adapters of InfiniBand QDR in a node of VSC-3; Aries in one of ARCHER.
VSC = Machine.alike(overhead=5e-7, latency=1e-6, gap=5e-9, bandwidth=6.4e9,
                    node_latency=3e-7, node_bandwidth=8e9, copy_bandwidth=8e9)
ARCHER = Machine.alike(overhead=5e-7, latency=7e-7, gap=5e-9, bandwidth=8e9,
                       node_latency=3e-7, node_bandwidth=8e9, copy_bandwidth=8e9)
SIZES = [1, 8, 64, 512, 1024, 2048]
BLOCK, LONG = 100, 10_000  # bytes, of the replays

# As many ranks as there, as MPI_Dims_create divides them.
CASES_6 = {"(a) 1 rank per node": ("7x5x2", "moore 3 3", 342, 1),
           "(b) 16 ranks per node": ("14x10x8", "moore 3 3", 342, 16)}
CASE_7 = ("7x5x4x4x2", "moore 5 1", 242, 16)
CASES_8 = {"(a) d = 4, r = 1": ("12x10x10x10", "moore 4 1", 80, 24),
           "(b) d = 5, r = 1": ("10x8x6x5x5", "moore 5 1", 242, 24)}
NETWORKS = {"fat tree, 2 up-links for 4 nodes": ("9x8x6", "fattree:7x4x16:2", VSC),
            "dragonfly, 1 node per router": ("9x8x6", "dragonfly:3x3x3x1x16", ARCHER),
            "torus, 1 rank per node": ("7x7x7", "torus:7x7x7x1", VSC)}


def figures():
    yield figures_6_and_7()
    yield figure_8()
    yield networks()


def by_rule(machine, case, rules=("direct", "torus", "cartesian")):
    """{name: [seconds for each size]}"""
    grid, stencil, neighbors, per_node = case
    scene = Scene(f"cluster:{2**20}x{per_node}", machine)
    return {"loop": [loop(machine, per_node, neighbors, size) for size in SIZES],
            **{RULES[rule]: scene.times(f"torus {grid}", stencil, sizes=SIZES, op="alltoall",
                                        algorithm=rule, as_printed=True)[rule] for rule in rules}}


def rows_of(found):
    return [[case, name, *map(times, line)] for case, lines in found.items()
            for name, line in lines.items()]


def header(first):
    return [first, "", *(f"{size:,} B" for size in SIZES)]


def figures_6_and_7():
    found = {case: by_rule(VSC, asked) for case, asked in CASES_6.items()}
    dear = {case: by_rule(VSC.with_overhead(2e-6), asked) for case, asked in CASES_6.items()}
    five = by_rule(VSC, CASE_7)
    one, many = found
    return Figure("All-to-all, VSC-3 (figures 6 and 7)",
                  f"Times in µs by LogGP, 70 and 1,120 ranks; overhead {VSC.overhead * 1e6:g} µs at each end. "
                  f"{PRINTED} The loop of Sendrecv is a formula.",
                  [*claims_6(found[one], found[many], dear[one]), *claims_7(found[many], five)],
                  header("figure"), rows_of({f"6 {case}": lines for case, lines in found.items()}
                                            | {"7, d = 5, r = 1": five}))


def pair(drawn, found):
    for axes, (title, lines) in zip(drawn.subplots(1, 2, sharey=True), found.items(), strict=True):
        curves(axes, SIZES, {name: [1e6 * t for t in line] for name, line in lines.items()}, "µs")
        axes.set_title(title)


def claims_6(one, many, dear):
    ends = [crossed(SIZES, factors(found[rule], found["all at once"]))
            for rule in ("torus", "torus direct") for found in (one, dear)]
    last = crossing(SIZES, factors(one["torus direct"], one["all at once"]))
    yield Claim("figure 6", "torus beats MPI only for smaller blocks; torus direct is best up to 1 kB",
                f"(a) torus is ahead of all at once up to {ends[0]}, with 2 µs per message and end up to "
                f"{ends[1]}; torus direct up to {ends[2]} and {ends[3]}",
                pick(last and last >= 1024, otherwise="agrees in part"),
                "the order is the paper's; the sizes are a statement about what a message costs")
    small = [one[name][number] / one["loop"][number] for name in ("torus", "torus direct")
             for number in range(4)]
    yield Claim("figure 6 (a)", "below 512 B both are faster than the straightforward algorithm",
                f"{span(small, '{:.2f}')} of the time of the loop up to {SIZES[3]} B",
                pick(max(small) < 1), "342 rounds of latency become 18")
    gains = [lines["loop"][2] / lines["torus direct"][2] for lines in (one, many)]
    yield Claim("figure 6 (b)", "with 16 ranks per node the gain is less",
                f"at {SIZES[2]} B a factor of {gains[0]:.1f} over the loop with 1 rank per node, of "
                f"{gains[1]:.1f} with 16",
                pick(gains[1] < gains[0]), "the ranks of a node share its adapter, and combining sends more")


def claims_7(wide, five):
    dearer = [factors(found["torus"], found["torus direct"])[3] for found in (wide, five)]
    yield Claim("figure 7", "torus loses less to torus direct where the radius is small",
                f"{dearer[0]:.2f} times its time for d = 3, r = 3 at {SIZES[3]} B, {dearer[1]:.2f} times for "
                "d = 5, r = 1",
                pick(dearer[1] < dearer[0]), "with radius 1 both have the same schedule; d = 5 is assumed, "
                "as our text of the paper does not name the neighborhood")
    small = [five[name][number] / five["loop"][number] for name in ("torus", "torus direct")
             for number in range(2)]
    yield Claim("figure 7", "for small blocks both beat the straightforward algorithm",
                f"{span(small, '{:.2f}')} of the time of the loop up to {SIZES[1]} B", pick(max(small) < 1),
                "242 rounds become 10")


def figure_8():
    found = {case: by_rule(ARCHER, asked, ("direct", "torus")) for case, asked in CASES_8.items()}
    cheap = {case: by_rule(ARCHER.with_overhead(1e-7), asked, ("direct", "torus"))
             for case, asked in CASES_8.items()}
    return Figure("All-to-all, ARCHER, 12,000 ranks (figure 8)",
                  f"Times in µs by LogGP; overhead {ARCHER.overhead * 1e6:g} µs at each end, 24 ranks per "
                  "node. The loop of Sendrecv is a formula.", [*claims_8(found, cheap), by_ranks(found)],
                  header("figure 8"), rows_of(found), lambda drawn: pair(drawn, found), "paper-1-archer")


def claims_8(found, cheap):
    gains = [[lines["all at once"][number] / lines["torus"][number] for lines in some.values()
              for number in (1, 2)] for some in (found, cheap)]
    yield Claim("figure 8", "against Cray's MPI combining shows only little advantage",
                f"factors of {span(gains[0])} at {SIZES[1]} and {SIZES[2]} B; with 0.1 µs per message and "
                f"end {span(gains[1])}",
                pick(max(gains[0]) < 1.5, otherwise=pick(max(gains[1]) < 1.5, "agrees in part")),
                "the paper supposes that Cray's library sends through several ports at once, which makes "
                "messages cheap; no library is simulated")
    gains = [lines["loop"][number] / lines["torus"][number] for lines in found.values()
             for number in (0, 1, 2)]
    yield Claim("figure 8", "over the straightforward algorithm it improves by large factors",
                f"factors of {span(gains)} up to {SIZES[2]} B", pick(min(gains) > 2,
                otherwise="agrees in part"), "80 and 242 rounds become 8 and 10")


def by_ranks(found):
    few = by_rule(ARCHER, ("6x5x4x4", "moore 4 1", 80, 24), ("direct", "torus"))
    many = next(iter(found.values()))
    grown = [b / a for name in ("all at once", "torus") for a, b in zip(few[name], many[name], strict=True)]
    return Claim("§4", "times depend mostly on the neighborhood, and less on the number of processes",
                 f"d = 4, r = 1 takes {span(grown, '{:.2f}')} times as long on 12,000 ranks as on 480",
                 pick(max(grown) < 1.25 and min(grown) > 0.8, otherwise="agrees in part"),
                 "LogGP knows of no links that more nodes share; differences come from which neighbors lie "
                 "on the same node")


def replayed(grid, platform, machine, block, rule):
    """Seconds by LogGP and where links are shared, and by which engine the latter."""
    asked = {"sizes": [block], "op": "alltoall", "algorithm": rule}
    alone, shared = (Scene(platform, machine, engine, 90).costs(f"torus {grid}", "octant 3 3", **asked)
                     [rule][0] for engine in ("loggp", "auto"))
    return alone["time"], shared["time"], shared["engine"]


def on_torus(block):
    """The time of torus over that of torus direct, by LogGP and, unless a replay takes too long, where links
    are shared."""
    grid, platform, machine = list(NETWORKS.values())[-1]
    torus, straight = (replayed(grid, platform, machine, block, rule) for rule in ("torus", "cartesian"))
    alone, shared = (f"{torus[number] / straight[number]:.2f}" for number in (0, 1))
    return f"{alone} and {shared}" if torus[2] == straight[2] == "simgrid" else f"{alone} without"


def networks():
    found = {name: {rule: replayed(*asked, BLOCK, rule) for rule in ("direct", "torus", "cartesian")}
             for name, asked in NETWORKS.items()}
    rows = [[name, RULES[rule], times(alone), times(shared), ratio(shared / alone), engine]
            for name, rules in found.items() for rule, (alone, shared, engine) in rules.items()]
    engines = sorted({row[-1] for row in rows})
    return Figure("Networks whose links are shared (§7)",
                  f"Positive coordinates, d = 3, r = 3, blocks of {BLOCK} B, 432 and 343 ranks; times in µs "
                  f"by LogGP, and where links are shared by {' and '.join(engines)} (loggp knows of no "
                  "shared links).", claims_of(found), ["network", "", "LogGP", "shared", "ratio", "engine"],
                  rows, lambda drawn: bars(drawn, found), "paper-1-networks")


def claims_of(found):
    long = on_torus(LONG)
    tree, fly, torus = ([rules["torus"][number] / rules["cartesian"][number] for number in (0, 1)]
                        for rules in found.values())
    replays = all(rule[2] == "simgrid" for rules in found.values() for rule in rules.values())
    yield Claim("figures 6, 8", "torus direct gains on fat tree and dragonfly, where all nodes are as near",
                f"torus takes {tree[0]:.2f} times its time on the fat tree and {fly[0]:.2f} on the "
                f"dragonfly, where links are shared {tree[1]:.2f} and {fly[1]:.2f}",
                pick(min(tree[1], fly[1]) > 1, otherwise="agrees in part") if replays else "not simulated",
                "what hops more often shares the up-links of the fat tree more often; the dragonfly's links "
                "cost both about as much" if replays
                else "SimGrid was missing, or took too long")
    yield Claim("§3, §7", "on a torus network torus is optimal; experiments with ranks mapped onto one are "
                "left open",
                f"torus takes {torus[0]:.2f} times the time of torus direct without shared links, "
                f"{torus[1]:.2f} with; for {LONG:,} B {long}",
                "another model" if replays else "not simulated",
                "there a rank reaches its next neighbors only, along one dimension at a time; here it reaches "
                "all, and its adapter is as fast as one link, which torus passes at each hop, so torus "
                "direct is not ruled out, only slowed by links that it shares" if replays
                else "SimGrid was missing, or took too long")


def bars(drawn, found):
    axes = drawn.subplots()
    for number, rule in enumerate(("direct", "torus", "cartesian")):
        for which, alpha in ((0, 0.4), (1, 1.0)):
            axes.bar([x + 0.27 * (number - 1) + 0.12 * which for x in range(len(found))],
                     [1e6 * rules[rule][which] for rules in found.values()], width=0.12,
                     color=PHASES[number], alpha=alpha,
                     label=f"{RULES[rule]}, {('no shared links', 'shared links')[which]}")
    axes.set_xticks(range(len(found)), [name.split(",")[0] for name in found])
    axes.set_yscale("log")
    axes.set_ylabel("µs")
    drawn.legend(frameon=False, fontsize=8, ncols=3, loc="outside upper center")
    axes.spines[["top", "right"]].set_visible(False)
