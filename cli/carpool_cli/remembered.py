# SPDX-License-Identifier: MIT
"""What a tuning file remembers of the problem that is asked about."""

from carpool_cli import assumptions, costs


def beginnings(answer):
    """As the library words a problem on one node, and the same of numbers that round, up to the
    digest of what it chooses among: that of costs and candidates is made where it runs."""
    load = costs.load(answer["rules"][0])
    operation = answer.get("collective") or f"neighbor_{answer['operation']}"
    below = ", ".join(f"2^{number.bit_length()}"
                      for number in (load.messages, load.blocks, load.bytes))
    text = f"{operation}, {answer['ranks']} ranks, messages, blocks and bytes below {below}"
    return f"{text}, among ", f"{text}, rounding, among "


def taken(asked, answer, tuning, mpi):
    """What such problems were found to go fastest by, each once. Of nodes nothing is known, and who
    asks for a rule gets it."""
    if not tuning or asked.get("per_node") or asked["algorithm"] != "auto":
        return []
    starts = beginnings(answer)
    return list(dict.fromkeys(choice["taken"] for choice in assumptions.known(mpi, tuning)["choices"]
                              if choice["problem"].startswith(starts)))
