# SPDX-License-Identifier: MIT
"""What users of large machines ask: what to take, and from which size on."""

import tempfile
from pathlib import Path

from carpool_cli.costs import size as bytes_text
from carpool_cli.machines import NAMED
from carpool_cli.style import RULES
from figure import Figure, times
from simulator import Scene

INFINIBAND = NAMED["infiniband"]
PER_NODE = 32
SIZES = [8, 64, 512, 4096, 32768]


def figures():
    yield many_to_few()
    yield unknown_sources()
    yield allreduce()
    yield half_to_oneself()


def scene(ranks):
    return Scene(f"cluster:{-(-ranks // PER_NODE)}x{PER_NODE}", INFINIBAND)


def winners(found, sizes):
    """[(from this size, the fastest)], where it changes."""
    steps = []
    for number, size in enumerate(sizes):
        best = min(found, key=lambda name: found[name][number])
        if not steps or steps[-1][1] != best:
            steps.append((size, best))
    return steps


def in_words(steps):
    """`a`, from 4 KiB on `b`"""
    first, *others = steps
    return ", ".join([f"`{first[1]}`", *(f"from {bytes_text(size)} on `{name}`"
                                         for size, name in others)])


def table(found, sizes):
    return (["µs", *map(bytes_text, sizes)],
            [[name, *map(times, seconds)] for name, seconds in found.items()])


def curves(found, sizes, xlabel="bytes of a block"):
    def draw(drawn):
        axes = drawn.subplots()
        for number, (name, seconds) in enumerate(found.items()):
            axes.loglog(sizes, [time * 1e6 for time in seconds], marker="o", ms=4,
                        color=RULES[number % len(RULES)], label=name,
                        ls="-" if number < len(RULES) else "--")
        axes.set_xlabel(xlabel)
        axes.set_ylabel("µs")
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
        axes.spines[["top", "right"]].set_visible(False)
    return draw


def many_to_few(ranks=27_000, collectors=250):
    """Each rank sends a block to one of the collectors, of which each node has at most one."""
    found = with_edges(ranks, [(rank, rank % collectors * (ranks // collectors))
                               for rank in range(ranks)])
    header, rows = table(found, SIZES)
    return Figure(
        f"Many to few: {ranks:,} ranks to {collectors}",
        f"Each rank has a block for one of {collectors} ranks, as where files are written or answers are "
        f"collected; all over the machine, so a collector receives {ranks // collectors} blocks.",
        [], header, rows, curves(found, SIZES), "users-many-to-few",
        f"Fastest: {in_words(winners(found, SIZES))}. A collector takes at least "
        f"{times(ranks / collectors * INFINIBAND.overhead)} µs to receive its messages one by one.")


def with_edges(ranks, edges):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "edges.txt"
        file.write_text("".join(f"{a} {b}\n" for a, b in edges), encoding="utf-8")
        return scene(ranks).times_by(
            ("direct", "node:1", "node:6", "node:32", "2 digits", "3 digits"), str(file), sizes=SIZES,
            ranks=ranks)


def unknown_sources(sizes=(1_024, 8_192, 65_536), degree=16, block=64):
    """Direct needs to know when all is there: a consensus, whose cost is that of a barrier."""
    every = [of_unknown_sources(ranks, degree, block) for ranks in sizes]
    found = {name: [one[name] for one in every] for name in every[0]}
    rows = [[name, *map(times, seconds)] for name, seconds in found.items()]
    best = [min(found, key=lambda name: found[name][i]) for i in range(len(sizes))]
    return Figure(
        f"Unknown sources: some {degree} blocks of {block} B from each rank, to random ones",
        "A sparse exchange whose receivers do not know the senders. `direct + consensus`: a synchronous send for "
        "each block, and a barrier that ends when all have arrived. Digits: blocks travel by the digits of "
        "the distance, and a rank has all when each rank of a digit has sent it a message, if only an empty one. "
        "`star`: one rank collects and hands out all (counted, not simulated).",
        [], ["µs", *(f"{ranks:,} ranks" for ranks in sizes)], rows,
        curves(found, sizes, "ranks"), "users-unknown-sources",
        f"Fastest: {', '.join(f'`{name}` on {ranks:,}' for name, ranks in zip(best, sizes, strict=True))}.")


def of_unknown_sources(ranks, degree, block):
    on = scene(ranks)
    place = f"random {ranks} density {degree / ranks:.6f}"
    ((direct,),) = on.times_by(["direct"], place, sizes=[block]).values()
    ((barrier,),) = on.times_by(["dissemination"], f"barrier {ranks}", sizes=[0]).values()
    star = 2 * ranks * (INFINIBAND.overhead + degree * block / INFINIBAND.bandwidth)
    digits = {name: by_digits(on, place, ranks, count, block)
              for name, count in (("2 digits", 2), ("3 digits", 3),
                                  ("a digit per bit", ranks.bit_length() - 1))}
    return {"direct + consensus": direct + INFINIBAND.latency + barrier, **digits, "star": star}


def by_digits(on, place, ranks, count, block):
    """The plan leaves out empty messages, which the protocol has to send."""
    ((cost,),) = on.costs(place, sizes=[block], algorithm="digits", digits=str(count)).values()
    sent = (cost["within"]["messages"] + cost["between"]["messages"]) / ranks
    wanted = count * (ranks ** (1 / count) - 1)
    return cost["time"] + max(0, wanted - sent) * 2 * INFINIBAND.overhead


def allreduce(ranks=16_384):
    sizes = [8, 1024, 16384, 262144, 4194304]
    found = scene(ranks).times_by(
        ("recursive-doubling", "node", "node-spread", "node-rabenseifner", "multi-lane",
         "multi-lane-rabenseifner"), f"allreduce {ranks}", sizes=sizes)
    header, rows = table(found, sizes)
    return Figure(
        f"Allreduce between nodes: {ranks:,} ranks",
        f"On {ranks // PER_NODE} nodes of {PER_NODE} ranks.", [], header, rows,
        curves(found, sizes, "bytes"), "users-allreduce", f"Fastest: {in_words(winners(found, sizes))}.")


def half_to_oneself(ranks=512):
    """The rank's own half is a copy, of as many bytes as all others get."""
    sizes = [8, 64, 512, 4096]
    others = scene(ranks).times_by(("spread", "2-digits", "3-digits", "node", "node-2-digits", "bruck"),
                                   f"alltoall {ranks}", sizes=sizes)
    copy = [(ranks - 1) * size / INFINIBAND.copy_bandwidth for size in sizes]
    found = {f"{name} and a copy": [t + c for t, c in zip(seconds, copy, strict=True)]
             for name, seconds in others.items()} | {"the copy alone": copy}
    header, rows = table(found, sizes)
    share = [c / min(seconds[i] for name, seconds in found.items() if name != "the copy alone")
             for i, c in enumerate(copy)]
    best = winners({name: found[name] for name in found if name != "the copy alone"}, sizes)
    return Figure(
        f"Half of the data for oneself: alltoallv on {ranks} ranks",
        "Each rank keeps half of its data and sends the other half in equal blocks to all other ranks, as when "
        "particles or rows move little.", [], header, rows, curves(found, sizes, "bytes for each other rank"),
        "users-half",
        f"Fastest: {in_words(best)}. The copy takes {share[0]:.0%} of that time for {bytes_text(sizes[0])}, "
        f"{share[-1]:.0%} for {bytes_text(sizes[-1])}: what stays need not be sent to oneself.")
