# SPDX-License-Identifier: MIT
"""[3] Mirsadeghi, Träff, Balaji, Afsahi: Exploiting Common Neighborhoods … (2017), figures 2 to 5."""

import math

from carpool_cli.style import PHASES
from figure import Claim, Figure, pick, ratio, times
from neighborhoods import DEAR, QDR, moore, planning, random_graph, sent

RANKS = 4096
SIZES = [4, 64, 256, 1024, 4096, 16384]
SWEPT = {0.05: SIZES, 0.1: [4, 1024], 0.2: [4, 1024], 0.4: [4], 0.8: [4]}
SEEDS = {0.05: [1, 2, 3], 0.1: [1, 2, 3], 0.2: [1, 2, 3], 0.4: [1], 0.8: [1]}  # of the graphs, for 4 B
MOORE_RANKS = 8192
MOORE_SIZES = [4, 1024, 4096, 16384]
MOORE = [(2, 1), (2, 2), (3, 2)]
BEST = 0.71  # less time, at density 0.2 and 4 B

QDR_SAYS = ("by LogGP, 8 ranks per node, InfiniBand QDR as assumed: 3.2 GB/s and 10 million messages a "
            "second per node, latency 0.5 µs")


def figures():
    found = {density: pair(density, QDR) for density in SWEPT}
    dear = pair(0.05, DEAR)
    yield figure_2(found, {density: of_graphs(density, by) for density, by in found.items()}, dear)
    yield figure_3(found, dear)
    yield figures_4_and_5()


def cumulative(by):
    """Future work of the paper, by our reading of it."""
    costs = random_graph(0.05, QDR, SIZES, "cumulative")
    shares = [1 - cost["time"] / direct["time"] for cost, direct in zip(costs, by["direct"], strict=True)]
    return Claim("§VII", "future work: onloaded neighbors are combined again with other friends",
                 "; ".join(f"{share:.0%} at {size:,} B" for size, share in zip(SIZES, shares, strict=True))
                 + ", density 0.05, less time than direct",
                 pick(all(share > less(by, number) for number, share in enumerate(shares)),
                      otherwise="agrees in part" if shares[0] > less(by) else "differs"),
                 f"{sent(costs[0], RANKS):.0f} messages of a rank instead of "
                 f"{sent(by['direct'][0], RANKS):.0f}, but blocks collect at few ranks: the busiest adapter "
                 f"passes {more_bytes(costs, by):.1f} times the bytes")


def more_bytes(costs, by):
    return costs[0]["adapter"]["bytes"] / by["direct"][0]["adapter"]["bytes"]


def pair(density, machine):
    """{rule: [cost for each size]}"""
    return {rule: random_graph(density, machine, SWEPT[density], rule) for rule in ("direct", "friends")}


def of_graphs(density, first):
    """How much less time friends takes with 4 B on each graph of a density."""
    others = [{rule: random_graph(density, QDR, SIZES[:1], rule, seed) for rule in first}
              for seed in SEEDS[density][1:]]
    return [less(by) for by in (first, *others)]


def mean(values):
    return sum(values) / len(values)


def less(found, number=0):
    """How much less time friends takes than direct, as a share."""
    direct, friends = (found[rule][number]["time"] for rule in ("direct", "friends"))
    return 1 - friends / direct


def figure_2(found, shares, dear):
    rows = [[*row(f"random, density {density}", by, RANKS, 0.5)[:-1], spread(shares[density])]
            for density, by in found.items()] + [row("random, density 0.05", dear, RANKS, 2)]
    return Figure("Random graphs of 4,096 ranks, 4 B (figure 2)",
                  f"Neighbor allgather {QDR_SAYS}. The paper has means over 5 graphs of each density; here are "
                  "those over 3, with the least and the most, and one graph of density 0.4 and 0.8. The other "
                  "columns are of one graph.",
                  [more_when_dense(shares, dear), headline(found[0.2]), included(found[0.05]),
                   cumulative(found[0.05])],
                  HEADER, rows, lambda drawn: bars(drawn, found), "paper-3-densities")


HEADER = ["graph", "overhead", "messages, direct", "messages, friends", "direct, µs", "friends, µs",
          "less"]


def row(name, by, ranks, overhead):
    return [name, f"{overhead:g} µs", *(f"{sent(by[rule][0], ranks):.0f}" for rule in by),
            *(times(by[rule][0]["time"]) for rule in by), f"{less(by):.0%}"]


def spread(shares):
    """A mean, with the least and the most."""
    some = f" ({min(shares):.1%} to {max(shares):.1%})" if len(shares) > 1 else ""
    return f"{mean(shares):.0%}{some}"


