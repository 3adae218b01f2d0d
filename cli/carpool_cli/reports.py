"""What a program has written about its calls (CARPOOL_REPORT)."""

import click
from rich.console import Group

from carpool_cli import costs, json_files
from carpool_cli.tables import table_of

VERSION = 1
LEGEND = ("Times are those of rank 0. Size: bytes that a rank sends, rounded up to a power of two. "
          "Messages: per start, within the node + to other nodes. If a size has several algorithms, "
          "the first is the one chosen last. ~: estimated from a sample of the starts.")

WORDS = ("communicator", "operation", "algorithm")
NUMBERS = ("ranks", "starts", "messages_within", "messages_between", "bytes_within",
           "bytes_between", "guess", "median", "seconds")
OPTIONAL_NUMBERS = ("saved", "timed", "mean", "first_quartile", "third_quartile", "size", "chosen")


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
    for name in OPTIONAL_NUMBERS:
        if not is_number(line.get(name, 0)):
            return f"{name}, expected a number"
    return None


def is_number(value):
    """That a table can show: JSON has larger ones, and Python reads NaN."""
    return isinstance(value, (int, float)) and abs(value) < 1e18


def messages(line):
    """Those of a start within the node, and those to other nodes if there are any."""
    between = line["messages_between"]
    return f"{line['messages_within']:,}" + (f"+{between:,}" if between else "")


def size(line):
    """The bytes that a rank sends at most, rounded up to a power of two."""
    return costs.size(int(line.get("size", line["bytes_within"] + line["bytes_between"])))


def mean(line):
    return line.get("mean", line["seconds"] / line["starts"] if line["starts"] else 0)


def times(line):
    """The mean and, unless they are few, the quartiles in the same unit."""
    first, third = line.get("first_quartile", 0), line.get("third_quartile", 0)
    middle = mean(line)
    few = 4
    if not third or line.get("timed", line["starts"]) < few:
        return costs.seconds(middle)
    unit, scale = costs.unit_of_seconds(max(middle, third))
    return f"{middle * scale:.3g} ({first * scale:.3g}–{third * scale:.3g}) {unit}"


def in_all(line):
    """Seconds; with ~ where only some of many short starts were timed."""
    estimated = line.get("timed", line["starts"]) < line["starts"]
    return ("~" if estimated else "") + costs.seconds(line["seconds"])


def grouped(lines):
    """Lists of lines of one operation on one communicator, those that took longest first; in each
    the sizes ascend, and of a size what was chosen last comes first."""
    groups = {}
    for line in lines:
        groups.setdefault((line["communicator"], line["ranks"], line["operation"]), []).append(line)
    by_time = sorted(groups.values(), key=lambda group: -sum(line["seconds"] for line in group))
    return [sorted(group, key=lambda line: (line.get("size", 0), -line.get("chosen", 0)))
            for group in by_time]


def savings(group):
    """Of lines where the host MPI's own collective was measured."""
    for line in group:
        if "saved" in line:
            verb = "saved" if line["saved"] >= 0 else "lost"
            yield (f"{line['algorithm']}, {size(line)}: {verb} {costs.seconds(abs(line['saved']))} "
                   f"compared with the host MPI's own collective (measured).")


def estimates(group):
    """Of all other lines, as the cost model has them."""
    guessed = [f"{line['algorithm']} {costs.seconds(line['guess'])} ({size(line)})"
               for line in group if line["guess"] and "saved" not in line]
    if guessed:
        yield f"Estimated for a start: {', '.join(guessed)}."


def table(lines):
    return Group(*(part for group in grouped(lines) for part in about(group)), LEGEND)


def about(group):
    """One operation."""
    first = group[0]
    title = (f"{first['operation']} on communicator {first['communicator']}, "
             f"{costs.counted(first['ranks'], 'rank')}")
    found = table_of(title, ("algorithm",), "size", "algorithm", "starts", "messages",
                     "mean (quartiles)", "in all")
    for line in group:
        found.add_row(size(line), line["algorithm"], f"{line['starts']:,}", messages(line),
                      times(line), in_all(line))
    return [found, *savings(group), *estimates(group), ""]
