# SPDX-License-Identifier: MIT
"""[4] Morgan: persistent non-blocking collectives (2017), figures 4.3 to 4.15. Both forms send the same
messages, so a simulation of messages tells when a collective ends, and how little is left to save."""

import re
from pathlib import Path

from carpool_cli.machines import Machine
from carpool_cli.style import PHASES
from figure import Claim, Figure, pick, ratio, times
from simulator import Scene

# Assumed: InfiniBand FDR. A node of Hopper has two processors of 10 cores.
HOPPER = Machine.alike(overhead=5e-7, latency=6e-7, gap=5e-9, bandwidth=6.8e9,
                       node_latency=3e-7, node_bandwidth=1e10, copy_bandwidth=1e10)
PER_NODE = 20
RANKS = [2, 8, 32, 128, 256, 512]
SIZES = [4 * 1024, 256 * 1024]

# Of each collective the algorithm in which all send straight to where a block belongs.
SIMPLE = {"allgather": "spread", "allreduce": "spread", "alltoall": "spread", "alltoallv": "spread",
          "bcast": "linear", "gather": "linear", "gatherv": "linear", "reduce": "linear",
          "reduce_scatter": "spread", "scatter": "linear", "scatterv": "linear"}
HOSTED = ["allgather", "allreduce", "alltoall", "bcast", "gather", "reduce", "scatter"]
HOSTS = ["MPICH's", "Open MPI's"]
PLANNED = (5e-8, 2e-7)  # assumed: seconds that a schedule takes for each message of a rank
MEASURED = Path(__file__).resolve().parent.parent / "docs" / "measurements" / "collectives.md"
PAGE = "[measured](measurements/collectives.md)"


def figures():
    found = {kind: [by_algorithm(kind, ranks) for ranks in RANKS] for kind in SIMPLE}
    yield completion(found)
    yield planning(found)
    yield hosts()


def by_algorithm(kind, ranks):
    """{algorithm: [seconds for each size]}"""
    scene = Scene(f"cluster:26x{PER_NODE}", HOPPER)
    if kind == "alltoallv":
        return {"spread": [to_all(scene, ranks, uneven(size, ranks)) for size in SIZES]}
    if not kind.endswith("v"):
        return scene.times(f"{kind} {ranks}", sizes=SIZES)
    irregular = [scene.times(f"{kind[:-1]} {ranks}", blocks=uneven(size, ranks)) for size in SIZES]
    return {name: [one[name][0] for one in irregular] for name in irregular[0]}


def to_all(scene, ranks, blocks):
    """Seconds that all blocks take straight to the ranks that are 0, 1, 2 … further."""
    return scene.times(f"torus {ranks}", f"box 1 {ranks} 0", blocks=blocks, op="alltoall",
                       algorithm="direct")["direct"][0]


