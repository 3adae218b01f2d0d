"""What the command says where Python has no third-party packages: its help and its version."""

import sys

from carpool_cli.built import VERSION

VERSION_TEXT = f"carpool {VERSION}"

COMMANDS = {
    "explain": "what each rule would do and cost, and which one is chosen, why",
    "plan": "the plan itself: rounds, hops, and the blocks that ride",
    "verify": "runs the schedules of all ranks on symbols",
    "stencils": "the stencils that have names",
    "graphs": "the graphs that have names, and what may be in a file",
    "algorithms": "routing rules, operations, and the algorithms of collectives",
    "tune": "measures what messages cost on this machine",
    "report": "what a program has done",
    "help": "a page of the guide",
}


def advice(lacking):
    return (f"carpool: {sys.executable} lacks {lacking}; "
            "try: pip install click matplotlib rich")


def help_text(lacking):
    commands = "\n".join(f"  {name:<12}{what}" for name, what in COMMANDS.items())
    return ("Usage: carpool COMMAND [ARGS]...\n\n"
            "Explains, draws and checks plans of message combining. No MPI needed.\n\n"
            f"Commands:\n{commands}\n\n{advice(lacking)}")


def run(arguments, lacking):
    """Ends the program. @param lacking: the package that is missing"""
    if arguments == ["--version"]:
        print(VERSION_TEXT)
    elif not arguments or arguments[0] in ("-h", "--help"):
        print(help_text(lacking))
    else:
        sys.exit(advice(lacking))
    sys.exit()
