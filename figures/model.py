# SPDX-License-Identifier: MIT
"""The library's estimates against the simulation, on a random set of exchanges and collectives."""

import random
import statistics
from dataclasses import dataclass

from carpool_cli import methods, options, planner
from carpool_cli.costs import size as bytes_text
from carpool_cli.machines import MEASURED, NAMED
from carpool_cli.progress import each
from figure import Figure
from simulator import DEFAULTS, Scene, kept, planner_digest

SEED = 38
CASES = 200
CLOSE, BEST = 0.30, 0.05  # what estimates, and choices by them, are to keep
SIZES = [4, 64, 1024, 16384, 262144]
MOST_MESSAGES = 2**19  # of all ranks in an exchange; with more the simulation takes minutes
MOST_OF_ALLTOALL = 724  # ranks; with more the simulation of some takes minutes
MOST_OF_BLOCKS = 2048  # the same where each rank has a block of every other
COLLECTIVES = ["barrier", "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv",
               "alltoall", "reduce", "allreduce", "reduce_scatter_block", "reduce_scatter", "scan", "exscan"]
OF_ONE_SIZE = {"gatherv": "gather", "scatterv": "scatter", "allgatherv": "allgather",
               "reduce_scatter_block": "reduce_scatter"}
OF_MANY_SIZES = ("gatherv", "scatterv", "allgatherv", "reduce_scatter")
MACHINES = ["ethernet", *MEASURED]


@dataclass(frozen=True)
class Case:
    kind: str  # grids, graphs or collectives
    place: str
    stencil: str | None
    operation: str | None
    blocks: tuple[int, ...]
    per_node: int
    machine: str

    def __str__(self):
        return (f"{self.stencil + ' on ' if self.stencil else ''}{self.place}"
                f"{', ' + self.operation if self.operation else ''}, {bytes_text(max(self.blocks))}, "
                f"{self.per_node} per node, {self.machine}")

    @property
    def platform(self):
        return f"cluster:{2**20}x{self.per_node}"


def drawn_case(draw):
    ranks = round(2 ** draw.uniform(3, 14))
    kind = draw.choice(["grids", "graphs", "collectives", "collectives"])
    drawn = {"grids": drawn_grid, "graphs": drawn_graph, "collectives": drawn_collective}[kind]
    per_node = round(2 ** draw.uniform(0, 7))
    return Case(kind, *drawn(draw, ranks), per_node, draw.choice(MACHINES))


def drawn_grid(draw, ranks):
    d = draw.randint(1, 4)
    extents = [max(2, round(ranks ** (1 / d)))] * d
    n = draw.choice([3, 3, 5])
    while (n**d - 1) * extents[0] ** d > MOST_MESSAGES:
        extents = [extent - 1 for extent in extents]
    stencil = draw.choice([f"moore {d} {n // 2}", f"von_neumann {d} {n // 2}"])
    return (f"{draw.choice(['torus', 'mesh'])} {'x'.join(map(str, extents))}", stencil,
            draw.choice(["alltoall", "allgather"]), (draw.choice(SIZES),))


def drawn_graph(draw, ranks):
    ranks = min(ranks, 1024)
    degree = min(ranks - 1, round(2 ** draw.uniform(2, 7)))
    place = draw.choice([f"random {ranks} density {degree / ranks:.6f}", f"manytomany {ranks} degree {degree}",
                         f"hot {ranks} senders {max(1, ranks // 64)}",
                         f"groups {ranks} size {degree}"])
    return place, None, draw.choice(["alltoall", "allgather"]), (draw.choice(SIZES),)


def drawn_collective(draw, ranks):
    name = draw.choice(COLLECTIVES)
    if name == "alltoall":
        ranks = min(ranks, MOST_OF_ALLTOALL)
    size = 0 if name == "barrier" else draw.choice(SIZES)
    blocks = (size,)
    if name in OF_MANY_SIZES:
        blocks = tuple(draw.randint(0, 2 * size) for _ in range(ranks))
    if name.startswith(("allgather", "reduce_scatter")):
        ranks = min(ranks, MOST_OF_BLOCKS)
        blocks = blocks[:ranks]
    return f"{OF_ONE_SIZE.get(name, name)} {ranks}", None, None, blocks


