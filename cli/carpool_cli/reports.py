# SPDX-License-Identifier: MIT
"""The command `carpool report`: what a program has written about its calls (CARPOOL_REPORT). Needs no
third-party package, except to draw."""

import sys
from pathlib import Path

from carpool_cli import columns, costs, files, json_files
from carpool_cli.packages import pip_install
from carpool_cli.parsers import Parser
from carpool_cli.printable import everywhere

DESCRIPTION = """Shows what a program has done, as CARPOOL_REPORT=FILE has made it write: which operations were made
by which algorithms, how often, and how long they took on rank 0; of an unchanged program also the calls that MPI
made, and what would change that."""

VERSION = 1

STARTS = ("Messages: per start, within the node + to other nodes. Mean: from a start to its end, without first "
          "ones. In all: the time in which starts were under way, with first ones, shared by those that were at the "
          "same time. If a size has several algorithms, the first is the one chosen last. ~: estimated from a sample "
          "of starts.")
CALLS = ("Made by MPI or Carpool: mean from a call to the return of the one that completes it, without first ones. "
         "In all: the time inside calls, with first ones, which may take as long as hundreds of others. Of MPI's: "
         "Carpool's median as a part of MPI's.")
OPEN = ("?: calls whose end is not seen, since functions of a tool complete them; their time is that of the calls "
        "that begin them.")

# What each entry of a list must have, and what it may have besides.
WORDS = {"lines": ("communicator", "operation", "algorithm"),
         "calls": ("communicator", "operation", "made_by"),
         "host_calls": ("operation", "why")}
NUMBERS = {"lines": ("ranks", "starts", "messages_within", "messages_between", "bytes_within",
                     "bytes_between", "guess", "median", "seconds"),
           "calls": ("ranks", "size_class", "size", "calls", "ended", "median", "seconds"),
           "host_calls": ("calls",)}
OPTIONAL_WORDS = ("made", "remedy")
OPTIONAL_NUMBERS = ("saved", "timed", "mean", "first_quartile", "third_quartile", "size", "chosen",
                    "least_size", "several", "persistent", "median_of_mpi", "by_mpi", "seconds_of_first", "varies",
                    "run_seconds", "seconds")


class Mistaken(Exception):
    """A file that is no report, or cannot be drawn to; the text says why."""


def read(file):
    """Its contents. The lines that took longest come first."""
    content = everywhere(json_files.read(file))
    if not isinstance(content, dict) or content.get("carpool_report") != VERSION:
        raise Mistaken(f"{file}: no report of version {VERSION}")
    if mistake := mistaken(content, (), ()):
        raise Mistaken(f"{file}: {mistake}")
    for name in WORDS:
        entries = content[name] = content.get(name) or []
        if not isinstance(entries, list):
            raise Mistaken(f"{file}: {name}, expected a list")
        for number, entry in enumerate(entries):
            if mistake := mistaken(entry, WORDS[name], NUMBERS[name]):
                raise Mistaken(f"{file}: {name}[{number}]: {mistake}")
    content["lines"].sort(key=lambda line: -line["seconds"])
    return content


def mistaken(entry, words, numbers):
    """What an entry lacks; none if nothing."""
    if not isinstance(entry, dict):
        return "expected an object"
    for name in (*words, *(word for word in OPTIONAL_WORDS if word in entry)):
        if not isinstance(entry.get(name), str):
            return f"{name}, expected a text"
    for name in numbers:
        if not is_number(entry.get(name)) or entry[name] < 0:
            return f"{name}, expected a number, at least 0"
    for name in OPTIONAL_NUMBERS:
        if not is_number(entry.get(name, 0)):
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
    """Bytes that rank 0 sends, at most if they differ."""
    most = int(line["size"] if "size" in line else line["bytes_within"] + line["bytes_between"])
    return ("≤" if line.get("least_size", most) < most else "") + costs.size(most)


def mean(one):
    count = one.get("starts", one.get("calls", 0))
    return one.get("mean", one["seconds"] / count if count else 0)


def times(line, timed):
    """The mean and, unless they are few, the quartiles in the same unit."""
    first, third = line.get("first_quartile", 0), line.get("third_quartile", 0)
    middle = mean(line)
    few = 4
    if not third or timed < few:
        return costs.seconds(middle)
    unit, scale = costs.unit_of_seconds(max(middle, third))
    return f"{middle * scale:.3g} ({first * scale:.3g}–{third * scale:.3g}) {unit}"


