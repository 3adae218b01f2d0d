# SPDX-License-Identifier: MIT
"""The C++ program that plans: one question, one answer."""

import json
import subprocess

import click

from carpool_cli.programs import program


MOST_RANKS = 1 << 16  # of a graph, as in cli/graph_question.cpp
KEPT = ("assumed", "message_cut_offs")  # of a question, which the answer tells with what it found


def ask(command, **question):
    """The planner's answer; what it cannot answer is a usage error of the user's."""
    planner = program("carpool-planner")
    try:
        run = subprocess.run([planner], input=json.dumps({"command": command, **question}),
                             capture_output=True, check=False, encoding="utf-8",
                             errors="replace", close_fds=False)  # it reads what is asked about in them
    except OSError as error:
        raise click.ClickException(f"{planner}: {error.strerror}; is it built?") from None
    if run.returncode not in (0, 2):
        raise click.ClickException(f"{planner} ended with {run.returncode} {run.stderr}")
    answer = json.loads(run.stdout)
    answer |= {name: question[name] for name in KEPT if name in question}
    if "error" in answer:
        raise click.UsageError(answer["error"])
    return answer


def one_node(asked):
    """The same question without nodes, for which all ranks would be planned."""
    return {**asked, "per_node": None}


def automatic_rules():
    """Names of the rules that auto considers."""
    return [rule["name"] for rule in ask("algorithms")["algorithms"] if rule["automatic"]]


def rules(kind):
    """Names of the rules for "grids" or for "graphs"."""
    return [rule["name"] for rule in ask("algorithms")["algorithms"] if rule[kind]]
