# SPDX-License-Identifier: MIT
"""What the cost model says of each rule as a function of the block size, and why one is chosen."""

from dataclasses import dataclass

COST_NAMES = ("alpha", "beta", "sigma")  # seconds per message, byte and phase


@dataclass(frozen=True)
class Line:
    """Cost of a rule for blocks of m bytes: start + slope * m."""

    name: str
    start: float
    slope: float

    def at(self, block):
        return self.start + self.slope * block


@dataclass(frozen=True)
class Load:
    """What the model counts of a rule."""

    messages: int
    starts: int  # as many times alpha is paid
    phases: int
    blocks: int
    bytes: int


def load(rule):
    """Of a plan, which is alike on all ranks of a grid, or of the busiest rank of a graph."""
    if "rounds" in rule:
        return Load(rule["rounds"], rule["starts"], rule["least_phases"], rule["volume"],
                    rule["bytes"])
    return Load(rule["messages"], rule["starts"], rule["phases"], rule["blocks"], rule["bytes"])


def mean_block(answer):
    sizes = answer["block_bytes"]
    return sum(sizes) / len(sizes) if sizes else 0


def line(rule, answer):
    """For blocks of different sizes, m is their mean and their proportions stay."""
    if "line" in rule:  # of a machine on which it is one through two points
        return Line(rule["name"], rule["line"]["start"], rule["line"]["slope"])
    block = mean_block(answer)
    counts = load(rule)
    if "nodes" in answer:
        return line_on_nodes(rule, counts, answer, block)
    start = counts.starts * answer["alpha"] + counts.phases * answer["sigma"]
    return Line(rule["name"], start,
                answer["beta"] * (counts.bytes / block if block else counts.blocks))


def line_on_nodes(rule, load_of_all, answer, block):
    """The same where messages within nodes and between them cost their own."""
    start, slope = phases_on_nodes(rule, load_of_all, answer), 0
    charged = rule["nodes"]["charged"]
    messages = sum(one["messages"] for one in charged.values())
    paid = load_of_all.starts / messages if messages else 0
    for level, model in (("within", answer["nodes"]), ("between", answer)):
        counts = charged[level]
        start += counts["messages"] * paid * model["alpha"]
        slope += counts["bytes"] / block * model["beta"] if block else 0
    return Line(rule["name"], start, slope)


def phases_on_nodes(rule, load_of_all, answer):
    far = rule["nodes"]["phases_between"]
    return far * answer["sigma"] + (load_of_all.phases - far) * answer["nodes"]["sigma"]


def crossing(cheap, dear):
    """The block size from which `dear`, which starts higher and grows slower, is no worse."""
    return (dear.start - cheap.start) / (cheap.slope - dear.slope)


def compared_rules(answer):
    """Those of the question; and on a grid whose ranks are on nodes the rules `node`, too."""
    return [*answer["rules"], *answer.get("by_nodes", [])]


def cut_offs(answer):
    """[(from this block size, the cheapest automatic rule is this one), ...], ascending."""
    lines = [line(rule, answer) for rule in compared_rules(answer) if rule["automatic"]]
    best = min(lines, key=lambda one: (one.start, one.slope))
    found = [(0.0, best.name)]
    while flatter := [one for one in lines if one.slope < best.slope]:
        at, best = min(((crossing(best, one), one) for one in flatter),
                       key=lambda pair: (pair[0], pair[1].slope))
        found.append((at, best.name))
    # Blocks are whole bytes: what is cheapest below one byte never is.
    rules = [name for at, name in found if at < 1]
    return [(0.0, rules[-1]), *found[len(rules):]]


def cut_offs_by_name(answer):
    """None for empty blocks, of which nothing is counted."""
    return [] if sends_nothing(answer) else [{"from_bytes": at, "rule": name} for at, name in cut_offs(answer)]


def digits(value):
    """Three digits, or all of those before the point."""
    return f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def size(value):
    """Bytes for reading."""
    units = ("B", "KiB", "MiB", "GiB", "TiB")
    for unit in units:
        if value < 1023.5 or unit == units[-1]:
            return f"{digits(value)} {unit}"
        value /= 1024
    return ""


def range_of_sizes(least, most):
    """Bytes for reading, or from which to which: "24 B", "33–64 B"."""
    if least >= most:
        return size(most)
    number, unit = size(most).split()
    scale = 1024 ** ("B", "KiB", "MiB", "GiB", "TiB").index(unit)
    return f"{digits(least / scale)}–{number} {unit}"


def unit_of_seconds(value):
    """A unit for times of that order, and how many of it a second has."""
    for unit, scale in (("s", 1), ("ms", 1e3)):
        if abs(value) * scale >= 0.9995:
            return unit, scale
    return "µs", 1e6


def seconds(value):
    """Time for reading."""
    unit, scale = unit_of_seconds(value)
    return f"{digits(value * scale)} {unit}"


def mean(value):
    """An average for reading, to four digits or to whole ones."""
    return f"{value:,.4g}" if value < 1000 else f"{value:,.0f}"


def counted(number, noun):
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def sends_nothing(answer):
    """Empty blocks are not sent. Of a barrier there are none, and it sends messages."""
    return answer.get("collective") != "barrier" and not any(answer["block_bytes"])


NOTHING_SENT = "No block has a byte, so by no rule is anything sent."


def reason(answer):
    """One or two sentences: what the choice saves, what it pays, and up to which block size."""
    if sends_nothing(answer):
        return NOTHING_SENT
    rules = {rule["name"]: rule for rule in compared_rules(answer)}
    simplest, chosen = answer["rules"][0], rules[answer["choice"]]
    if chosen is not simplest:
        text = compared(chosen, simplest, answer)
    elif answer["choice"] == answer["automatic"]:
        here = "" if "halo" in answer else "at this block size "
        text = (f"{chosen['name']}: {here}no other rule saves more in messages than it pays in bytes "
                f"and phases.")
    else:
        text = f"{chosen['name']} was asked for."
    if answer["choice"] != answer["automatic"]:
        text += f" auto would take {answer['automatic']}."
    return f"{text} {limits(answer)}"


def compared(chosen, simplest, answer):
    if "nodes" in answer:
        return (f"{chosen['name']} takes {seconds(chosen['estimate'])} instead of "
                f"{seconds(simplest['estimate'])} by {simplest['name']}.")
    now, before = load(chosen), load(simplest)
    saved = (before.starts - now.starts) * answer["alpha"]
    paid = chosen["estimate"] - simplest["estimate"] + saved
    parts = [text for more, text in (
        (now.bytes - before.bytes, size(now.bytes - before.bytes)),
        (now.phases - before.phases, counted(now.phases - before.phases, "phase"))) if more > 0]
    sends = "sends at most" if "graph" in answer else "sends"
    text = (f"{chosen['name']} {sends} {counted(now.messages, 'message')} instead of "
            f"{before.messages:,}, which saves {seconds(saved)}")
    if not parts:
        return text + "."
    return f"{text}; the {' and '.join(parts)} more that it takes cost {seconds(paid)}."


def limits(answer):
    which = ""
    if len(set(answer["block_bytes"])) > 1:
        which = ", by the mean block"
    if "halo" in answer:
        which = ", by the bytes of a cell"
    return spoken(cut_offs(answer), which)


def spoken(steps, which=""):
    """Cut-offs in words."""
    if len(steps) < 2:
        return f"{steps[0][1]} is the cheapest at every block size."
    parts = [f"{name} below {size(round(until))}"
             for (_, name), (until, _) in zip(steps, steps[1:], strict=False)]
    return f"Cheapest{which}: {', '.join(parts)}, {steps[-1][1]} above."
