"""What the command says where Python has no third-party packages: its help, its version, and which
packages it needs."""

import importlib
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


PACKAGES = ("click", "matplotlib", "rich", "scipy")  # of all commands and options together


def is_missing(package):
    try:
        importlib.import_module(package)
    except ModuleNotFoundError:
        return True
    return False


def pip_install(missed):
    """What brings the package that was missed, and at once all others that are missing."""
    missing = {missed.partition(".")[0], *filter(is_missing, PACKAGES)}
    return f"pip install {' '.join(sorted(missing))}"


def advice(missed):
    return f"carpool: {sys.executable} lacks packages; try: {pip_install(missed)}"


def help_text(missed):
    commands = "\n".join(f"  {name:<12}{what}" for name, what in COMMANDS.items())
    return ("Usage: carpool COMMAND [ARGS]...\n\n"
            "Explains, draws and checks plans of message combining. No MPI needed.\n\n"
            f"Commands:\n{commands}\n\n{advice(missed)}")


def run(arguments, missed):
    """Ends the program. @param missed: a package that is missing"""
    if arguments == ["--version"]:
        print(VERSION_TEXT)
    elif not arguments or arguments[0] in ("-h", "--help"):
        print(help_text(missed))
    else:
        sys.exit(advice(missed))
    sys.exit()