def uneven(size, ranks):
    """Blocks of half the size, the size and half more in turn, as in bench/collectives.cpp."""
    return [size * (1 + rank % 3) // 2 for rank in range(ranks)]


def best(algorithms, number):
    """The time of the fastest, and its name."""
    return min((values[number], name) for name, values in algorithms.items())


def completion(found):
    rows = [[kind, *cells(of_all[0], 0, SIMPLE[kind]), *cells(of_all[-1], 0, SIMPLE[kind]),
             *cells(of_all[-1], 1, SIMPLE[kind])] for kind, of_all in found.items()]
    return Figure("Completion of 11 collectives, 2 to 512 ranks (figures 4.5 to 4.15)",
                  "Times in µs of the fastest algorithm, and over it that of the simple one, in which all "
                  "send straight; by LogGP on an assumed InfiniBand FDR, overhead "
                  f"{HOPPER.overhead * 1e6:g} µs at each end, {PER_NODE} ranks per node. Sizes are those of "
                  "a block; alltoallv, gatherv and scatterv have half of it, it and half more in turn. Of "
                  "alltoallv only the simple algorithm is simulated.",
                  completion_claims(found),
                  ["", "2 ranks, 4 KiB", "simple", "512 ranks, 4 KiB", "simple", "512 ranks, 256 KiB",
                   "simple"], rows, lambda drawn: growth(drawn, found), "paper-4-completion")


def cells(algorithms, number, simple):
    time, name = best(algorithms, number)
    return [f"{times(time)} {name}", ratio(algorithms[simple][number] / time)]


def completion_claims(found):
    gains = {kind: [of_all[-1][SIMPLE[kind]][number] / best(of_all[-1], number)[0] for number in (0, 1)]
             for kind, of_all in found.items()}
    chosen = {kind: max(values) for kind, values in gains.items()}
    better = [kind for kind, gain in chosen.items() if gain > 1.1]
    yield Claim("chapter 5", "better algorithms, chosen at the init, are the main improvement left",
                f"on 512 ranks the best is up to {max(chosen.values()):.0f} times as fast as the simple one; "
                f"more than 1.1 times for {', '.join(better)}",
                pick(len(better) > len(chosen) / 2, otherwise="agrees in part"),
                "where all blocks differ, as in alltoall and scatter, sending straight is least volume, and "
                "bandwidth decides at 4 KiB and more")
    yield reduce_scatter(found["reduce_scatter"])
    yield Claim("figures 4.7, 4.8", "alltoall and alltoallv, persistent against nonblocking",
                f"with 4 KiB on 512 ranks alltoall ends after {best(found['alltoall'][-1], 0)[0] * 1e3:.1f} ms "
                f"and alltoallv after {best(found['alltoallv'][-1], 0)[0] * 1e3:.1f} ms, in either form",
                "not simulated", "both forms send the same messages; the paper does not say what sizes its "
                "alltoallv has")


def reduce_scatter(found):
    at = RANKS.index(256)
    steps = [best(found[number], 1)[0] / best(found[number - 1], 1)[0] for number in (at, at + 1)]
    rooted = found[at]["reduce-scatter"]
    return Claim("figure 4.4 (a)", "Reduce_scatter at 256 processes is much faster where persistent",
                 f"nothing is special at 256: {steps[0]:.1f} times the time of 128 ranks, and 512 have "
                 f"{steps[1]:.1f} times that of 256 (256 KiB); a reduce and a scatter take "
                 f"{rooted[1] / best(found[at], 1)[0]:.0f} times as long as the best algorithm there",
                 "not simulated", f"of the {rooted[1] * 1e3:.0f} ms by a reduce and a scatter, a plan of "
                 f"{PLANNED[1] * 1e9:g} ns for each message would take "
                 f"{share('reduce_scatter', 256, rooted[1], PLANNED[1]):.2%}, so the outlier comes from "
                 "elsewhere")


def growth(drawn, found):
    for axes, number in zip(drawn.subplots(1, 2, sharey=True), (0, 1), strict=True):
        for place, (kind, of_all) in enumerate(found.items()):
            axes.loglog(RANKS, [1e6 * best(one, number)[0] for one in of_all], marker="o", ms=3,
                        color=PHASES[place % len(PHASES)], ls="-" if place < len(PHASES) else "--",
                        label=kind)
        axes.set_title(f"{SIZES[number] // 1024} KiB")
        axes.set_xticks(RANKS, RANKS)
        axes.set_xlabel("ranks")
        axes.spines[["top", "right"]].set_visible(False)
    drawn.axes[0].set_ylabel("µs, fastest algorithm")
    drawn.axes[0].legend(frameon=False, fontsize=7)


def share(kind, ranks, time, per_message):
    """What planning the simple algorithm takes, of its time."""
    messages = (ranks - 1) * (2 if SIMPLE[kind] == "spread" else 1)
    return messages * per_message / time


def shares(found, per_message):
    """{kind: [for each number of ranks [for each size]]}"""
    return {kind: [[share(kind, ranks, time, per_message) for time in one[SIMPLE[kind]]]
                   for ranks, one in zip(RANKS, of_all, strict=True)] for kind, of_all in found.items()}


def planning(found):
    low, high = (shares(found, each) for each in PLANNED)
    rows = [[kind, *(f"{low[kind][at][n]:.2%}, {high[kind][at][n]:.2%}"
                     for n in (0, 1) for at in (0, 2, -1))] for kind in found]
    assumed = " and ".join(f"{each * 1e9:g} ns" for each in PLANNED)
    return Figure("What planning takes of a start (figures 4.3 and 4.5 to 4.15)",
                  f"Assumed: {assumed} for each message of a schedule, of the time of the simple algorithm "
                  "by LogGP.", planning_claims(high),
                  ["", *(f"{ranks} ranks, {size // 1024} KiB" for size in SIZES for ranks in (2, 32, 512))],
                  rows, lambda drawn: planned(drawn, high), "paper-4-planning")


def planning_claims(high):
    seen = measured()
    yield with_ranks(high, seen)
    yield with_sizes(high, seen)
    every = [one for of_all in high.values() for at in of_all for one in at]
    yield Claim("figures 4.5 to 4.15", "the persistent form is slightly faster for most collectives, and "
                "slower for allgather and alltoall",
                f"planning would take {min(every):.2%} to {max(every):.0%} ({PLANNED[1] * 1e9:g} ns per "
                f"message); {PAGE}: {seen['all']}",
                "not simulated", "both forms send the same messages; only a run can tell them apart")
    yield Claim("figure 4.3", "the init takes longer than a nonblocking call, and tests less",
                f"{PAGE}: a nonblocking start takes {seen['start']} times as long as a persistent one, a "
                f"later init {seen['init']}",
                "not simulated", "inits and tests send nothing that a simulation of messages sees")


def with_ranks(high, seen):
    more = [kind for kind, one in high.items() if one[-1][0] > one[0][0]]
    return Claim("§4.3", "persistence is expected to gain more as ranks become more",
                f"with {PLANNED[1] * 1e9:g} ns per message and 4 KiB, planning takes a larger share on 512 "
                f"ranks than on 2 for {', '.join(more) or 'none'}, and a smaller one for the other "
                f"{len(high) - len(more)}; {PAGE}: nonblocking over persistent {seen['ranks']}",
                pick(len(more) == len(high), otherwise=pick(more, "agrees in part")),
                "a root plans for all others while its adapter sends for it alone; where all ranks send, "
                f"{PER_NODE} share an adapter, and what a message takes outgrows its planning")


def with_sizes(high, seen):
    short, long = (mean([one[0][number] for one in high.values()]) for number in (0, 1))
    return Claim("§4.3", "persistence is expected to gain more as messages become longer",
                f"on 2 ranks planning would take {short:.1%} at 4 KiB and {long:.2%} at 256 KiB; "
                f"{PAGE}: nonblocking over persistent {seen['sizes']}",
                pick(long > short),
                "planning is as long for any size; caching of buffers is not simulated")


def planned(drawn, high):
    axes = drawn.subplots()
    for place, (kind, of_all) in enumerate(high.items()):
        axes.loglog(RANKS, [100 * one[0] for one in of_all], marker="o", ms=3,
                    color=PHASES[place % len(PHASES)], ls="-" if place < len(PHASES) else "--", label=kind)
    axes.set_xticks(RANKS, RANKS)
    axes.set_xlabel("ranks, blocks of 4 KiB")
    axes.set_ylabel(f"planning, % of the time, {PLANNED[1] * 1e9:g} ns per message")
    axes.legend(frameon=False, fontsize=8, ncols=2)
    axes.spines[["top", "right"]].set_visible(False)


def measured():
    """What docs/measurements/collectives.md says, in words."""
    page = MEASURED.read_text(encoding="utf-8")
    row = re.compile(r"^\| (\d+) \| ([\d,]+) B \| Carpool \| ([\d.]+) \([^)]*\) \| ([\d.]+) \|", re.M)
    cells = [(int(ranks), int(size.replace(",", "")), float(whole), float(start))
             for ranks, size, whole, start in row.findall(page)]
    init = re.search(r"a later init, in starts \(mean, most\) \| ([\d.]+), [\d.]+ \| ([\d.]+),", page)
    of = lambda keep: mean([whole for ranks, size, whole, _ in cells if keep(ranks, size)])
    return {"ranks": ", ".join(f"{of(lambda r, s, p=p: r == p and s == SIZES[0]):.2f} on {p}"
                               for p in sorted({one[0] for one in cells})) + " ranks at 4 KiB",
            "sizes": ", ".join(f"{of(lambda r, s, size=size: s == size):.2f} at {size // 1024} KiB"
                               for size in SIZES),
            "all": f"nonblocking over persistent {min(c[2] for c in cells):.2f} to "
                   f"{max(c[2] for c in cells):.2f}",
            "start": f"{min(c[3] for c in cells):.1f} to {max(c[3] for c in cells):.1f}",
            "init": f"{init[1]} starts with MPICH and {init[2]} with Open MPI" if init else "several starts"}


def mean(values):
    return sum(values) / len(values)


def hosts(ranks=128, size=SIZES[0]):
    scene = Scene(f"cluster:7x{PER_NODE}", HOPPER, "auto", limit=20)
    found = {kind: {name: values[0] for name, values in scene.times(f"{kind} {ranks}", sizes=[size]).items()}
             for kind in HOSTED}
    rows = []
    for kind, values in found.items():
        own = {name: [time] for name, time in values.items() if name not in HOSTS}
        time, name = best(own, 0)
        rows.append([kind, f"{times(time)} {name}", times(own[SIMPLE[kind]][0]),
                     *(times(values.get(host)) for host in HOSTS)])
    return Figure(f"Algorithms of MPICH and Open MPI, {ranks} ranks, {size // 1024} KiB",
                  "Times in µs; Carpool's by LogGP, the hosts' by SimGrid, which has the tables of older "
                  "versions (– where SimGrid is missing, aborts or takes too long).",
                  [host_claim(found)], ["", "fastest", "simple", *HOSTS], rows)


def host_claim(found):
    gains = {}
    for kind, values in found.items():
        own = min(time for name, time in values.items() if name not in HOSTS)
        other = [values[host] for host in HOSTS if values.get(host)]
        if other:
            gains[kind] = min(other) / own
    said = ", ".join(f"{kind} {gain:.2f}" for kind, gain in gains.items()) or "SimGrid is missing"
    return Claim("§1.3", "MPI's own choices of algorithms may be far from the best",
                 f"time of the better host over that of the best algorithm: {said}",
                 pick(max(gains.values(), default=1) > 1.5, otherwise="agrees in part")
                 if gains else "not simulated",
                 "the hosts' times are by another engine, in which sums and copies cost nothing, so below 1 "
                 "Carpool need not be behind")