def estimates(case):
    """What `carpool explain` estimates for each method that auto considers, as far as it can be simulated."""
    given = {**DEFAULTS, "platform": case.platform, "machine": case.machine,
             "overhead": None, "algorithm": "auto", "operation": case.operation, "block": list(case.blocks)}
    asked = options.question(case.place, case.stencil, **given)
    found = {}
    for name, one in methods.questions(asked, False).items():
        answer = planner.ask("explain", **one)
        rule = next(r for r in answer["rules"] if r["name"] in (name, one["algorithm"]))
        if rule["automatic"] and messages_of_all(rule, answer["ranks"]) <= MOST_MESSAGES:
            found[name] = rule["estimate"]
    return found


def messages_of_all(rule, ranks):
    if "all_messages" in rule:
        return rule["all_messages"]
    return ranks * (rule["rounds"] if "rounds" in rule else rule["mean_messages"])


def compared(case):
    """{method: (estimated, simulated)}"""
    estimated = kept(f"estimates {case!r} {MOST_MESSAGES} {planner_digest()}", lambda: estimates(case))
    scene = Scene(case.platform, NAMED[case.machine])
    simulated = scene.times_by(estimated, case.place, case.stencil, op=case.operation,
                               blocks=list(case.blocks))
    return {name: (value, simulated[name][0]) for name, value in estimated.items()}


def figures():
    draw = random.Random(SEED)
    cases = [drawn_case(draw) for _ in range(CASES)]
    found = {case: compared(case) for case in each("simulating", list(dict.fromkeys(cases)))}
    kinds = {kind: [case for case in found if case.kind == kind]
             for kind in ("grids", "graphs", "collectives")}
    rows = [[kind, len(cases), *summary([found[case] for case in cases])]
            for kind, cases in {**kinds, "all": list(found)}.items()]
    yield Figure(
        "The library's estimates, held against the simulation",
        f"{len(found)} random exchanges and collectives (seed {SEED}) of 8 to 16,384 ranks on clusters of 1 to 128 "
        "ranks per node: Ethernet and the machines that were measured; blocks of 4 B to 256 KiB. Both have "
        "the same costs; the simulation is LogGP.",
        [], ["", "cases", "estimate / simulated, median", "10 % to 90 %", "within 30 %",
             "choice the best, or within 5 %", "worst choice over the best"], rows,
        advice=told_worst(found))


def told_worst(found):
    worst = sorted(found, key=lambda case: -regret(found[case]))[:3]
    return "The worst choices: " + "; ".join(
        f"{chosen(found[case])} for {case} takes {regret(found[case]):.2f} times the best's time"
        for case in worst) + "."


def summary(found):
    """@param found: {method: (estimated, simulated)} per case"""
    errors = sorted(estimated / simulated for methods_of in found
                    for estimated, simulated in methods_of.values() if simulated)
    regrets = [regret(methods_of) for methods_of in found]
    quantile = statistics.quantiles(errors, n=10)
    close = sum(1 - CLOSE <= error <= 1 + CLOSE for error in errors) / len(errors)
    best = sum(one <= 1 + BEST for one in regrets) / len(regrets)
    return [f"{statistics.median(errors):.2f}", f"{quantile[0]:.2f} to {quantile[-1]:.2f}",
            f"{close:.0%}", f"{best:.0%}", f"{max(regrets):.2f}"]


def chosen(methods_of):
    return min(methods_of, key=lambda name: methods_of[name][0])


def regret(methods_of):
    """The simulated time of the model's choice over that of the best."""
    best = min(simulated for _, simulated in methods_of.values())
    return methods_of[chosen(methods_of)][1] / best if best else 1
