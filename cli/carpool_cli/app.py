# SPDX-License-Identifier: MIT
"""The command line."""

import os
import sys

import click

from carpool_cli import (files, guide, machine_commands, plain, plan_commands, planner, reports, simulate,
                         tables, unchanged, versions)
from carpool_cli.output import console, show
from carpool_cli.printable import complaint


# click before 8.2 has none, and prints the help itself.
NO_ARGUMENTS = getattr(click.exceptions, "NoArgsIsHelpError", ())


def goes_with_version(_, option, is_given):
    if is_given:
        raise click.UsageError(f"{option.opts[0]} goes with --version.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(versions.VERSION, message=versions.TEXT)
@click.option("--mpi", is_flag=True, expose_value=False, callback=goes_with_version,
              help="With --version: also show the MPI and the machine, for a report.")
def main():
    """Explains, draws and checks plans of message combining. No MPI needed.

    GRID is "torus 4x4x4", "mesh 8x8" or "grid 4px8" (p: periodic); STENCIL is "moore 3 1" or any
    other that `carpool stencils` lists. GRAPH, without a STENCIL, is "random 64 density 0.2", any
    other that `carpool graphs` lists, or a file: a matrix, a mesh or a list of edges. COLLECTIVE is
    "allreduce 64", "gather 1000 root 3", or any other that `carpool algorithms` lists.
    """


for command in (plan_commands.explain, plan_commands.plan, plan_commands.verify,
                simulate.simulate, machine_commands.tune):
    main.add_command(command)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="for programs")
def stencils(as_json):
    """The stencils that have names."""
    show(planner.ask("stencils"), as_json, tables.stencils)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="for programs")
def graphs(as_json):
    """The graphs that have names, and what may be in a file."""
    show(planner.ask("graphs"), as_json, tables.graphs)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="for programs")
def algorithms(as_json):
    """The routing rules and operations, and the algorithms of collectives."""
    show(planner.ask("algorithms"), as_json, tables.algorithms)


def read_by(plain_command, name):
    """A command that needs no package, and reads its arguments itself."""
    @main.command(name, add_help_option=False, context_settings={
        "ignore_unknown_options": True, "allow_interspersed_args": False})
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    def command(arguments):
        plain_command(arguments)


read_by(unchanged.main, "run")
read_by(reports.main, "report")


@main.command("help")
@click.argument("topic", required=False)
def help_on(topic):
    """A page of the guide, such as `carpool help troubleshooting`; without TOPIC their names."""
    console.print(guide.page_of(topic.lower()) if topic else guide.listed())


for name, what in plain.COMMANDS.items():
    main.commands[name].short_help = what


def advised(error):
    """The text of an error. A shell takes the words of a grid apart."""
    message = error.format_message()
    context = getattr(error, "ctx", None)
    takes_grids = context and any(one.name == "place" for one in context.command.params)
    if takes_grids and "unexpected extra argument" in message:
        message += '; put several words in quotes: "torus 4x4" "moore 2 1"'
    return message


def run():
    """The command, with errors of one line."""
    try:
        if versions.asked(sys.argv[1:]):
            sys.exit(click.echo(versions.text(sys.argv[1:])))
        sys.exit(main.main(prog_name="carpool", standalone_mode=False))
    except NO_ARGUMENTS as help_wanted:
        help_wanted.show()
        sys.exit(help_wanted.exit_code)
    except click.ClickException as error:
        click.echo(complaint(advised(error)), err=True)
        sys.exit(error.exit_code)
    except files.Unreadable as error:
        click.echo(complaint(str(error)), err=True)
        sys.exit(click.UsageError.exit_code)
    except click.Abort:
        sys.exit(130)
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