def percent(share):
    if share < 0.0005:
        return "<0.1 %" if share > 0 else "0 %"
    return f"{100 * share:.{1 if share < 0.0995 else 0}f} %"


def of_run(seconds, run_seconds):
    """Older reports do not have the time of the run."""
    return f"{percent(seconds / run_seconds)} of the run" if run_seconds else ""


class Group:
    """The starts and calls of one operation on a communicator, or on several of one kind."""

    def __init__(self, one):
        self.operation, self.comms, self.ranks = (one[key] for key in
                                                  ("operation", "communicator", "ranks"))
        self.made = one.get("made", "")
        self.persistent = bool(one.get("persistent", 0))
        self.each = bool(one.get("several", 0))
        self.lines, self.calls = [], []

    def seconds(self):
        return sum(one["seconds"] for one in self.calls or self.lines)

    def is_shown(self):
        """Those that MPI alone has made are in another table."""
        return not self.calls or any(one["made_by"] == "Carpool" for one in self.calls)

    def title(self):
        return (f"{'persistent ' if self.persistent else ''}{self.operation} on {self.comms}, "
                f"{costs.counted(self.ranks, 'rank')}{' each' if self.each else ''}")


def key_of(one):
    return (one["operation"], bool(one.get("persistent", 0)), one["communicator"], one["ranks"],
            one.get("made"))


def grouped(content):
    """Groups, those that took longest first; in each the sizes ascend, and of a size what was chosen last
    comes first."""
    groups = {}
    for one in content["lines"]:
        groups.setdefault(key_of(one), Group(one)).lines.append(one)
    for one in content["calls"]:
        groups.setdefault(key_of(one), Group(one)).calls.append(one)
    for group in groups.values():
        group.lines.sort(key=lambda line: (line.get("size", 0), -line.get("chosen", 0)))
        group.calls.sort(key=lambda one: (one["size_class"], one["made_by"] == "Carpool"))
    return sorted(groups.values(), key=lambda group: -group.seconds())


def savings(group):
    """Of lines where the host MPI's own collective was measured."""
    for line in group.lines:
        if "saved" in line:
            verb = "saved" if line["saved"] >= 0 else "lost"
            yield (f"{line['algorithm']}, {size(line)}: {verb} {costs.seconds(abs(line['saved']))} "
                   f"compared with the host MPI's own collective (measured).")


def estimates(group):
    """Of all other lines, as the cost model has them."""
    guessed = [f"{line['algorithm']} {costs.seconds(line['guess'])} ({size(line)})"
               for line in group.lines if line["guess"] and "saved" not in line]
    if guessed:
        yield f"Estimated for a start: {', '.join(guessed)}."


def table_of_starts(group):
    rows = [("size", "algorithm", "starts", "messages", "mean (quartiles)", "in all")]
    for line in group.lines:
        timed = line.get("timed", line["starts"])
        rows.append((size(line), line["algorithm"], f"{line['starts']:,}", messages(line),
                     times(line, timed),
                     ("~" if timed < line["starts"] else "") + costs.seconds(line["seconds"])))
    return columns.table(rows, words=1)


def ratio(one):
    """Carpool's time for a call as a part of MPI's; none unless both have made a number of them."""
    return one["median"] / one["median_of_mpi"] if one.get("median_of_mpi") else None


def table_of_calls(group):
    rows = [("size", "made by", "calls", "mean (quartiles)", "in all", "of MPI's")]
    for one in group.calls:
        part = ratio(one)
        sizes = costs.range_of_sizes(one.get("least_size", one["size"]), one["size"])
        rows.append((sizes, one["made_by"], f"{one['calls']:,}",
                     times(one, one["ended"]) if one["ended"] else "?", costs.seconds(one["seconds"]),
                     "" if part is None else f"{part:.2g}"))
    return columns.table(rows, words=1)


def algorithms(group):
    """Which have made Carpool's calls."""
    counts = {}
    for line in group.lines:
        key = (line["algorithm"], messages(line))
        counts[key] = counts.get(key, 0) + line["starts"]
    if counts:
        yield "Carpool's " + "; ".join(
            f"by {name}: {costs.counted(count, 'start')}, {number} message{'' if number == '1' else 's'} each"
            for (name, number), count in counts.items())


