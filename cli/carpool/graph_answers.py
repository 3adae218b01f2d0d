"""Answers about graphs, put together from one question per rule."""

import click

from carpool import costs, planner
from carpool.progress import each


def contenders(asked, ranks):
    """Names of rules with what each is asked: the rule digits takes part in several numbers of them,
    as it does in the library; without nodes the rule node is direct."""
    for rule in planner.rules("graphs"):
        if rule == "node" and "per_node" not in asked and asked["algorithm"] != rule:
            continue
        if rule != "digits" or asked["digits"] != "2":
            yield rule, {**asked, "algorithm": rule}
            continue
        most = max(ranks - 1, 1).bit_length()
        for count in sorted({min(count, most) for count in (2, 3, most)}):
            yield f"{count} digits", {**asked, "algorithm": rule, "digits": str(count)}


def asked_for(asked, choice):
    """What to ask for the contender of that name."""
    count, _, rule = choice.rpartition(" ")
    return {**asked, "algorithm": rule, "digits": count or asked["digits"]}


def explained(asked, name):
    """The counts of all rules, and which one is chosen, why."""
    known = planner.rules("graphs")
    if asked["algorithm"] not in ("auto", *known):
        raise click.UsageError(f"algorithm '{asked['algorithm']}', expected on a graph auto or one "
                               f"of {', '.join(known)}")
    ranks = planner.ask("explain", **{**asked, "algorithm": "direct"})["ranks"]
    names, questions = zip(*contenders(asked, ranks), strict=True)
    answers = [planner.ask("explain", **question)
               for _, question in zip(each("planning", names), questions, strict=True)]
    found = [{**answer["rules"][0], "name": one}
             for one, answer in zip(names, answers, strict=True)]
    automatic = min((rule for rule in found if rule["automatic"]),
                    key=lambda rule: rule["estimate"])["name"]
    choice = automatic
    if asked["algorithm"] != "auto":
        choice = next(one for one in names if one.endswith(asked["algorithm"]))
    answer = {"graph": name, **answers[0], "rules": found, "automatic": automatic,
              "choice": choice}
    answer["reason"] = costs.reason(answer)
    answer["cut_offs"] = costs.cut_offs_by_name(answer)
    return answer


def planned(asked, name, choice):
    """What one rank does by that rule."""
    for one in each("planning", [choice]):
        answer = planner.ask("plan", **asked_for(asked, one))
    return {"graph": name, **answer, "choice": choice}


def of_grid(asked):
    """What the rules for graphs would do on a grid."""
    graph = {"grid": asked["grid"], "stencil": asked["stencil"]}
    return explained({**asked, "graph": graph, "algorithm": "auto"}, asked["grid"])
