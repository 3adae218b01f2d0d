# SPDX-License-Identifier: MIT
"""[5], tables 2 to 4: the exchanges of Namd's PME and of a 3-D FFT, in which planes become pencils."""

import tempfile
from pathlib import Path

from figure import Claim, Figure, pick
from personalized import MACHINES, milliseconds, scene

# Table 2: planes along X and along Y, bytes of a block, milliseconds of a step by mesh and by direct on 256,
# 512 and 1,024 processors.
PME_BYTES = 900
PROCESSORS = [256, 512, 1024]
MOLECULES = {"ApoA-1": (108, 108, [39.23, 23.37, 20.27], [44.40, 27.95, 26.754]),
             "ATPase": (192, 144, [113.58, 60.75, 35.84], [120.84, 62.96, 38.62])}

# Tables 3 and 4: (receivers, bytes of a block), and milliseconds of a step by each strategy.
SENDERS = 256
STRATEGIES = ["direct", "mesh", "hypercube", "grid"]
LOW = {(256, 640): (108.9, 32.1, 42.0, 33.6), (224, 640): (78.1, 37.0, 40.0, 29.0),
       (192, 640): (52.7, 34.4, 36.1, 39.7), (256, 1280): (112.8, 40.1, 86.7, 82.7),
       (224, 1280): (90.9, 41.9, 75.6, 42.3), (192, 1280): (64.0, 44.1, 63.4, 40.0),
       (256, 4096): (144.2, 141.7, 211.4, 183.6)}
HIGH = {(32, 640): (20.51, 44.25, 23.4, 35.1), (64, 640): (32.19, 51.49, 14.4, 57.8),
        (128, 640): (32.12, 62.24, 20.0, 35.7), (32, 1280): (17.65, 48.95, 19.7, 66.3),
        (64, 1280): (31.67, 48.17, 20.6, 42.1), (128, 1280): (30.21, 37.09, 30.4, 45.2)}


def tables_2_to_4():
    yield namd()
    yield fft()


def exchange(machine, ranks, senders, receivers, size, strategies):
    """{strategy: seconds} of a block from each of some ranks to each of others, both dealt out evenly."""
    edges = [(a, b) for a in dealt(senders, ranks) for b in dealt(receivers, ranks) if a != b]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "edges.txt"
        file.write_text("".join(f"{a} {b}\n" for a, b in edges), encoding="utf-8")
        on = scene(machine)
        return {name: on.times(str(file), sizes=[size], op="alltoall", algorithm=name, ranks=ranks,
                               rearrange="off")[name][0] for name in strategies}


