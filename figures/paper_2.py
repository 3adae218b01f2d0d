# SPDX-License-Identifier: MIT
"""[2] Träff, Hunold: Cartesian Collective Communication (2019), figures 3 to 6."""

from itertools import product

from carpool_cli.machines import NAMED, Machine
from carpool_cli.style import PHASES
from figure import Claim, Figure, pick, ratio
from paper_1_parts import PRINTED
from simulator import Scene

OMNIPATH = NAMED["omnipath"]
# Assumed: Gemini, which takes 1.5 us for a short message between neighboring nodes.
GEMINI = Machine.alike(overhead=5e-7, latency=5e-7, gap=0, bandwidth=5e9, node_latency=3e-7,
                       node_bandwidth=5e9, copy_bandwidth=5e9)

INT = 4
INTS = [1, 10, 100]
SIZES = [INT * count for count in INTS]
# As many ranks as there, as MPI_Dims_create divides them.
HYDRA_GRIDS = {3: "12x12x8", 4: "8x6x6x4", 5: "6x4x4x4x3"}
HYDRA = [(d, n, HYDRA_GRIDS[d]) for d in (3, 4, 5) for n in (3, 4, 5)]
TITAN_GRIDS = {3: "32x32x16", 4: "16x16x8x8", 5: "8x8x8x8x4"}
HALF_OF_TITAN = "8x8x8x4x4"  # d = 5, n = 5 has 51 million messages on all of it
TITAN = [*((d, n, TITAN_GRIDS[d]) for d in (3, 4) for n in (3, 4, 5)), (5, 3, TITAN_GRIDS[5]),
         (5, 4, TITAN_GRIDS[5]), (5, 5, HALF_OF_TITAN)]


def figures():
    yield alltoall("Alltoall, Omni-Path, 1,152 ranks (figures 3 and 4)", "paper-2-hydra",
                   OMNIPATH, 32, HYDRA, hydra_claims, " Figure 4 is of 1,024 ranks.")
    yield alltoall("Alltoall, Gemini, 16,384 ranks (figure 5)", "paper-2-titan", GEMINI, 16, TITAN,
                   titan_claims, " d = 5, n = 5 on 8,192 ranks.")
    yield figure_6()


def stencil(d, n):
    return f"box {d} {n} -1"


def gains(machine, per_node, d, n, sizes, op="alltoall"):
    """The time of message combining over that of direct, for each size. An allgather by direct sends
    the messages of an alltoall."""
    scene = Scene(f"cluster:{2**20}x{per_node}", machine)
    direct, combined = (
        scene.times(f"torus {sizes}", stencil(d, n), sizes=SIZES, op=of, algorithm=name,
                    as_printed=True)[name]
        for name, of in (("direct", "alltoall"), ("cartesian", op)))
    return [c / t for c, t in zip(combined, direct, strict=True)]


def alltoall(title, name, machine, per_node, cases, claims, besides=""):
    found = {(d, n): gains(machine, per_node, d, n, sizes) for d, n, sizes in cases}
    rows = [[f"{d}, {n}", f"{n**d - 1:,} → {d * (n - 1)}", *map(ratio, found[d, n])]
            for d, n, _ in cases]
    return Figure(title, f"Time of `cartesian` over that of `direct` for blocks of 1, 10 and 100 ints, by "
                         f"LogGP; overhead {machine.overhead * 1e6:g} µs at each end, {per_node} ranks "
                         f"per node. {PRINTED}{besides}",
                  claims(found), ["d, n", "messages", *(f"{count} ints" for count in INTS)], rows,
                  lambda drawn: bars(drawn, found), name)


def hydra_claims(found):
    dearer = {overhead: gains(OMNIPATH.with_overhead(overhead), 32, 3, 3, "12x12x8")[2]
              for overhead in (1e-6, 3e-6)}
    spread = ", ".join(f"{ratio(gain)} with {overhead * 1e6:g} µs" for overhead, gain in dearer.items())
    best = min(found[5, 5])
    wins = all(f[0] < 1 and f[1] < 1 for f in found.values())
    more = all(found[d, 5][number] < found[d, 3][number] for d in HYDRA_GRIDS for number in (0, 1))
    yield Claim("figures 3, 4", "combining wins for 1 and 10 ints, more so for n = 5 than for n = 3",
                f"of the time, 1 int: {from_3_to_5(found, 0)}; 10 ints: {from_3_to_5(found, 1)}",
                pick(wins and more, otherwise=pick(wins, "agrees in part")),
                "the ratio for 1 int follows C / t, since messages cost most; with 10 ints and more "
                "dimensions bytes begin to count")
    yield Claim("figures 3, 4", "for 100 ints the larger volume begins to dominate, yet d = 3, n = 3 still "
                                "gains",
                f"{ratio(found[3, 3][2])} for d = 3, n = 3 with 0.4 µs per message and end; {spread}",
                pick(found[3, 3][2] < 1, otherwise="agrees in part"),
                "the sign is a statement about what a message costs, which the paper does not say; its "
                "baseline had several µs per message")
    yield Claim("figures 3, 4", "factors of 17 (d = 5, n = 5, 100 ints), 190 (10 ints) and 250 (d = 5, "
                                "n = 3, 100 ints)",
                f"at most a factor of {1 / best:.0f}",
                "differs", "the paper itself blames the MPI libraries: their time grows faster than the "
                "number of messages; no such library is simulated")
    yield Claim("figure 4", "a reasonable factor of 3 for d = 5, n = 3, 10 ints",
                f"a factor of {1 / found[5, 3][1]:.1f}",
                pick(2 < 1 / found[5, 3][1] < 4.5, otherwise="agrees in part"),
                "242 messages become 10, and 1,458 blocks are sent instead of 242")


