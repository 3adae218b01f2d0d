# SPDX-License-Identifier: MIT
"""Answers of the planner as tables for reading."""

from rich import box
from rich.console import Group
from rich.panel import Panel
from rich.table import Table

from carpool_cli import costs


def table_of(title, left, *names):
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False,
                  collapse_padding=True)
    for number, name in enumerate(names):
        is_text = name in left
        table.add_column(name, justify="left" if is_text else "right",
                         no_wrap=number == 0 or not is_text)
    return table


def chosen_last(cells, is_chosen):
    """The cells of a row, and its mark."""
    return [*cells, "◀" if is_chosen else ""]


def title(answer):
    sizes = answer["block_bytes"]
    block = (f"blocks of {costs.size(sizes[0])}" if len(set(sizes)) == 1 else
             f"blocks of {costs.size(sum(sizes))} in all")
    return (f"{answer['operation']} on {answer['grid']} ({answer['ranks']:,} ranks), "
            f"{costs.counted(answer['neighbors'], 'neighbor')}, {block}")


def with_costs(title, answer):
    """A title, and below it the costs by which the rules are compared."""
    return f"{title},\ncosts {answer['assumed']}"


def explained(answer):
    table = table_of(with_costs(title(answer), answer), ("rule", ""), "rule", "rounds", "phases",
                     "depth", "volume", "messages", "bytes", "estimate", "")
    for rule in shown_rules(answer):
        chosen = rule["name"] == answer["choice"]
        cells = (rule["name"], *(counts_on_grid(rule) if "rounds" in rule else counts_on_graph(rule)),
                 costs.seconds(rule["estimate"]))
        table.add_row(*chosen_last(cells, chosen), style="bold" if chosen else "")
    return Group(table, costs.reason(answer), "", legend(answer))


def shown_rules(answer):
    """The rules for grids; and on nodes the fastest of the rules `node`, which auto considers, too."""
    return [*answer["rules"], *([answer["by_node"]] if answer.get("by_node") else [])]


def counts_on_grid(rule):
    return (f"{rule['rounds']:,}", f"{rule['phases']:,}", f"{rule['least_phases']:,}",
            f"{rule['volume']:,}", f"{rule['at_rank']['messages']:,}",
            costs.size(rule["at_rank"]["bytes"]))


def counts_on_graph(rule):
    """Of the busiest rank; a rule for graphs has no rounds that are alike on all ranks."""
    return ("", f"{rule['phases']:,}", f"{rule['phases']:,}", f"{rule['blocks']:,}",
            f"{rule['messages']:,}", costs.size(rule["bytes"]))


def legend(answer):
    return (f"{whose_messages(answer)} Volume: the blocks that a rank sends, counted at each hop, if "
            f"all its neighbors exist. Depth: the phases in the longest chain of rounds that wait for "
            f"each other's blocks, which the estimate counts.{''.join(estimated(answer))}\n{assumed(answer)}")


def estimated(answer):
    """What is counted for the estimate, though not all ranks send it."""
    if not answer["periodic"]:
        yield (" Estimate: of the rounds in which a rank sends, as if all their blocks existed."
               if "nodes" in answer else " Estimate: as if all neighbors existed.")
    if 0 in answer["block_bytes"]:
        yield " Empty blocks are not sent; " + (
            "the estimate has the messages of all rounds." if any(answer["block_bytes"]) else
            "rounds, depth and volume are as if they were.")


def whose_messages(answer):
    """On a torus those of any rank; on a mesh those of one in the middle, and of a corner."""
    busiest = f" {answer['by_node']['name']}: those of the busiest rank." if answer.get("by_node") else ""
    if answer["periodic"]:
        return f"Messages and bytes are those that a rank sends.{busiest}"
    corner = ", ".join(f"{rule['at_corner']['messages']:,} by {rule['name']}"
                       for rule in answer["rules"])
    return (f"Messages and bytes are those of rank {answer['rank']} at "
            f"({', '.join(map(str, answer['coordinates']))}). A corner sends {corner}.{busiest}")


