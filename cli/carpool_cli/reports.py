"""What a program has written about its calls (CARPOOL_REPORT)."""

import click

from carpool_cli import costs, json_files
from carpool_cli.tables import table_of

VERSION = 1


WORDS = ("communicator", "operation", "algorithm")
NUMBERS = ("ranks", "starts", "messages_within", "messages_between", "bytes_within",
           "bytes_between", "guess", "median", "seconds")


def read(file):
    """Its lines, those that took longest first."""
    content = json_files.read(file)
    if not isinstance(content, dict) or content.get("carpool_report") != VERSION:
        raise click.ClickException(f"{file}: no report of version {VERSION}")
    lines = content.get("lines")
    if not isinstance(lines, list):
        raise click.ClickException(f"{file}: lines, expected a list")
    for number, line in enumerate(lines):
        if field := mistaken(line):
            raise click.ClickException(f"{file}: lines[{number}]: {field}")
    return sorted(lines, key=lambda line: -line["seconds"])


def mistaken(line):
    """What a line lacks; none if nothing."""
    if not isinstance(line, dict):
        return "expected an object"
    for name in WORDS:
        if not isinstance(line.get(name), str):
            return f"{name}, expected a text"
    for name in NUMBERS:
        if not is_number(line.get(name)) or line[name] < 0:
            return f"{name}, expected a number, at least 0"
    for name in ("saved", "timed"):  # which a report may lack
        if not is_number(line.get(name, 0)):
            return f"{name}, expected a number"
    return None


def is_number(value):
    """That a table can show: JSON has larger ones, and Python reads NaN."""
    return isinstance(value, (int, float)) and abs(value) < 1e18


def both(line, what, spoken=str):
    """On the node, and to other nodes if there are any."""
    between = line[f"{what}_between"]
    return spoken(line[f"{what}_within"]) + (f" + {spoken(between)}" if between else "")


def in_all(line):
    """Seconds; with ~ where only some of many short starts were timed."""
    estimated = line.get("timed", line["starts"]) < line["starts"]
    return ("~" if estimated else "") + costs.seconds(line["seconds"])


def table(lines):
    found = table_of("What rank 0 has done", ("communicator", "operation", "done by"),
                     "communicator", "ranks", "operation", "done by", "starts", "messages",
                     "bytes", "guess", "median", "in all", "saved")
    for line in lines:
        found.add_row(line["communicator"], str(line["ranks"]), line["operation"],
                      line["algorithm"], f"{line['starts']:,}", both(line, "messages"),
                      both(line, "bytes", costs.size),
                      costs.seconds(line["guess"]) if line["guess"] else "",
                      costs.seconds(line["median"]), in_all(line),
                      costs.seconds(line["saved"]) if "saved" in line else "")
    found.caption = ("Messages and bytes are those of a start, on the node + to other nodes. ~: of "
                     "many short starts some are timed. Saved is against MPI's own collective, "
                     "where that was tried.")
    found.caption_justify = "left"
    return found
