# SPDX-License-Identifier: MIT
"""An exchange on a machine and a platform, by each method: by LogGP, or by SimGrid."""

from dataclasses import asdict, dataclass

import click

from carpool_cli import machines, methods, planner, platforms, simgrid
from carpool_cli.progress import each

MOST_REPLAYED = 30_000  # messages; with more under way a replay takes minutes
MOST_HOST_RANKS = 1_024  # of a collective of SimGrid's own, unless SimGrid is asked for
HOST_MPIS = {"mpich": "MPICH", "ompi": "Open MPI"}  # as SimGrid calls them

# The collectives of SimGrid, and what a line of a trace says of each.
ACTIONS = {"barrier": "barrier", "bcast": "bcast {bytes} {root}",
           "reduce": "reduce {bytes} 0 {root}", "allreduce": "allreduce {bytes} 0",
           "gather": "gather {bytes} {bytes} {root}", "scatter": "scatter {bytes} {bytes} {root}",
           "allgather": "allgather {bytes} {bytes}", "alltoall": "alltoall {bytes} {bytes}",
           "scan": "scan {bytes} 0", "exscan": "exscan {bytes} 0"}


@dataclass(frozen=True)
class Simulation:
    machine: machines.Machine
    platform: platforms.Platform
    engine: str  # auto, loggp or simgrid
    limit: float  # seconds of each replay

    def of(self, asked, swept, graph_rules=False):
        """What is asked, for blocks of each size that is swept."""
        questions = methods.questions(asked, graph_rules)
        every = [self.method(name, questions[name], swept)
                 for name in each("simulating", list(questions))]
        found = [method for method in every if "costs" in method]
        if not found:
            raise click.UsageError(every[0]["left_out"])
        ranks = found[0]["ranks"]
        if "collective" in asked and self.may_replay_hosts(ranks):
            found += self.hosts(asked, ranks, swept)
        return {"place": place_in(asked), "operation": asked.get("operation"), "ranks": ranks,
                "platform": self.platform.text, "shares_links": self.platform.shares_links,
                "network_in_file": self.platform.is_file,
                "machine": asdict(self.machine),
                "block_bytes": asked["block_bytes"], "sizes": swept, "methods": found,
                "fastest": [fastest(found, number) for number in range(len(found[0]["costs"]))],
                "left_out": [method["name"] for method in every if method not in found],
                "missing": self.misses_simgrid()}

    def may_replay(self):
        return self.engine != "loggp" and simgrid.is_here()

    def may_replay_hosts(self, ranks):
        return self.may_replay() and (self.engine == "simgrid" or ranks <= MOST_HOST_RANKS)

    def misses_simgrid(self):
        """Would SimGrid tell more, but is not here?"""
        return self.engine == "auto" and self.platform.shares_links and not simgrid.is_here()

    def method(self, name, one, swept):
        """The costs by one method."""
        answer = planner.ask("simulate", **one, costs=self.machine.costs(), sizes=swept)
        (method,) = answer["methods"]
        for cost, size in zip(method.get("costs", []), swept or [None], strict=False):
            cost |= {"block_bytes": size, "engine": "loggp"}
            if self.replays(cost):
                self.replay(cost, {**one, "sizes": None if size is None else [size]})
        return {**method, "name": name}

    def replays(self, cost):
        if not self.may_replay():
            return False
        messages = cost["within"]["messages"] + cost["between"]["messages"]
        return (self.engine == "simgrid" or self.platform.is_file
                or (self.platform.shares_links and messages <= MOST_REPLAYED))

    def replay(self, cost, one):
        """The time by LogGP stays where the replay takes too long or, unless SimGrid is asked for, fails:
        3.32 aborts on some platforms. On the network in a file it says nothing."""
        time, why = None, "it took too long"
        try:
            time = simgrid.replayed(one, self.machine, self.platform, self.limit)
        except click.ClickException as error:
            if self.engine == "simgrid":
                raise
            why = error.message
        if time is None:
            cost |= {"not_replayed": True, "why": why}
        if time is not None or self.platform.is_file:
            cost |= {"time": time, "engine": "simgrid"}

    def hosts(self, asked, ranks, swept):
        """A collective by the algorithms of MPICH and of Open MPI, as SimGrid has them."""
        kind, *words = asked["collective"].split()
        if kind not in ACTIONS or len(asked["block_bytes"]) > 1 or asked["algorithm"] != "auto":
            return []
        action = ACTIONS[kind].replace("{root}", words[2] if len(words) > 1 else "0")
        return [{"name": f"{HOST_MPIS[selector]}'s", "costs": [
            self.host_cost(action, selector, ranks, size, asked) for size in swept or [None]]}
            for selector in each("simulating", list(HOST_MPIS))]

    def host_cost(self, action, selector, ranks, size, asked):
        """The time is None if the replay takes too long, or fails."""
        line = action.format(bytes=asked["block_bytes"][0] if size is None else size)
        return {"block_bytes": size, "engine": "simgrid",
                "time": simgrid.collective(line, self.machine, self.platform, ranks, self.limit,
                                           selector)}


def place_in(asked):
    if "grid" in asked:
        return f"{asked['grid']}, {asked['stencil']}"
    return asked.get("collective") or (
        asked["graph"] if isinstance(asked["graph"], str) else "a graph in a file")


def fastest(found, number):
    """The name of the fastest method of our own; None where two engines have computed their times, or
    none has one."""
    ours = [method for method in found if "busy" in method["costs"][number]
            and method["costs"][number]["time"] is not None]
    if not ours or len({method["costs"][number]["engine"] for method in ours}) > 1:
        return None
    return min(ours, key=lambda method: method["costs"][number]["time"])["name"]