def dealt(some, ranks):
    return [number * ranks // some for number in range(some)]


def namd():
    found = {(molecule, ranks, name): there_and_back(machine, ranks, *MOLECULES[molecule][:2])
             for molecule in MOLECULES for ranks in PROCESSORS for name, machine in MACHINES.items()}
    rows = [[molecule, f"{ranks:,}", name, milliseconds(by["direct"]), milliseconds(by["mesh"])]
            for (molecule, ranks, name), by in found.items()]
    return Figure("Planes of Namd's PME (table 2)",
                  f"Milliseconds by LogGP of both exchanges of a step, blocks of {PME_BYTES} B from each plane "
                  "along X to each along Y and back, on the same machines, 4 ranks per node. Planes are "
                  "dealt out evenly over all ranks, of which the mesh is made.",
                  [by_mesh(molecule, found) for molecule in MOLECULES],
                  ["molecule", "ranks", "machine", "direct", "mesh"], rows)


def there_and_back(machine, ranks, planes, pencils):
    ways = [exchange(machine, ranks, *ends, PME_BYTES, ("direct", "mesh"))
            for ends in ((planes, pencils), (pencils, planes))]
    return {name: sum(way[name] for way in ways) for name in ways[0]}


def by_mesh(molecule, found):
    planes, pencils, mesh, direct = MOLECULES[molecule]
    saved = [d - m for d, m in zip(direct, mesh, strict=True)]
    gains = {name: [(by["direct"] - by["mesh"]) * 1e3 for (one, _, on), by in found.items()
                    if (one, on) == (molecule, name)] for name in MACHINES}
    said = "; ".join(f"{min(some):.2g} to {max(some):.2g} ms ({name})" for name, some in gains.items())
    return Claim("table 2", f"by mesh a step of {molecule} takes {min(saved):.1f} to {max(saved):.1f} ms less "
                            f"than by direct, on 256 to 1,024 processors ({planes} and {pencils} planes)",
                 f"the two exchanges take less by {said}",
                 pick(all(min(some) > 0 for some in gains.values()),
                      otherwise=pick(any(max(some) > 0 for some in gains.values()), "agrees in part")),
                 "a plane's messages cost a millisecond in all, by the paper's α; what a step saves beyond "
                 "that comes from the computation beside it, which is not simulated")


def fft():
    found = {(cell, name): exchange(machine, SENDERS, SENDERS, *cell, STRATEGIES)
             for cell in (*LOW, *HIGH) for name, machine in MACHINES.items()}
    rows = [[f"{receivers}", f"{size:,} B", name, *(milliseconds(by[one]) for one in STRATEGIES),
             " / ".join(f"{time:g}" for time in {**LOW, **HIGH}[receivers, size])]
            for ((receivers, size), name), by in found.items()]
    return Figure("3-D FFT on 256 ranks (tables 3 and 4)",
                  "Milliseconds by LogGP of the exchange alone, on the same machines, 4 ranks per node; 256 "
                  "ranks send, and the receivers are dealt out evenly. The paper's are whole steps.",
                  [indirect(found), uniform(found), varied(found)],
                  ["receivers", "block", "machine", *STRATEGIES, "paper: " + ", ".join(STRATEGIES)], rows)


def counted(found, cells, holds):
    """In how many of the cells it holds of {strategy: time}. @return {machine: number}"""
    return {name: sum(holds(found[cell, name]) for cell in cells) for name in MACHINES}


def in_cells(numbers, cells):
    return "in " + "; ".join(f"{number} ({name})" for name, number in numbers.items()) + f" of {len(cells)}"


def of_paper(cells, holds):
    return sum(holds(dict(zip(STRATEGIES, times, strict=True))) for times in cells.values())


def judged(numbers, cells):
    """Does it hold in more than half of the cells, on all machines or on one?"""
    most = [number > len(cells) / 2 for number in numbers.values()]
    return pick(all(most), otherwise=pick(any(most), "agrees in part"))


def indirect(found):
    ahead = lambda by: min(by, key=by.get) != "direct"
    cells = {**LOW, **HIGH}
    numbers = counted(found, cells, ahead)
    return Claim("tables 3, 4", "in almost all cases an indirect strategy is ahead of direct "
                                f"({of_paper(cells, ahead)} of {len(cells)})",
                 in_cells(numbers, cells), judged(numbers, cells),
                 "with 640 B and more a rank's bytes cost about as much as its messages, and each hop sends "
                 "them again")


def uniform(found):
    mesh = lambda by: by["mesh"] < by["grid"] < by["hypercube"]
    numbers = counted(found, LOW, mesh)
    return Claim("table 3", "with many receivers mesh is ahead of grid and grid of hypercube in most cases "
                            f"({of_paper(LOW, mesh)} of {len(LOW)})",
                 in_cells(numbers, LOW), judged(numbers, LOW),
                 "blocks hop twice, three times and four times on average")


def varied(found):
    ahead = lambda by: by["hypercube"] < min(by["mesh"], by["grid"])
    numbers = counted(found, HIGH, ahead)
    return Claim("table 4", "with few receivers hypercube is better than expected, ahead of mesh and grid "
                            f"({of_paper(HIGH, ahead)} of {len(HIGH)})",
                 in_cells(numbers, HIGH), judged(numbers, HIGH),
                 "what all send to few ranks is collected by few ranks of the mesh's last phase; where "
                 "receivers lie in the virtual topology decides, and the paper does not say it")
