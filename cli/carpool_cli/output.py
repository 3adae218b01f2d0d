# SPDX-License-Identifier: MIT
"""What a command shows and draws."""

import importlib
import json
import sys
import tempfile
from pathlib import Path

import click
from rich.console import Console

from carpool_cli.packages import pip_install
from carpool_cli.printable import everywhere

# A file or a pipe gets lines of 80 characters.
console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 80)


def show(answer, as_json, table):
    if as_json:
        click.echo(json.dumps(answer, indent=2))
    else:
        console.print(table(with_texts(answer)))


def with_texts(answer):
    """The answer with printable texts; what is deeper in it has no words of the user's or of files."""
    return {name: everywhere(one) if isinstance(one, str) or name == "remembered" else one
            for name, one in answer.items()}


def loaded(module, user):
    """A module of ours that takes a while to load, or whose packages may be missing."""
    try:
        return importlib.import_module(f"carpool_cli.{module}")
    except ModuleNotFoundError as missing:
        raise lacking(missing, user) from None


def lacking(missing, user):
    """The error that says which package to install. @param missing: what Python says of it"""
    return click.ClickException(f"{user} needs {missing.name}; try: {pip_install(missing.name)}")


def check_writable(file):
    """Before minutes pass: can a file be made where this one lies?"""
    try:
        with tempfile.TemporaryFile(dir=Path(file).resolve().parent):
            pass
    except OSError as error:
        raise click.UsageError(f"{file}: {error.strerror}") from None


def plotting_module(module):
    """The module that draws a kind of picture."""
    return loaded(module, "--plot")


def drawn(module, *shown, file):
    try:
        plotting_module(module).draw(*shown, file)
    except OSError as error:
        raise click.UsageError(f"{file}: {error.strerror or error}") from None
    click.echo(f"drawn: {file}", err=True)
