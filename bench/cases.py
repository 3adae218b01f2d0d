# SPDX-License-Identifier: MIT
"""Which cases a bench runs: names as bench/neighborhoods takes them, pattern/operation/bytes."""

GRID = [(d, n) for d in (2, 3, 4, 5) for n in (3, 4, 5)]
INTS = (1, 10, 100)
BYTES = (1, 8, 32, 128, 512, 2048)


def named(pattern, operation, sizes):
    return [f"{pattern}/{operation}/{size}" for size in sizes]


def grid(operation, stencils=GRID, ints=INTS):
    """Paper 2 §4.1: n neighbors per dimension from -1 on; blocks of so many ints."""
    sizes = [4 * m for m in ints]
    return [case for d, n in stencils for case in named(f"grid-d{d}-n{n}", operation, sizes)]


# Of all blocks that a rank sends in one alltoallv: with 5 dimensions and 100 ints they are gigabytes.
MOST_IRREGULAR = 16 << 20


def irregular(stencils=GRID, ints=INTS):
    """Paper 2 §4.2: alltoallv with m^(d - z) ints for an offset of z coordinates that are not 0."""
    return [case for d, n in stencils for m in ints
            if 4 * ((n - 1 + m) ** d - m ** d) <= MOST_IRREGULAR
            for case in grid("alltoallv", [(d, n)], [m])]


def paper_one():
    """Paper 1, figures 2 to 5, with its irregular sizes m^(d-|C|) for alltoallw."""
    moore = [f"moore-d{d}-r1" for d in (2, 3, 4, 5)] + ["moore-d3-r3", "octant-d3-r3"]
    cases = [case for pattern in moore for case in named(pattern, "alltoall", BYTES)]
    cases += named("shales-d3-r3-s7", "alltoall", (1, 32, 512))
    cases += named("moore-d3-r3", "allgather", (1, 32, 512, 2048))
    cases += named("octant-d3-r3", "allgather", (1, 32, 512, 2048, 40960))
    cases += named("moore-d3-r1", "alltoallw", (8, 32, 128, 512))
    return cases + named("moore-d4-r1", "alltoallw", (4, 16, 64))


def full():
    """The grids of both papers: about 160 cases at each rank count."""
    every = [*grid("alltoall"), *grid("allgather"), *irregular()]
    return {ranks: every + paper_one() for ranks in (8, 16, 27)}


def quick():
    """One of each kind, and all of d=3, in minutes."""
    cube = [(3, 3), (3, 4), (3, 5)]
    eight = grid("alltoall", cube)
    eight += grid("alltoall", [(2, 3), (2, 5), (4, 3), (4, 5), (5, 3)], [10])
    eight += grid("alltoall", [(5, 5)], [1])
    eight += grid("allgather", [(2, 3), (3, 3), (3, 5), (4, 5), (5, 3)], [10])
    eight += irregular([(2, 3), (3, 3), (3, 5), (4, 3), (4, 5)], [1, 10, 100])
    eight += named("moore-d3-r1", "alltoall", BYTES)
    eight += named("moore-d3-r3", "alltoall", (1, 128, 2048))
    eight += named("octant-d3-r3", "alltoall", (32,))
    eight += named("shales-d3-r3-s7", "alltoall", (4,))
    eight += named("moore-d3-r1", "alltoallw", (8, 128))
    eight += named("moore-d4-r1", "alltoallw", (16,))
    more = grid("alltoall", [(3, 3), (3, 5), (4, 3)], [10]) + grid("allgather", [(3, 5)], [10])
    return {8: eight, 16: more, 27: more}


# The 12 Moore neighborhoods are those of paper 1, table 2.
PLANNING = ("grid-d3-n3", "grid-d5-n5",
            *(f"moore-d{d}-r{r}" for d in (2, 3, 4, 5) for r in (1, 2, 3)))

COLLECTIVES = ("bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv",
               "alltoall", "alltoallv", "alltoallw", "reduce", "allreduce",
               "reduce_scatter_block", "reduce_scatter", "scan", "exscan")
BLOCKS = (1, 8, 64, 512, 4096, 32768, 262144, 1 << 20)

# Of the buffers of one rank.
MOST_BYTES = 64 << 20


def blocks_of(collective, ranks):
    """Blocks in the buffers of the rank that has most."""
    if collective.startswith("alltoall"):
        return 2 * ranks
    whole = ("bcast", "reduce", "allreduce", "scan", "exscan")
    return 2 if collective in whole else ranks + 1


def collectives(ranks, sizes):
    """Every collective by these bytes of a block, as far as the memory goes; and a barrier."""
    return ["barrier/0"] + [f"{name}/{size}" for name in COLLECTIVES for size in sizes
                            if blocks_of(name, ranks) * size <= MOST_BYTES]


# Of all ranks in one exchange: 64 ranks and 256 KiB make a gigabyte, and minutes per case.
MOST_MOVED = 256 << 20


def moved(collective, ranks, size):
    """Bytes that all ranks receive, at most."""
    by_all = collective.startswith(("allgather", "alltoall", "reduce_scatter"))
    return ranks * size * (ranks if by_all else 1)