def more_when_dense(found, dear):
    shares = [mean(each) for each in found.values()]
    return Claim("figure 2", "50 % less time at density 0.05, more on denser graphs, at most 70 %",
                 ", ".join(f"{share:.0%} at {density}" for density, share in zip(found, shares, strict=True))
                 + f"; {less(dear):.0%} at 0.05 with 2 µs per message and end",
                 pick(shares == sorted(shares) and shares[0] > 0.4, otherwise="agrees in part"),
                 "more common targets on denser graphs, of which half of the messages can be saved at most")


def headline(by):
    """More than half: what would have to be added to a cost per message."""
    direct, friends = (sent(by[rule][0], RANKS) for rule in ("direct", "friends"))
    posted = matching(direct, friends, True)
    both = (f"{posted * 1e9:.2g} ns" if posted else "no such cost is enough") + " if friends pays it too"
    alone = matching(direct, friends, False)
    return Claim("headline", f"{BEST:.0%} less time at density 0.2",
                 f"{less(by):.0%}", pick(less(by) > 0.6),
                 f"friends sends {friends / direct:.0%} of the messages, so what each costs a rank or an "
                 f"adapter saves {1 - friends / direct:.0%} on average; the simulation's "
                 f"waits do the rest. A search through the receives that are posted, half of "
                 f"them per message, would have to take {alone * 1e9:.2g} ns for each if only direct "
                 f"pays, as the paper's friends post a step at a time; {both}")


def matching(direct, friends, both, alpha=2 * QDR.overhead):
    """Seconds for each posted receive that a message is compared with, such that m messages, which take
    α m + c m² / 2, give the headline; None if no c does."""
    left = 1 - BEST
    saved = left * direct ** 2 - (friends ** 2 if both else 0)
    return 2 * alpha * (friends - left * direct) / saved if saved > 0 else None


def included(by):
    """Each superstep ends with bits that all ranks see, an allreduce in log2 P steps."""
    took = planning(0.05)
    alpha = 2 * QDR.overhead
    time = (took["supersteps"] * math.log2(RANKS) * (alpha + QDR.latency) + took["messages"] * alpha)
    saved = by["direct"][0]["time"] - by["friends"][0]["time"]
    return Claim("table I", "planning takes 13.5 s at density 0.05, and is done once",
                 f"{time * 1e3:.0f} ms without computing; it pays after {time / saved:,.0f} calls of 4 B",
                 pick(time > 1, otherwise="differs"),
                 f"{took['supersteps']} supersteps of an agreement each and {took['messages']:,} messages of "
                 "a rank; the paper's ranks tell every friend of each choice")


def figure_3(found, dear):
    rows = [[f"{size:,} B", *(f"{less(by, number):.0%}" for by in (found[0.05], dear)),
             *(f"{less(found[density], SWEPT[density].index(size)):.0%}" if size in SWEPT[density] else "–"
               for density in (0.1, 0.2))] for number, size in enumerate(SIZES)]
    return Figure("Random graphs over sizes (figure 3)",
                  f"How much less time friends takes than direct, {QDR_SAYS}; overhead 0.5 µs at each end, "
                  "in one column 2 µs.",
                  [up_to_1_kib(found, dear), convergence(found[0.05], dear)],
                  ["block", "0.05", "0.05, 2 µs", "0.1", "0.2"], rows,
                  lambda drawn: lines(drawn, found[0.05], dear), "paper-3-sizes")


def up_to_1_kib(found, dear):
    at = SIZES.index(1024)
    shares = [less(found[0.05], at), less(dear, at), less(found[0.2], 1)]
    return Claim("figure 3", "lower to 1 KiB, from 36 % less (density 0.05, 1 KiB) to 71 %",
                 f"at 1 KiB {shares[0]:.0%} less with 0.5 µs and {shares[1]:.0%} with 2 µs at 0.05, "
                 f"{shares[2]:.0%} at 0.2",
                 pick(min(shares) > 0.3, otherwise="agrees in part"),
                 f"by direct the busiest adapter passes its bytes in {bytes_of(found[0.05], at)} µs, and "
                 f"the busiest rank is busy for {busy(found[0.05], at)} or {busy(dear, at)} µs: fewer "
                 "messages save little unless a message costs more than both overheads")


def bytes_of(by, number):
    return times(by["direct"][number]["adapter"]["bytes"] / QDR.bandwidth)


def busy(by, number):
    return times(by["direct"][number]["busy"])