def assumed(answer):
    ports = answer["ports"]
    message = "message" if ports == 1 else f"{ports:,} messages at once"
    return "\n".join([f"Assumed {answer['assumed']}: {model(answer, message)}",
                      *long_messages(answer), *found_before(answer)])


def long_messages(answer):
    """At which lengths messages leave the memory of a node, if a rule's are so long."""
    lengths = answer["message_cut_offs"]
    whole, put_together = (lengths[f"{name}_through_memory"] for name in ("whole", "put_together"))
    loads = [costs.load(rule) for rule in answer["rules"]]
    if "memory" not in answer["assumed"] or all(
            load.bytes <= min(whole, put_together) * load.messages for load in loads):
        return []
    return [f"Longer messages go by MPI: of one piece beyond {costs.size(whole)}, put together "
            f"beyond {costs.size(put_together)}."]


def found_before(answer):
    """What the tuning file remembers of such a problem."""
    if not answer.get("remembered"):
        return []
    return [f"Requests with such messages have found the fastest, by {answer['tuning']}: "
            f"{', '.join(answer['remembered'])}."]


def model(costs_of, message="message"):
    return (f"{costs_of['alpha'] * 1e6:g} µs per {message}, "
            f"{costs_of['beta'] * 1e9:g} ns per byte, {costs_of['sigma'] * 1e6:g} µs per phase.")


def vector(numbers):
    return "(" + ",".join(f"{c:+d}" if c else "0" for c in numbers) + ")"


def offset(position, offsets):
    return vector(offsets[position])


def neighbor(position, answer, side):
    """An offset on a grid; on a graph, the rank at that end of the edge."""
    if side in answer:
        return f"rank {answer[side][position]}"
    return offset(position, answer["offsets"])


def place(slot, answer):
    """A slot as a reader thinks of it: a block to or from an offset, or one in transit."""
    at = slot["position"]
    if slot["kind"] == "temp":
        return in_transit(at, answer)
    if slot["kind"] == "send":
        one = answer["rules"][0]["schedule"]["send_slots"] == 1
        return "own block" if one else f"to {neighbor(at, answer, 'targets')}"
    return "result" if answer["reduces"] else f"from {neighbor(at, answer, 'sources')}"


def in_transit(at, answer):
    transit = answer["rules"][0]["transit"]
    if not transit:
        return f"partial sum {at}"
    one = transit[at]
    if "target" in one:
        return f"rank {one['origin']}'s to rank {one['target']}"
    plain = "offsets" not in answer or answer["operation"] == "allgather"
    block = "block" if plain else offset(one["block"], answer["offsets"])
    return f"{block} of rank {one['origin']}"


def listed(slots, answer, between, most=8, place=place):
    names = [place(slot, answer) for slot in slots[:most]]
    return between.join(names + ([f"… {len(slots) - most} more"] if len(slots) > most else []))


def rounds_of_rank(answer):
    """The rounds of one rank: to whom and from whom, and which blocks."""
    rule = answer["rules"][0]
    table = table_of(f"rank {answer['rank']} by {rule['name']}",
                     ("sends to", "blocks", "receives from"), "round", "phase", "sends to",
                     "blocks", "receives from", "blocks")

    def named(slots, between="\n"):
        return listed(slots, answer, between)

    for number, one in enumerate(rule["schedule"]["rounds"]):
        table.add_row(str(number), str(one["phase"]), *message_cells(one["send"], named),
                      *message_cells(one["receive"], named))
    return Group(table, *local(rule["schedule"], named))


def message_cells(message, named):
    """With whom, and which blocks."""
    return [f"rank {message['peer']}", named(message["parts"])] if message else ["—", ""]


