"""What a program has written about its calls (CARPOOL_REPORT)."""

import json
from pathlib import Path

import click

from carpool_cli import costs
from carpool_cli.tables import table_of

VERSION = 1


def read(file):
    """Its lines, those that took longest first."""
    try:
        content = json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise click.ClickException(f"{file}: no JSON: {error}") from None
    if not isinstance(content, dict) or content.get("carpool_report") != VERSION:
        raise click.ClickException(f"{file}: no report of version {VERSION}")
    return sorted(content["lines"], key=lambda line: -line["seconds"])


def both(line, what, spoken=str):
    """On the node, and to other nodes if there are any."""
    between = line[f"{what}_between"]
    return spoken(line[f"{what}_within"]) + (f" + {spoken(between)}" if between else "")


def table(lines):
    found = table_of("What rank 0 has done", ("communicator", "operation", "done by"),
                     "communicator", "ranks", "operation", "done by", "starts", "messages",
                     "bytes", "guess", "median", "in all", "saved")
    for line in lines:
        found.add_row(line["communicator"], str(line["ranks"]), line["operation"],
                      line["algorithm"], f"{line['starts']:,}", both(line, "messages"),
                      both(line, "bytes", costs.size),
                      costs.seconds(line["guess"]) if line["guess"] else "",
                      costs.seconds(line["median"]), costs.seconds(line["seconds"]),
                      costs.seconds(line["saved"]) if "saved" in line else "")
    found.caption = ("Messages and bytes are those of a start, on the node + to other nodes. Saved "
                     "is against MPI's own collective, where that was tried.")
    found.caption_justify = "left"
    return found
