# SPDX-License-Identifier: MIT
"""[5] Kalé, Kumar, Varadarajan: A Framework for Collective Personalized Communication (2003)."""

from figure import Claim, Figure, pick, ratio
from many_to_many import figures_10_and_11
from personalized import (ALLTOALL, ALPHA, BETA, BLOCKS, MACHINES, alltoall, crossing, milliseconds,
                          over, panels, rate)
from transforms import tables_2_to_4

SIZES = [8, 76, 476, 1000, 8192]
AT_76 = SIZES.index(76)
SWEPT = {512: 4, 513: 3, 1024: 4}  # ranks per node, by ranks
FEW = [16, 32, 64]
KEY = 8


def figures():
    swept = {(ranks, name): alltoall(ranks, machine, SIZES, per_node)
             for ranks, per_node in SWEPT.items() for name, machine in MACHINES.items()}
    few = {name: scaling(name, swept) for name in MACHINES}
    yield figure_5(few)
    yield figures_6_to_9(swept)
    yield figures_10_and_11({name: found[2048] for name, found in few.items()})
    yield from tables_2_to_4()


def scaling(name, swept):
    """{ranks: {strategy: [cost of 76 B, …]}}"""
    ends = {ranks: alltoall(ranks, MACHINES[name], BLOCKS) for ranks in (*FEW, 2048)}
    middle = {ranks: {strategy: costs[AT_76:] for strategy, costs in swept[ranks, name].items()}
              for ranks in (512, 1024)}
    return dict(sorted((ends | middle).items()))


def figure_5(few):
    rows = [[name, f"{ranks:,}", *(milliseconds(found[strategy][0]["time"]) for strategy in ALLTOALL)]
            for name, by_ranks in few.items() for ranks, found in by_ranks.items()]
    return Figure("All-to-all of 76 B (figure 5)",
                  "Milliseconds by LogGP, 4 ranks per node. On both machines a message costs 2.5 µs at "
                  "each end. `free`: a node has 300 MB/s for each of its ranks, as the paper's equations have "
                  "it. `shared`: it has 300 MB/s in all, its adapter takes "
                  f"{MACHINES['shared'].adapter_gap * 1e6:.1f} µs per message, too, and ranks copy at 300 MB/s. "
                  "`direct` is the algorithm spread, `hypercube` bruck, which sends as much.",
                  list(claims_of_5(few)), ["machine", "ranks", *ALLTOALL], rows,
                  lambda drawn: panels(drawn, {name: over(found, 0) for name, found in few.items()},
                                       "ranks"), "paper-5-scaling")


def claims_of_5(few):
    large = {name: {strategy: cost[0]["time"] for strategy, cost in found[2048].items()}
             for name, found in few.items()}
    orders = {name: sorted(times, key=times.get) for name, times in large.items()}
    yield Claim("figure 5", "hypercube is best on few processors; as they grow, mesh and grid pass it",
                f"on 16, 32 and 64 ranks the fastest is {'; '.join(map(fastest, few.values()))}; on "
                f"2,048 the order is {'; '.join(', '.join(order) for order in orders.values())} "
                "(free; shared)",
                pick(all(best(found[ranks]) == "hypercube" for found in few.values() for ranks in FEW[:2])
                     and all({*order[:2]} == {"mesh", "grid"} for order in orders.values()),
                     otherwise="agrees in part"),
                "hypercube sends each block log2(P) / 2 times, mesh and grid 2 and 3 times")
    gains = {name: times["mesh"] / times["direct"] for name, times in large.items()}
    yield Claim("figure 5", f"55 ms and 32 ms on 2,048 processors, a ratio of {ratio(32 / 55)}",
                "; ".join(f"{milliseconds(large[name]['direct'])} and {milliseconds(large[name]['mesh'])} "
                          f"ms, {ratio(gain)} ({name})" for name, gain in gains.items()),
                pick(all(0.5 < gain < 0.66 for gain in gains.values()), otherwise="agrees in part"),
                needed(few["free"][2048]))


def best(found):
    return min(found, key=lambda strategy: found[strategy][0]["time"])


def fastest(found):
    return ", ".join(best(found[ranks]) for ranks in FEW)


def needed(found):
    """What an adapter would have to take for the paper's times, all else being free."""
    direct, mesh = (found[name][0]["adapter"] for name in ("direct", "mesh"))
    return (f"the paper's 55 ms is MPI's own. If adapters alone were to explain both times, one would take "
            f"{55e-3 / direct['messages'] * 1e6:.1f} µs per message of direct, and pass what mesh sends at "
            f"{rate(mesh['bytes'] / 32e-3)}; so both a dear message and a slow byte are needed, "
            "not one of them")