def from_3_to_5(found, number):
    return ", ".join(f"{ratio(found[d, 3][number])} to {ratio(found[d, 5][number])} for d = {d}"
                     for d in HYDRA_GRIDS)


def titan_claims(found):
    gain = [1 / one for one in found[5, 5]]
    yield Claim("figure 5", "combining gains a factor of 3 for d = 5, n = 5, 100 ints",
                f"factors of {gain[0]:.1f}, {gain[1]:.1f} and {gain[2]:.2f} for 1, 10 and 100 ints",
                pick(gain[2] > 2, otherwise=pick(gain[2] > 1, "agrees in part")),
                "12,500 blocks are sent instead of 3,124; by the paper's model a factor of 3 takes messages "
                f"that cost as much as {worth(3, 3124 * 400, 12500 * 400):,.0f} B each")


def worth(gain, direct, combined):
    """The bytes that take as long as a message if 20 messages instead of 3,124 gain so much: α / β.
    @param direct, combined: the bytes that a rank sends"""
    return (gain * combined - direct) / (3124 - gain * 20)


def figure_6():
    """Gemini on half of Titan, as in figure 5."""
    gathered = {name: gains(machine, per_node, 5, 5, sizes, "allgather")
                for name, (machine, per_node, sizes) in SYSTEMS.items()}
    irregular = {name: [alltoallv(*system, m) for m in (1, 10)] for name, system in SYSTEMS.items()}
    rows = [*([f"allgather, {name}", *map(ratio, found)] for name, found in gathered.items()),
            *([f"alltoallv, {name}", *map(ratio, found), ""] for name, found in irregular.items())]
    return Figure("Allgather and alltoallv, d = 5, n = 5 (figure 6)",
                  "Time of `cartesian` over that of `direct`, 1,152 ranks on Omni-Path and 8,192 on Gemini, "
                  f"by LogGP. {PRINTED} With m = 100 an alltoallv would have 8.7 GB of blocks on a rank.",
                  [gathering(gathered), *irregularly(irregular)],
                  ["", *(f"m = {count}" for count in INTS)], rows)


SYSTEMS = {"Omni-Path": (OMNIPATH, 32, HYDRA_GRIDS[5]), "Gemini": (GEMINI, 16, HALF_OF_TITAN)}


def gathering(found):
    gain = {name: 1 / one[2] for name, one in found.items()}
    return Claim("figure 6", "allgather gains a factor of about 3 over the trivial algorithm for 100 ints",
                 " and ".join(f"{one:.1f} on {name}" for name, one in gain.items())
                 + " over all messages at once",
                 pick(all(2 < one < 4.5 for one in gain.values()),
                      otherwise=pick(min(gain.values()) > 1, "agrees in part")),
                 "combining sends the same volume as direct, in 20 messages instead of 3,124")


def irregularly(found):
    gain = {name: 1 / one[1] for name, one in found.items()}
    yield Claim("figure 6", "alltoallv with blocks of m^(d - z) ints gains a factor of 6 for m = 10 on Titan",
                f"{gain['Gemini']:.2f} on Gemini, {gain['Omni-Path']:.2f} on Omni-Path",
                pick(gain["Gemini"] > 3, otherwise=pick(gain["Gemini"] > 1, "agrees in part")),
                f"corners have 1 int and faces 10,000, {sent(10) / 1e6:.2f} MB in all, of which combining "
                f"sends {hops(10) / sent(10):.2f} times as much; a factor of 6 takes messages that cost as "
                f"much as {worth(6, sent(10), hops(10)):,.0f} B each, near to what figure 5 takes")


def alltoallv(machine, per_node, sizes, m):
    scene = Scene(f"cluster:{2**20}x{per_node}", machine)
    direct, combined = (
        scene.times(f"torus {sizes}", stencil(5, 5), blocks=irregular_blocks(m), op="alltoall",
                    algorithm=name, as_printed=True)[name][0] for name in ("direct", "cartesian"))
    return combined / direct


def nonzeros():
    """Of each offset, how many of its coordinates are not 0."""
    return [sum(c != 0 for c in offset) for offset in product(range(-1, 4), repeat=5)]


def irregular_blocks(m):
    """Bytes for each offset, as in the authors' programs: m^(d - z) ints; to the rank itself nothing."""
    return [INT * m ** (5 - z) if z else 0 for z in nonzeros()]


def sent(m):
    return sum(irregular_blocks(m))


def hops(m):
    """The bytes that are sent if a block hops once for each coordinate that is not 0."""
    return sum(z * size for z, size in zip(nonzeros(), irregular_blocks(m), strict=True))


def bars(drawn, found):
    axes = drawn.subplots()
    for number, count in enumerate(INTS):
        axes.bar([x + 0.27 * (number - 1) for x in range(len(found))],
                 [gains[number] for gains in found.values()], width=0.25, color=PHASES[number],
                 label=f"{count} int{'s' if count > 1 else ''}")
    axes.axhline(1, color="#666666", lw=1)
    axes.set_xticks(range(len(found)), [f"d = {d}\nn = {n}" for d, n in found])
    axes.set_yscale("log")
    axes.set_ylabel("time over that of direct")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
