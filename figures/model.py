"""The library's cost model against the simulation, on a random set of exchanges."""

import random
import statistics

from carpool_cli import methods, options, planner
from carpool_cli.machines import NAMED
from figure import Figure
from simulator import DEFAULTS, Scene, kept, planner_digest

SEED = 38
CASES = 120
CLOSE, BEST = 0.30, 0.05  # what the estimates, and the choices by them, are to keep
GRIDS = [("torus 16x16", "moore 2 1"), ("torus 12x12", "moore 2 2"), ("torus 8x8x8", "moore 3 1"),
         ("mesh 8x8x8", "moore 3 1"), ("torus 6x6x6", "moore 3 2"), ("torus 8x8x8", "von_neumann 3 2"),
         ("torus 6x6x6x6", "moore 4 1"), ("torus 16x8", "box 2 4 -1")]
GRAPHS = ["random 128 density 0.1", "random 256 density 0.05", "manytomany 256 degree 16",
          "hot 128 senders 4", "groups 256 size 16"]
COLLECTIVES = [f"{kind} {ranks}" for kind in ("allreduce", "alltoall", "bcast", "allgather", "reduce",
               "reduce_scatter", "scan", "gather") for ranks in (32, 100)]
SIZES = [4, 40, 400, 4000, 40000]


def drawn_case(draw):
    """A place, a stencil or None, an operation or None, a size, a platform, a machine."""
    kind = draw.choice(["grid", "graph", "collective"])
    place, stencil = draw.choice(GRIDS) if kind == "grid" else (
        draw.choice(GRAPHS if kind == "graph" else COLLECTIVES), None)
    op = None if kind == "collective" else draw.choice(["alltoall", "allgather"])
    return (place, stencil, op, draw.choice(SIZES), draw.choice([1, 4, 16, 32]),
            draw.choice(["ethernet", "infiniband", "omnipath"]))


def estimates(place, stencil, op, size, per_node, machine):
    """What `carpool explain` estimates for each method that auto considers."""
    given = {**DEFAULTS, "platform": f"cluster:{2**20}x{per_node}", "machine": machine,
             "overhead": None, "algorithm": "auto", "operation": op, "block": [size]}
    asked = options.question(place, stencil, **given)
    found = {}
    for name, one in methods.questions(asked, False).items():
        rules = planner.ask("explain", **one)["rules"]
        rule = next(r for r in rules if r["name"] in (name, one["algorithm"]))
        if rule["automatic"]:
            found[name] = rule["estimate"]
    return found


def compared(case):
    """{method: (estimated, simulated)}"""
    place, stencil, op, size, per_node, machine = case
    estimated = kept(f"estimates {case} {planner_digest()}", lambda: estimates(*case))
    scene = Scene(f"cluster:{2**20}x{per_node}", NAMED[machine])
    simulated = scene.times(place, stencil, op=op, sizes=[size])
    return {name: (value, simulated[name][0]) for name, value in estimated.items()}


def figures():
    draw = random.Random(SEED)
    cases = [drawn_case(draw) for _ in range(CASES)]
    found = {case: compared(case) for case in dict.fromkeys(cases)}
    kinds = {"grids": [case for case in found if case[1]],
             "graphs": [case for case in found if not case[1] and case[2]],
             "collectives": [case for case in found if not case[2]]}
    rows = [[kind, len(cases), *summary([found[case] for case in cases])]
            for kind, cases in {**kinds, "all": list(found)}.items()]
    yield Figure(
        "The library's cost model, held against the simulation",
        f"{len(found)} random exchanges (seed {SEED}) on clusters of 1 to 32 ranks per node: Ethernet, "
        "InfiniBand, Omni-Path; blocks of 4 B to 40 kB. The model estimates by the busiest rank's messages, bytes and "
        "phases; the simulation is LogGP.",
        [], ["", "cases", "estimate / simulated, median", "10 % to 90 %", "within 30 %",
             "choice the best, or within 5 %", "within 30 % of the best"], rows,
        advice="The model tells which methods are likely; it is no forecast on a machine like these. It leaves out "
               "three things: copies of blocks into and out of messages of several parts (a bruck of long blocks "
               "takes several times its estimate), how much of what a node's ranks send leaves it (the model "
               "gives each rank an equal share of the adapter), and that messages of one rank overlap with the "
               "latency of others. `carpool simulate` has all three.")


def summary(found):
    """@param found: {method: (estimated, simulated)} per case"""
    errors = sorted(estimated / simulated for methods_of in found
                    for estimated, simulated in methods_of.values() if simulated)
    regrets = [regret(methods_of) for methods_of in found]
    quantile = statistics.quantiles(errors, n=10)
    share = [sum(1 - CLOSE <= error <= 1 + CLOSE for error in errors) / len(errors),
             *(sum(one <= 1 + limit for one in regrets) / len(regrets) for limit in (BEST, CLOSE))]
    return [f"{statistics.median(errors):.2f}", f"{quantile[0]:.2f} to {quantile[-1]:.2f}",
            *(f"{one:.0%}" for one in share)]


def regret(methods_of):
    """The simulated time of the model's choice over that of the best."""
    chosen = min(methods_of.values())[1]
    return chosen / min(simulated for _, simulated in methods_of.values())