def persistence():
    """Paper 4, figures 4.5 to 4.15: its 11 collectives, 2 to 64 ranks, 4 to 256 KiB."""
    names = ("allgather", "allreduce", "alltoall", "alltoallv", "bcast", "gather", "gatherv",
             "reduce", "reduce_scatter", "scatter", "scatterv")
    return {ranks: [f"{name}/{kib << 10}" for name in names for kib in (4, 16, 64, 256)
                    if moved(name, ranks, kib << 10) <= MOST_MOVED]
            for ranks in (2, 4, 8, 16, 32, 64)}


def full_collectives():
    return {ranks: collectives(ranks, BLOCKS) for ranks in (2, 4, 8, 16, 32)}


def quick_collectives():
    sizes = {2: (8,), 4: (8,), 8: (8, 512, 32768), 16: (8,), 32: (8,)}
    return {ranks: collectives(ranks, some) for ranks, some in sizes.items()}


def subarrays(edges):
    """Halos of one cell in one array of doubles, as solvers in three dimensions exchange them."""
    kinds = ("faces/cart", "faces/graph", "faces/declared", "parts/graph", "parts/declared")
    return [f"{kind}/{edge}" for kind in kinds for edge in edges]


def full_subarrays():
    return {ranks: subarrays((8, 16, 32, 64)) for ranks in (2, 4, 8)}


def quick_subarrays():
    return {8: subarrays((8, 32))}


# Those of tests/graphs.
GRAPHS = ("airfoil-16", "bar-32", "helmholtz_2D-64", "knot-16", "les_miserables-32",
          "local_disc_galerkin_diffusion-32", "painters-13", "recirc_flow-16", "unit_cube-32",
          "unit_square-13")


def cg(rows):
    """Each vertex of a graph has so many rows; in the matrices from which the graphs were made it
    had 1 to 45."""
    return [f"{graph}/{count}" for graph in GRAPHS for count in rows]


def full_cg():
    return {ranks: cg((1, 16, 128)) for ranks in (8, 16)}


def quick_cg():
    return {ranks: cg((16,)) for ranks in (8, 16)}


def cells(ranks, hosts):
    """Some of all kinds, as bench/cells takes them: KIND/CASE."""
    kinds = ({"neighborhoods": neighborhood_cells(), "graphs": graph_cells(ranks),
              "collectives": collective_cells()} if hosts == 1
             else {"neighborhoods": neighborhood_cells_of_hosts(),
                   "graphs": graphs(("random:0.3", "random:0.8"), (64, 1024)),
                   "collectives": collectives(ranks, (8, 4096))})
    kinds |= personal_cells(ranks, hosts)
    return [f"{kind}/{case}" for kind, some in kinds.items() for case in some]


def neighborhood_cells():
    return [*grid("alltoall", [(2, 3), (3, 3), (3, 5)]), *grid("alltoall", [(2, 5), (4, 3)], [10]),
            *grid("allgather", [(2, 3), (3, 3), (3, 5)], [10]), *grid("allgather", [(3, 5)], [100]),
            *irregular([(2, 3), (3, 3)], [1, 100]), *irregular([(3, 5)], [10]),
            *named("moore-d2-r1", "alltoallw", (128,)),
            *named("moore-d3-r1", "alltoallw", (8, 128))]


def neighborhood_cells_of_hosts():
    return [*grid("alltoall", [(2, 3), (3, 3), (3, 5)], [10]), *grid("alltoall", [(3, 3)], [100]),
            *grid("allgather", [(3, 3), (3, 5)], [10]), *irregular([(3, 3)], [100]),
            *named("moore-d3-r1", "alltoallw", (128,))]


def graphs(which, sizes):
    return [case for graph in which for operation in ("allgather", "alltoall")
            for case in named(graph, operation, sizes)]


def graph_cells(ranks):
    """Of 2 ranks there is one graph, and of 4 hardly any that is sparse."""
    densities = {2: (1,), 4: (0.3, 0.6, 0.9)}.get(ranks, (0.1, 0.3, 0.6, 0.9))
    return [*graphs([f"random:{density}" for density in densities], (4, 64, 1024)),
            *(graphs(["moore:2:1"], (64,)) if ranks >= 8 else [])]


def collective_cells():
    some = ("bcast", "gather", "scatter", "allgather", "alltoall", "allreduce")
    return ["barrier/0", *(f"{name}/{size}" for name in COLLECTIVES
                           for size in (8, 512, 4096, 32768)), *(f"{name}/65536" for name in some)]


def personal_cells(ranks, hosts):
    """To all, and to so many others, who know it or don't."""
    degrees = {2: (1,), 4: (1, 2)}.get(ranks, (2, 4) if hosts == 1 else (4,))
    lists, exchanges = ([f"{degree}/{size}" for degree in degrees for size in sizes]
                        for sizes in ((76, 1000), (8, 476, 4096)))
    sizes = (8, 76, 476, 1000, 4096) if hosts == 1 else (76, 1000)
    return {"all-to-all": [f"all/{size}" for size in sizes], "lists": lists, "exchanges": exchanges}


def cells_by_ranks(hosts):
    return {ranks: cells(ranks, hosts) for ranks in ((2, 4, 8, 16) if hosts == 1 else (8, 16))}