def figures_6_to_9(found):
    rows = [[name, f"{ranks:,}", f"{size:,} B",
             *(milliseconds(by[strategy][number]["time"]) for strategy in ALLTOALL)]
            for (ranks, name), by in found.items() for number, size in enumerate(SIZES)]
    claims = [limit_of_combining(found), without_a_rank(found), cpu(found), *sorts(found)]
    return Figure("All-to-all over sizes (figures 6 to 9, table 1)",
                  "Milliseconds by LogGP, on the same machines; 4 ranks per node, with 513 ranks 3. There "
                  "bruck has no holes as the hypercube has.",
                  claims, ["machine", "ranks", "block", *ALLTOALL], rows,
                  lambda drawn: panels(drawn, {
                      f"{ranks:,} ranks, {name}": (SIZES, {
                          strategy: seconds(costs)
                          for strategy, costs in found[ranks, name].items()})
                      for ranks in (512, 1024) for name in MACHINES}, "bytes"), "paper-5-sizes")


def limit_of_combining(found):
    limits = {key: crossing(SIZES, seconds(by["direct"]), list(map(min, seconds(by["mesh"]),
                                                                   seconds(by["grid"]))))
              for key, by in found.items()}
    said = "; ".join(f"{limits[ranks, 'free']:,.0f} and {limits[ranks, 'shared']:,.0f} B with {ranks:,}"
                     for ranks in (512, 1024))
    return Claim("figures 6, 7", "mesh and grid beat direct below 1,000 B",
                 f"up to {said} (free and shared)",
                 pick(all(map(about_1000, limits.values())),
                      otherwise=pick(any(map(about_1000, limits.values())), "agrees in part")),
                 f"equations 1 and 2 cross at α/β (1 - 2/√P), {equal_to_mesh(512):,.0f} and "
                 f"{equal_to_mesh(1024):,.0f} B; in the simulation an adapter sends while its ranks make other "
                 "messages, so direct pays for its messages or for its bytes, but not for both")


def about_1000(limit):
    return 500 < limit < 2000


def equal_to_mesh(ranks):
    """The block for which equations 1 and 2 are equal."""
    return ALPHA / BETA * (1 - 2 / ranks ** 0.5)


def seconds(costs):
    return [cost["time"] for cost in costs]


def without_a_rank(found):
    gains = {name: {strategy: found[513, name][strategy][AT_76]["time"]
                    / found[512, name][strategy][AT_76]["time"] for strategy in ALLTOALL}
             for name in MACHINES}
    return Claim("figure 9", "all strategies do much better on 513 processors, 3 per node, than on 512",
                 "; ".join(f"{', '.join(f'{ratio(gain)} ({strategy})' for strategy, gain in by.items())} of "
                           f"the time, {name}" for name, by in gains.items()) + ", for 76 B",
                 pick(all(gain < 0.9 for by in gains.values() for gain in by.values()),
                      otherwise="agrees in part"),
                 "a quarter fewer ranks per adapter; the rest the paper blames on the operating system, "
                 "which is not simulated")


def cpu(found):
    cost = {name: found[1024, name]["mesh"][-1] for name in MACHINES}
    shares = {name: one["busy"] / one["time"] for name, one in cost.items()}
    return Claim("figure 8", f"of 800 ms that mesh takes for 8 KB on 1,024 processors, less than 32 are the "
                             f"processor's, {32 / 800:.0%}",
                 "; ".join(f"{milliseconds(one['busy'])} of {milliseconds(one['time'])} ms, "
                           f"{shares[name]:.1%} ({name})" for name, one in cost.items()),
                 pick(max(shares.values()) < 0.05, otherwise="agrees in part"),
                 "a message costs the processor 2.5 µs at each end; what it copies decides the rest, and "
                 f"the bytes of a node in 800 ms are {rate(cost['free']['adapter']['bytes'] / 0.8)}, not 300")


def sorts(found):
    """The all-to-alls of table 1: a block of m bytes are m P / 8 keys of each rank, sent in 4 passes."""
    paper = {8: (4.64, 1.224), 76: (9.94, 1.631), 8192: (18.72, 7.49)}
    for size, (direct, mesh) in paper.items():
        by = {name: [found[1024, name][strategy][SIZES.index(size)]["time"]
                     for strategy in ("direct", "mesh")] for name in MACHINES}
        keys = size * 1024 // KEY
        saved = max(d - m for d, m in by.values())
        yield Claim("table 1", f"radix sort of {said(keys)} keys on each of 1,024 processors takes "
                               f"{direct / mesh:.1f} times as long by direct as by mesh",
                    "; ".join(f"{d / m:.1f} times ({name})" for name, (d, m) in by.items())
                    + ", the all-to-alls alone",
                    pick(any(d > m for d, m in by.values()), "agrees in part"),
                    f"the paper saves {(direct - mesh) / 4 * 1e3:,.0f} ms in each of 4 passes, the "
                    f"simulation at most {milliseconds(max(saved, 0))} ms; the sort's reduction and other "
                    "work are not simulated")


def said(keys):
    return "a million" if keys > 1e6 else f"{round(keys, -3):,}"
