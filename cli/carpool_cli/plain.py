# SPDX-License-Identifier: MIT
"""What the command does where Python has no third-party packages: it runs unchanged programs, shows reports,
and says its help, its version, and which packages it needs."""

import sys

from carpool_cli import reports, unchanged, versions
from carpool_cli.packages import advice

COMMANDS = {
    "run": "run an unchanged MPI program, whose collectives Carpool makes",
    "explain": "compare the rules for an exchange: messages, bytes and cost",
    "plan": "print or draw a plan: rounds, hops, and blocks per message",
    "verify": "check the schedules of all ranks, without MPI",
    "simulate": "run all ranks' schedules on a simulated machine",
    "stencils": "list the stencils that have names",
    "graphs": "list the graphs that have names, and the kinds of files",
    "algorithms": "list rules, operations and algorithms of collectives",
    "tune": "measure this machine, for programs to choose by",
    "report": "show what CARPOOL_REPORT=FILE has recorded",
    "help": "print a page of the guide; without TOPIC list the pages",
}


def help_text(missed):
    commands = "\n".join(f"  {name:<12}{what}" for name, what in COMMANDS.items())
    return ("Usage: carpool COMMAND [ARGS]...\n\n"
            "Explains, draws and checks plans of message combining. No MPI needed.\n\n"
            f"Commands:\n{commands}\n\n{advice(missed)}")


def run(arguments, missed):
    """Ends the program. @param missed: a package that is missing"""
    if versions.asked(arguments):
        print(versions.text(arguments))
    elif not arguments or arguments[0] in ("-h", "--help"):
        print(help_text(missed))
    elif arguments[0] == "run":
        unchanged.main(arguments[1:])
    elif arguments[0] == "report":
        reports.main(arguments[1:])
    else:
        sys.exit(advice(missed))
    sys.exit()
