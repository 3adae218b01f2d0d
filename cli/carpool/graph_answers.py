"""Answers about graphs, put together from one question per rule."""

import click

from carpool import costs, planner
from carpool.progress import each


def explained(asked, name):
    """The counts of all rules, and which one is chosen, why."""
    known = planner.rules("graphs")
    if asked["algorithm"] not in ("auto", *known):
        raise click.UsageError(f"algorithm '{asked['algorithm']}', expected on a graph auto or one "
                               f"of {', '.join(known)}")
    answers = [planner.ask("explain", **{**asked, "algorithm": rule})
               for rule in each("planning", known)]
    found = [answer["rules"][0] for answer in answers]
    automatic = min((rule for rule in found if rule["automatic"]),
                    key=lambda rule: rule["estimate"])["name"]
    choice = automatic if asked["algorithm"] == "auto" else asked["algorithm"]
    answer = {"graph": name, **answers[0], "rules": found, "automatic": automatic,
              "choice": choice}
    answer["reason"] = costs.reason(answer)
    answer["cut_offs"] = costs.cut_offs_by_name(answer)
    return answer


def planned(asked, name, choice):
    """What one rank does by that rule."""
    for rule in each("planning", [choice]):
        answer = planner.ask("plan", **{**asked, "algorithm": rule})
    return {"graph": name, **answer, "choice": choice}


def of_grid(asked):
    """What the rules for graphs would do on a grid."""
    graph = {"grid": asked["grid"], "stencil": asked["stencil"]}
    return explained({**asked, "graph": graph, "algorithm": "auto"}, asked["grid"])
