# SPDX-License-Identifier: MIT
"""An exchange with 125 neighbors between simulated hosts, by a program of the benches."""

import json
import subprocess
from dataclasses import dataclass

from table import Exchanges, Row, checks, legend, table_of

HOSTS, RANKS = 4, 16
CASE = "grid-d3-n5/alltoall/40"
SECONDS, SEED, TIMEOUT = 1, 1, 60
# What tools/launch exits with where this machine cannot have hosts, and where time is up.
NO_HOSTS, TIME_IS_UP = 77, 124
HOST_FORMS = ("host blocking", "host nonblocking", "host persistent")
RULES = ("carpool direct", "carpool torus", "carpool cartesian", "carpool basis", "carpool auto")

INTRODUCTION = ("[bold]Between hosts[/] a message costs far more than the bytes in it: combined "
                f"messages win. The hosts are {HOSTS} network namespaces of this machine, with TCP "
                "between them; `tools/hosts down` removes them.")
BUSY = ("This time direct was fastest: where other programs take the cores, each phase of a rule "
        "waits for them, and direct has only one.")
LEGEND = {
    "kB": "more where messages are combined: a block goes on in the next one",
    "gain": "over the form of the host's that is fastest here",
    "node:K": "the ranks of a host put together what they have for another host; K of them send "
              "it, each in one message",
}


@dataclass(frozen=True)
class Outcome:
    """The event of the bench, or why there is none; broken where that should not be."""
    event: dict | None = None
    reason: str = ""
    broken: bool = False


def command(root, program):
    words = [root / "tools" / "launch", "--hosts", HOSTS, "-n", RANKS, "--timeout", TIMEOUT,
             program, SECONDS, SEED, CASE]
    return [str(word) for word in words]


def event_in(printed):
    """The case, of all events that the bench has printed."""
    events = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    return next((event for event in events if event["event"] == "case"), None)


def last_line(said):
    """What tools/launch said last, without its name."""
    lines = said.strip().splitlines() or ["it did not say why"]
    return lines[-1].removeprefix("launch: ")


def outcome(code, printed, said):
    if code in (NO_HOSTS, TIME_IS_UP):
        return Outcome(reason=last_line(said))
    event = event_in(printed)
    if code or not event:
        return Outcome(reason=f"the bench ended with code {code}:\n{printed}{said}", broken=True)
    return Outcome(event)


def run(root, build, progress):
    program = build / "bench" / "neighborhoods"
    if not program.exists():
        return Outcome(reason="the bench needs an MPI with persistent collectives")
    task = progress.add_task(f"125 neighbors on {HOSTS} hosts", total=None)
    process = subprocess.Popen(command(root, program), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    printed, said = process.communicate()
    progress.update(task, total=1, completed=1)
    return outcome(process.returncode, printed, said)


def median(contender):
    return contender["seconds"]["median"]


def timed(event, names):
    """The contenders of these names that did what they should."""
    return [entry for entry in event["contenders"] if entry["name"] in names and "seconds" in entry]


def failures(event):
    return [entry for entry in event["contenders"]
            if entry["name"] in HOST_FORMS + RULES and "failure" in entry]


def gain(contender, best):
    ratio = contender["gain"][best["name"]] if best else None
    return ratio and ratio["median"]


def row(contender, event, best):
    plan = contender.get("plan", {"algorithm": "host", "messages": event["t"],
                                  "bytes": event["send_bytes"]})
    seconds = tuple(contender["seconds"][key] for key in ("first", "median", "third"))
    return Row(contender["name"].replace("carpool", "Carpool"), plan["algorithm"],
               plan["messages"], plan["bytes"], seconds, gain(contender, best))


def rows(event):
    best = min(timed(event, HOST_FORMS), key=median, default=None)
    return [row(entry, event, best) for entry in timed(event, HOST_FORMS + RULES)]


def title(event):
    torus = "x".join(map(str, event["dims"]))
    return (f"[bold]{event['t']} neighbors[/] on {RANKS} ranks of {HOSTS} hosts, torus {torus}, "
            f"{event['base_bytes']} bytes for each")


def pictured(outcome):
    """The table for its picture, if there is one."""
    if not outcome.event:
        return []
    return [Exchanges(f"{outcome.event['t']} neighbors on {HOSTS} hosts,\nover the host's best form",
                      rows(outcome.event))]


def direct_was_fastest(event):
    fastest = min(timed(event, RULES), key=median, default=None)
    return fastest and fastest["plan"]["algorithm"] == "direct"


def legend_of(entries):
    unused = set() if any(entry.rule.startswith("node:") for entry in entries) else {"node:K"}
    return legend({term: meaning for term, meaning in LEGEND.items() if term not in unused})


def show_event(console, event):
    console.print(f"\n{INTRODUCTION}\n\n{title(event)}")
    for entry in failures(event):
        console.print(checks([(False, f"{entry['name']}: {entry['failure']}")]))
    console.print()
    entries = rows(event)
    if entries:
        console.print(table_of(entries))
    if direct_was_fastest(event):
        console.print(f"\n{BUSY}")
    console.print()
    console.print(legend_of(entries))


def show(console, outcome):
    """Whether Carpool did what it should, as far as hosts could be had."""
    if outcome.event:
        show_event(console, outcome.event)
        return not any(entry["name"] in RULES for entry in failures(outcome.event))
    console.print(f"\nNo table between hosts: {outcome.reason}", markup=False)
    return not outcome.broken
