"""Answers of the planner as tables for reading."""

from rich import box
from rich.console import Group
from rich.panel import Panel
from rich.table import Table

from carpool import costs


def title(answer):
    return (f"{answer['operation']} on {answer['grid']} ({answer['ranks']:,} ranks), "
            f"{answer['neighbors']} neighbors")


def explained(answer, block, model):
    table = Table(title=title(answer), title_justify="left", caption_justify="left",
                  box=box.SIMPLE_HEAD)
    for name in ("rule", "rounds", "phases", "least", "volume", "bytes", "messages", "estimate", ""):
        table.add_column(name, justify="left" if name in ("rule", "") else "right")
    for rule in answer["rules"]:
        chosen = rule["name"] == answer["choice"]
        table.add_row(rule["name"], str(rule["rounds"]), str(rule["phases"]),
                      str(rule["least_phases"]), f"{rule['volume']:,}", costs.size(rule["bytes"]),
                      str(rule["rank_messages"]), f"{rule['estimate'] * 1e6:,.1f} µs",
                      "◀ chosen" if chosen else "", style="bold" if chosen else "")
    place = ", ".join(str(c) for c in answer["coordinates"])
    table.caption = (
        f"blocks of {block}; rounds are messages where every neighbor exists; messages: of rank "
        f"{answer['rank']} at ({place});\nleast: phases that depend on each other; α = "
        f"{model['alpha'] * 1e6:g} µs per message, β = {model['beta'] * 1e9:g} ns per byte, σ = "
        f"{model['sigma'] * 1e6:g} µs per phase")
    return Group(table, "", costs.reason(answer, model))


def offset(position, offsets):
    return "(" + ",".join(f"{c:+d}" if c else "0" for c in offsets[position]) + ")"


def place(slot, offsets, operation):
    """A slot as a reader thinks of it: a block to or from an offset, or one in transit."""
    at = slot["position"]
    if slot["kind"] == "temp":
        return f"transit {at}"
    one = operation in ("allgather", "reduce") if slot["kind"] == "send" else "reduce" in operation
    if one:
        return "own block" if slot["kind"] == "send" else "result"
    return f"{'to' if slot['kind'] == 'send' else 'from'} {offset(at, offsets)}"


def listed(parts, offsets, operation, most=8):
    names = [place(part, offsets, operation) for part in parts[:most]]
    return ", ".join(names) + (f", … {len(parts) - most} more" if len(parts) > most else "")


def rounds_of_rank(rule, answer):
    """The rounds of one rank: to whom and from whom, and which blocks."""
    table = Table(title=f"rank {answer['rank']} by {rule['name']}", title_justify="left",
                  box=box.SIMPLE_HEAD)
    for name in ("round", "phase", "sends to", "blocks", "receives from", "blocks"):
        table.add_column(name, justify="right" if name in ("round", "phase") else "left")
    schedule = rule["schedule"]
    for number, one in enumerate(schedule["rounds"]):
        cells = []
        for side in ("send", "receive"):
            message = one[side]
            cells += ([f"rank {message['peer']}",
                       listed(message["parts"], answer["offsets"], answer["operation"])]
                      if message else ["—", ""])
        table.add_row(str(number), str(one["phase"]), *cells)
    notes = [f"sum: {listed(one['of'], answer['offsets'], answer['operation'])} ▶ "
             f"{place(one['to'], answer['offsets'], answer['operation'])}"
             for one in schedule["sums"]]
    notes += [f"copy: {place(one['from'], answer['offsets'], answer['operation'])} ▶ "
              f"{place(one['to'], answer['offsets'], answer['operation'])}"
              for one in schedule["copies"]]
    return Group(table, *notes)


def planned(rule, answer):
    """The plan itself: hops and the blocks that ride on each."""
    table = Table(title=f"{rule['name']}: {rule['summary']}", title_justify="left",
                  box=box.SIMPLE_HEAD)
    for name in ("round", "phase", "hop", "blocks", "that ride"):
        table.add_column(name, justify="left" if name in ("hop", "that ride") else "right")
    for number, one in enumerate(rule["plan"]):
        hop = ", ".join(f"{c:+d}" if c else "0" for c in one["hop"])
        riders = ([offset(move["block"], answer["offsets"]) for move in one["moves"]]
                  if answer["operation"] == "alltoall" else
                  [f"({', '.join(map(str, rule['ways'][move['to']]))})" for move in one["moves"]])
        shown = " ".join(riders[:10]) + (" …" if len(riders) > 10 else "")
        table.add_row(str(number), str(one["phase"]), f"({hop})", str(len(riders)), shown)
    return table


def picture(offsets):
    """A 2-D stencil in characters: ● a neighbor, ○ the rank itself."""
    reach = max(abs(c) for one in offsets for c in one)
    spots = {tuple(one) for one in offsets}
    return "\n".join(
        " ".join("○" if not x and not y else "●" if (x, y) in spots else "·"
                 for x in range(-reach, reach + 1)) for y in range(reach, -reach - 1, -1))


def stencils(answer):
    panels = []
    for family in answer["stencils"]:
        text = f"{family['summary']}\n\n{picture(family['offsets'])}"
        panels.append(Panel(text, title=f"{family['name']} {family['arguments']}",
                            subtitle=f"{family['example']}: t = {len(family['offsets'])}",
                            title_align="left", subtitle_align="left", expand=False))
    panels.append("offsets X,Y X,Y …   any other, one by one")
    return Group(*panels)


def algorithms(answer):
    table = Table(box=box.SIMPLE_HEAD)
    for name in ("rule", "auto considers it", "what it does"):
        table.add_column(name)
    for rule in answer["algorithms"]:
        table.add_row(rule["name"], "yes" if rule["automatic"] else "no", rule["summary"])
    return table