def text_of(group, run_seconds):
    """One operation."""
    share = of_run(group.seconds(), run_seconds)
    cost = f"{costs.seconds(group.seconds())}{', ' if share else ''}{share}"
    title = f"{group.title()}: {cost}"
    yield title if len(title) <= columns.WIDTH else f"{columns.lines(group.title())}\n  {cost}"
    if group.made:
        yield columns.lines(f"({group.made})")
    yield table_of_calls(group) if group.calls else table_of_starts(group)
    for notes in ([algorithms] if group.calls else [savings, estimates]):
        yield from (columns.lines(note, "  ") for note in notes(group))
    yield ""


def reasons(host_calls):
    """The calls that MPI has made, by reason; those that took longest first."""
    found = {}
    for one in sorted(host_calls, key=lambda one: -one.get("seconds", 0)):
        found.setdefault((one["why"], one.get("remedy", "")), []).append(one)
    return sorted(found.items(), key=lambda item: -sum(one.get("seconds", 0) for one in item[1]))


def text_of_host_calls(host_calls, run_seconds):
    if host_calls:
        yield "calls that MPI made, and what would change that"
    for (why, remedy), calls in reasons(host_calls):
        yield columns.lines(f"{why}{': ' if remedy else ''}{remedy}", "  ")
        yield columns.table([(one["operation"], f"{one['calls']:,}", costs.seconds(one.get("seconds", 0)),
                              of_run(one.get("seconds", 0), run_seconds)) for one in calls], indent="    ")
    if host_calls:
        yield ""


def legend(groups):
    shown = [group for group in groups if group.is_shown()]
    if shown:
        yield "Size: bytes that rank 0 sends or, if it sends none, receives."
    if any(group.calls for group in shown):
        yield CALLS
    if any(one["ended"] < one["calls"] for group in shown for one in group.calls):
        yield OPEN
    if any(not group.calls for group in shown):
        yield STARTS


def comparison(calls):
    """What Carpool's calls took, and what they would have taken MPI, where both made some."""
    compared = [one for one in calls if "by_mpi" in one]
    if compared:
        took, calls, first, by_mpi = (sum(one.get(name, 0) for one in compared)
                                      for name in ("seconds", "calls", "seconds_of_first", "by_mpi"))
        in_first = f", {costs.seconds(first)} of it in first ones" if "seconds_of_first" in compared[0] else ""
        said = (f"Carpool took {costs.seconds(took)} for {calls:,} calls{in_first}; at the mean of MPI's own calls of "
                f"these sizes, they would have taken about {costs.seconds(by_mpi)}.")
        if any(one.get("varies") for one in compared):
            said += " Of some sizes a few long calls make up most of the time, so this says little."
        yield columns.lines(said)


def text(content):
    groups = grouped(content)
    run_seconds = content.get("run_seconds", 0)
    parts = [f"what rank 0 has done, in a run of {costs.seconds(run_seconds)}"] if run_seconds else []
    parts += [*comparison(content["calls"]), ""]
    for group in groups:
        if group.is_shown():
            parts += text_of(group, run_seconds)
    parts += text_of_host_calls(content["host_calls"], run_seconds)
    return "\n".join(parts + [columns.lines(part) for part in legend(groups)])


def draw(lines, file):
    if Path(file).suffix not in (".svg", ".png"):
        raise Mistaken(f"--plot '{file}', expected a name that ends in .svg or .png")
    try:
        from carpool_cli import report_plot
        report_plot.draw(lines, file)
    except ModuleNotFoundError as missing:
        sys.exit(f"carpool: --plot needs {missing.name}; try: {pip_install(missing.name)}")
    except OSError as error:
        raise Mistaken(f"{file}: {error.strerror or error}") from None
    print(f"drawn: {file}", file=sys.stderr)


def parser():
    options = Parser("carpool report", description=DESCRIPTION, allow_abbrev=False)
    options.add_argument("file", metavar="FILE")
    options.add_argument("--plot", metavar="FILE", help="draw to FILE, .svg or .png")
    return options


def main(arguments):
    """The command `carpool report`."""
    options = parser()
    given = options.parse_args(arguments)
    try:
        content = read(given.file)
        print(text(content))
        if given.plot:
            draw(content["lines"], given.plot)
    except (Mistaken, files.Unreadable) as error:
        options.error(str(error))