def convergence(by, dear):
    at = [SIZES.index(size) for size in (4096, 16384)]
    ratios = [[1 - less(one, number) for number in at] for one in (by, dear)]
    return Claim("figure 3", "all come to the same time at about 4 KB (16 KB on denser graphs), then direct "
                             "is faster",
                 "; ".join(f"{ratio(first)} of direct's time at 4 KiB and {ratio(second)} at 16 KiB with "
                           f"{overhead:g} µs" for (first, second), overhead in zip(
                               ratios, (0.5, 2), strict=True)),
                 pick(all(about_one(first) and second > 1 for first, second in ratios),
                      otherwise="agrees in part"),
                 "the adapter is shared by 8 ranks; the model that chooses rules counts it only for "
                 "ranks on nodes")


def about_one(value):
    return 0.8 < value < 1.25


def figures_4_and_5():
    found = {(d, r): {rule: moore(d, r, QDR, MOORE_SIZES, rule) for rule in ("direct", "friends")}
             for d, r in MOORE}
    rows = [[*row(f"Moore ({d}, {r})", by, MOORE_RANKS, 0.5),
             *(f"{less(by, number):.0%}" for number in range(1, len(MOORE_SIZES)))]
            for (d, r), by in found.items()]
    return Figure("Moore neighborhoods of 8,192 ranks (figures 4 and 5)",
                  f"Neighbor allgather {QDR_SAYS}; three of the paper's 11.",
                  [loss(found), growth(found), same_at_4_kb(found)],
                  [*HEADER, *(f"less, {size:,} B" for size in MOORE_SIZES[1:])], rows)


def loss(found):
    share = less(found[2, 1])
    return Claim("figure 4", "a slight loss for (2, 1)", f"{share:.0%} less time",
                 pick(share < 0), f"{sent(found[2, 1]['friends'][0], MOORE_RANKS):.0f} messages instead of "
                 f"{sent(found[2, 1]['direct'][0], MOORE_RANKS):.0f}; a second phase costs little more than "
                 "a latency here: no queues, no ranks that come late")


def growth(found):
    shares = {key: less(by) for key, by in found.items()}
    return Claim("figures 4, 5", "about 40 % less for (2, 2), more than 65 % for more dimensions; 67 % at "
                                 "best",
                 ", ".join(f"{share:.0%} for {key}" for key, share in shares.items()),
                 pick(shares[2, 2] > 0.33 and shares[3, 2] > 0.6, otherwise="agrees in part"),
                 f"friends sends {sent(found[3, 2]['friends'][0], MOORE_RANKS):.0f} of "
                 f"{sent(found[3, 2]['direct'][0], MOORE_RANKS):.0f} messages for (3, 2); (4, 3), the "
                 "paper's best, has 2,400 neighbors, too many messages for one process")


def same_at_4_kb(found):
    at = MOORE_SIZES.index(4096)
    ratios = {key: [1 - less(by, at + more) for more in (0, 1)] for key, by in found.items()}
    return Claim("figure 5", "all take about the same time at 4 KB, then direct is faster",
                 "; ".join(f"{ratio(first)} of direct's at 4 KiB, {ratio(second)} at 16 KiB {key}"
                           for key, (first, second) in ratios.items()),
                 pick(all(about_one(first) and second > 1 for first, second in ratios.values()),
                      otherwise="agrees in part"),
                 "adapters pass about as many bytes by both; at 16 KiB and (2, 2) direct takes "
                 f"{beyond(found[2, 2]['direct'][-1])} of what the busiest adapter needs for them, friends "
                 f"{beyond(found[2, 2]['friends'][-1])}, as its longer messages wait for each other")


def beyond(cost):
    return ratio(cost["time"] / (cost["adapter"]["bytes"] / QDR.bandwidth))


def bars(drawn, found):
    axes = drawn.subplots()
    for number, rule in enumerate(("direct", "friends")):
        axes.bar([x + 0.3 * (number - 0.5) for x in range(len(found))],
                 [by[rule][0]["time"] * 1e6 for by in found.values()], width=0.28, color=PHASES[number],
                 label=rule)
    axes.set_xticks(range(len(found)), [f"density {density}" for density in found])
    axes.set_ylabel("µs, 4 B")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)


def lines(drawn, by, dear):
    axes = drawn.subplots()
    for number, (overhead, one) in enumerate(((0.5, by), (2, dear))):
        for rule, style in (("direct", "o-"), ("friends", "o--")):
            axes.plot(SIZES, [cost["time"] * 1e6 for cost in one[rule]], style, ms=4,
                      color=PHASES[number], label=f"{rule}, overhead {overhead:g} µs")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(SIZES, [f"{size:,}" for size in SIZES])
    axes.minorticks_off()
    axes.set_xlabel("bytes of a block, density 0.05")
    axes.set_ylabel("µs")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
