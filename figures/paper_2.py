"""[2] Träff, Hunold: Cartesian Collective Communication (2019), figures 3 to 6."""

from dataclasses import replace
from itertools import product

from carpool_cli.machines import NAMED, Machine
from carpool_cli.style import PHASES
from figure import Claim, Figure, pick, ratio
from simulator import Scene

OMNIPATH = NAMED["omnipath"]
# Assumed: Gemini, which takes 1.5 us for a short message between neighboring nodes.
GEMINI = Machine(overhead=5e-7, latency=5e-7, gap=0, bandwidth=5e9, node_latency=3e-7,
                 node_bandwidth=5e9, copy_bandwidth=5e9)

INT = 4
INTS = [1, 10, 100]
SIZES = [INT * count for count in INTS]
# As many ranks as there. Tori have at least n ranks along each dimension: with fewer, offsets meet in
# one rank, and fewer blocks are sent than the paper counts.
HYDRA = [(3, 3, "12x12x8"), (3, 4, "12x12x8"), (3, 5, "12x12x8"), (4, 3, "6x6x6x6"),
         (4, 4, "6x6x6x6"), (4, 5, "6x6x6x6"), (5, 3, "5x5x5x5x5"), (5, 4, "5x5x5x5x5"),
         (5, 5, "5x5x5x5x5")]
TITAN = [(3, 3, "32x32x16"), (3, 4, "32x32x16"), (3, 5, "32x32x16"), (4, 3, "16x16x8x8"),
         (5, 3, "7x7x7x7x7")]


def figures():
    yield alltoall("Alltoall, Omni-Path, 1,152 to 3,125 ranks (figures 3 and 4)", "paper-2-hydra",
                   OMNIPATH, 32, HYDRA, hydra_claims)
    yield alltoall("Alltoall, Gemini, 16,384 and 16,807 ranks (figure 5)", "paper-2-titan", GEMINI,
                   16, TITAN, titan_claims)
    yield figure_6()


def stencil(d, n):
    return f"box {d} {n} -1"


def gains(machine, per_node, d, n, sizes, op="alltoall"):
    """The time of message combining over that of direct, for each size. An allgather by direct sends
    the messages of an alltoall."""
    scene = Scene(f"cluster:{2**20}x{per_node}", machine)
    direct, combined = (
        scene.times(f"torus {sizes}", stencil(d, n), sizes=SIZES, op=of, algorithm=name)[name]
        for name, of in (("direct", "alltoall"), ("cartesian", op)))
    return [c / t for c, t in zip(combined, direct, strict=True)]


def alltoall(title, name, machine, per_node, cases, claims):
    found = {(d, n): gains(machine, per_node, d, n, sizes) for d, n, sizes in cases}
    rows = [[f"{d}, {n}", f"{n**d - 1:,} → {d * (n - 1)}", *map(ratio, found[d, n])]
            for d, n, _ in cases]
    return Figure(title, f"Time of `cartesian` over that of `direct` for blocks of 1, 10 and 100 ints, by "
                         f"LogGP; overhead {machine.overhead * 1e6:g} µs at each end, {per_node} ranks "
                         "per node.",
                  claims(found), ["d, n", "messages", *(f"{count} ints" for count in INTS)], rows,
                  lambda drawn: bars(drawn, found), name)


def hydra_claims(found):
    dearer = {overhead: gains(replace(OMNIPATH, overhead=overhead), 32, 3, 3, "12x12x8")[2]
              for overhead in (1e-6, 3e-6)}
    spread = ", ".join(f"{ratio(gain)} with {overhead * 1e6:g} µs" for overhead, gain in dearer.items())
    best = min(found[5, 5])
    yield Claim("figures 3, 4", "combining wins for 1 and 10 ints, more so with more neighbors",
                f"{ratio(found[3, 3][0])} of the time with 26 neighbors, {ratio(found[5, 5][0])} with "
                f"3,124 (1 int); {ratio(found[3, 3][1])} and {ratio(found[5, 5][1])} (10 ints)",
                pick(found[5, 5][0] < found[3, 3][0] < 1 and max(f[1] for f in found.values()) < 1),
                "the ratio for 1 int follows C / t, since messages cost most")
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


def titan_claims(found):
    yield Claim("figure 5", "on 16,384 processes combining gains a factor of 3 for d = 5, n = 5, 100 ints",
                f"factors of {1 / found[5, 3][0]:.0f}, {1 / found[5, 3][1]:.1f} and "
                f"{1 / found[5, 3][2]:.1f} for d = 5, n = 3 and 1, 10, 100 ints",
                pick(found[5, 3][2] < 0.5), "for 100 ints the simulation again misses what the paper's "
                "messages cost; d = 5, n = 5 has 52 million messages, too many for one process")


def figure_6():
    gathered = gains(OMNIPATH, 32, 5, 5, "5x5x5x5x5", "allgather")
    irregular = {name: alltoallv(machine, per_node)
                 for name, machine, per_node in (("Omni-Path", OMNIPATH, 32), ("Gemini", GEMINI, 16))}
    claims = [
        Claim("figure 6", "allgather gains a factor of about 3 for 100 ints",
              f"a factor of {1 / gathered[2]:.1f} on Omni-Path",
              pick(1 / gathered[2] > 2.5),
              "combining sends the same volume as direct, in 20 messages instead of 3,124"),
        Claim("figure 6", "alltoallv with blocks of m (d - z) ints gains a factor of 6 for m = 10",
              f"{1 / irregular['Gemini']:.1f} on Gemini, {1 / irregular['Omni-Path']:.1f} on Omni-Path",
              pick(3 < 1 / irregular["Gemini"] < 12, otherwise="agrees in part"),
              "corners send nothing, so direct sends 2,100 messages instead of 3,124")]
    rows = [["allgather, Omni-Path", *map(ratio, gathered)],
            *(["alltoallv, " + name, "", ratio(gain), ""] for name, gain in irregular.items())]
    return Figure("Allgather and alltoallv, d = 5, n = 5 (figure 6)",
                  "Time of `cartesian` over that of `direct`, 3,125 ranks, by LogGP.",
                  claims, ["", *(f"m = {count}" for count in INTS)], rows)


def alltoallv(machine, per_node, m=10):
    scene = Scene(f"cluster:{2**20}x{per_node}", machine)
    return combined_over_direct(scene, irregular_blocks(INT * m))


def irregular_blocks(unit):
    """Of each offset, z of whose coordinates are not 0: d - z units; to the rank itself nothing."""
    zs = [sum(c != 0 for c in offset) for offset in product(range(-1, 4), repeat=5)]
    return [unit * (5 - z) if z else 0 for z in zs]


def combined_over_direct(scene, blocks):
    direct, combined = (
        scene.times("torus 5x5x5x5x5", stencil(5, 5), blocks=blocks, op="alltoall", algorithm=name)
        [name][0] for name in ("direct", "cartesian"))
    return combined / direct


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
