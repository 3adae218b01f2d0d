# SPDX-License-Identifier: MIT
"""Answers about the collectives of all ranks, and why an algorithm is chosen."""

import click

from carpool_cli import costs, files, planner
from carpool_cli.graphs import FILE_OPTIONS


def is_collective(text):
    """Does it begin with the name of a collective? What begins otherwise is a grid or a graph."""
    kinds = [one["kind"] for one in planner.ask("algorithms")["collectives"]]
    return text.split()[:1] in [[kind] for kind in kinds] and not files.is_there(text)


def question(place, given):
    """What the planner is asked beyond its costs; see cli/collective_question.hpp."""
    for option in ("operation", *FILE_OPTIONS):
        if given[option] is not None:
            name = "op" if option == "operation" else option
            raise click.UsageError(f"--{name} {given[option]} is for grids and graphs, not for "
                                   f"'{place}'")
    shared = given.get("ranks_per_core")
    return {"collective": place, "commutes": not given["in_order"], "segment": given["segment"],
            "digits": given["digits"], "per_node": given.get("per_node"), "platform": given.get("room"),
            "ranks_per_core": 1 if shared is None else shared}


def explained(asked):
    """The counts of all algorithms, and which one is chosen, why."""
    answer = planner.ask("explain", **asked)
    answer["reason"] = reason(answer)
    return answer


def applicable(asked):
    """Names of the algorithms that solve it."""
    return planner.ask("applicable", **{**asked, "algorithm": "auto"})["applicable"]


def planned(asked, choice):
    """What one rank does by that algorithm."""
    return {**planner.ask("plan", **{**asked, "algorithm": choice}), "choice": choice}


def pictured(asked, choice):
    """What all ranks do by that algorithm, for a picture."""
    return {**planner.ask("messages", **{**asked, "algorithm": choice}), "choice": choice}


def carried(rule, answer):
    """How many messages count: those of the busiest rank, or of a core for all its ranks."""
    per_core = rule["all_messages"] / answer["ranks"] * answer["ranks_per_core"]
    return max(rule["messages"], per_core)


def paid(rule, answer):
    """The same, where a rank sends several at once for the cost of one."""
    return carried(rule, answer) * rule["starts"] / max(rule["messages"], 1)


def bytes_carried(rule, answer):
    return rule["bytes"] * carried(rule, answer) / max(rule["messages"], 1)


def phases(rule, answer):
    return rule["phases"]


# What costs time: how it is counted, the cost of one, and how it is said, with its noun and where
# that is known.
ASPECTS = (
    (carried, "alpha", lambda n: f"{costs.mean(n)} message{'' if n == 1 else 's'}", costs.mean),
    (bytes_carried, "beta", *2 * (lambda n: costs.size(round(n)),)),
    (phases, "sigma", *2 * (lambda n: costs.counted(n, "phase"),)),
)


def reason(answer):
    """What the choice saves, what it pays, and up to which block size."""
    rules = {rule["name"]: rule for rule in answer["rules"]}
    simplest, chosen = answer["rules"][0], rules[answer["choice"]]
    if costs.sends_nothing(answer):
        return costs.NOTHING_SENT
    if answer["ranks"] == 1:
        return f"{chosen['name']}: a rank alone sends nothing."
    if chosen is not simplest:
        text = compared(chosen, simplest, answer)
    elif answer["choice"] == answer["automatic"]:
        text = f"{chosen['name']}: no other algorithm saves more than it pays."
    else:
        text = f"{chosen['name']} was asked for."
    if answer["choice"] != answer["automatic"]:
        text += f" auto would take {answer['automatic']}."
    steps = [(step["from_bytes"], step["rule"]) for step in answer["cut_offs"]]
    return f"{text} {costs.spoken(steps)}" if steps else text


def compared(chosen, simplest, answer):
    """What is less than by the simplest algorithm, and what is more."""
    if answer["nodes"] > 1:  # what is less between nodes may be more within
        return (f"{chosen['name']} takes {costs.seconds(chosen['estimate'])} instead of "
                f"{costs.seconds(simplest['estimate'])} by {simplest['name']}.")
    less, more, saved = [], [], 0
    for count, cost, said, said_again in ASPECTS:
        now, before = count(chosen, answer), count(simplest, answer)
        if not answer[cost]:
            continue
        if now < before:
            less.append((said(now), said_again(before)))
            charged = paid if cost == "alpha" else count
            saved += (charged(simplest, answer) - charged(chosen, answer)) * answer[cost]
        elif now > before:
            more.append(said(now - before))
    name, pays = chosen["name"], f"{' and '.join(more)} more than {simplest['name']}"
    cost_of_more = costs.seconds(chosen["estimate"] - simplest["estimate"] + saved)
    if not less:
        return f"{name} takes {pays}, which costs {cost_of_more}." if more else f"{name} costs as much."
    now, before = (" and ".join(side) for side in zip(*less, strict=True))
    text = (f"{name} gives {busiest(chosen, simplest, answer)} {now} instead of {before} by "
            f"{simplest['name']}, which saves {costs.seconds(saved)}")
    copies = ", with copies on the way," if answer["collective"] == "alltoall" else ""
    if not more:
        return f"{text}."
    return f"{text}; the {' and '.join(more)} more that it takes{copies} cost {cost_of_more}."


def busiest(chosen, simplest, answer):
    """Whose messages make the time."""
    shared = any(carried(rule, answer) > rule["messages"] for rule in (chosen, simplest))
    return "a core" if shared else "the busiest rank"