def local(schedule, named):
    """What a rank does by itself."""
    notes = [f"sum: {named(one['of'], ' + ')} ▶ {named([one['to']])}" for one in schedule["sums"]]
    return notes + [f"copy: {named([one['from']])} ▶ {named([one['to']])}"
                    for one in schedule["copies"]]


def planned(answer):
    """The plan itself: hops and the blocks in each message."""
    rule = answer["rules"][0]
    table = table_of(None, ("hop", "blocks in the message"), "round", "phase", "hop", "number",
                     "blocks in the message")
    for number, one in enumerate(rule["plan"]):
        ends = ([move["block"] for move in one["moves"]] if answer["operation"] == "alltoall" else
                [move["to"] for move in one["moves"]])
        ways = answer["offsets"] if answer["operation"] == "alltoall" else rule["ways"]
        shown = " ".join(offset(end, ways) for end in ends[:10])
        table.add_row(str(number), str(one["phase"]), vector(one["hop"]), str(len(ends)),
                      shown + (f" … {len(ends) - 10} more" if len(ends) > 10 else ""))
    note = ["Sums travel these ways backwards."] if answer["reduces"] else []
    return Group(title(answer), f"{rule['name']}: {rule['summary']}", table, *note)


def ranks_verified(answer):
    """Which ranks the verifier has run."""
    rule = answer["rules"][0]
    if "sampled" not in rule:
        return f"all {answer['ranks']:,} ranks"
    return f"{rule['sampled']:,} of {answer['ranks']:,} ranks; {rule['run']:,} ranks were run"


def verified(complaints, ranks):
    lines = []
    for name, found in complaints.items():
        lines.append(f"{name}: {costs.counted(len(found), 'complaint') if found else 'correct'} "
                     f"on {ranks[name]}")
        lines += [f"  {sentence}" for sentence in found[:20]]
        lines += [f"  … {len(found) - 20} more"] if len(found) > 20 else []
    return Group(*lines)


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
        also = f", or {family['alias']}" if family["alias"] else ""
        text = f"{family['summary']}\n\n{picture(family['offsets'])}"
        panels.append(Panel(text, title=f"{family['name']} {family['arguments']}{also}",
                            subtitle=f"{family['example']}: t = {len(family['offsets'])}",
                            title_align="left", subtitle_align="left", expand=False))
    panels.append("offsets D: X,Y X,Y …   any other, one by one")
    return Group(*panels)


def graphs(answer):
    table = table_of(None, ("graph", "what it is", "such as"), "graph", "what it is", "such as")
    for family in answer["graphs"]:
        table.add_row(f"{family['name']} {family['arguments']}", family["summary"],
                      family["example"])
    table.add_row("a matrix", "who needs whose part of x for A x; --ranks P deals out the rows; of Matrix Market, scipy, "
                  "PETSc or Harwell-Boeing", "matrix.mtx")
    table.add_row("a mesh", "elements that share a face, or a node; of Gmsh, VTK or Exodus", "mesh.msh")
    table.add_row("a network", "a graph of METIS or Chaco, each edge in both directions; GraphML or GML", "mesh.graph")
    table.add_row("FILE", "an edge per line: from to; # begins a comment; --ids says from which number on ranks "
                  "are counted", "edges.txt")
    return table


def algorithms(answer):
    names = ("rule", "grids", "graphs", "auto considers it", "what it does")
    table = table_of(None, names, *names)
    for rule in answer["algorithms"]:
        marks = ["yes" if rule[key] else "no" for key in ("grids", "graphs", "automatic")]
        table.add_row(rule["name"], *marks, rule["summary"])
    return Group(table, f"operations: {', '.join(answer['operations'])}", "",
                 collectives(answer["collectives"]))


def collectives(kinds):
    names = ("collective of all ranks", "algorithms")
    table = table_of(None, names, *names)
    for one in kinds:
        table.add_row(f"{one['kind']} RANKS{' [root R]' if one['root'] else ''}",
                      ", ".join(one["algorithms"]))
    return table
