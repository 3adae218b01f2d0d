# SPDX-License-Identifier: MIT
"""Ranks on each node, as people and resource managers write them."""

import re
from itertools import chain, repeat

import click

from carpool_cli import files

NUMBER = "0*[1-9][0-9]{0,9}"
# A number of ranks, and on how many nodes: SLURM_TASKS_PER_NODE is 4(x2),3
NODES = re.compile(rf"({NUMBER})(?:\(x({NUMBER})\))?")
# node1, node1:4 as MPICH has it, or node1 slots=4 as Open MPI does; more settings may follow
HOST = re.compile(r"([^\s:=]+)(?::([0-9]{1,9}))?(?:\s+slots\s*=\s*([0-9]{1,9}))?(?:\s+\S+\s*=\s*\S+)*")
MOST_NODES = 1 << 20


def ranks_per_node(text):
    """A list with one number for all nodes, or one for each."""
    if not all(map(NODES.fullmatch, text.split(","))):
        if files.is_there(text):
            return of_hosts(text)
        raise click.BadParameter(f"'{text}', expected ranks, such as 8 or 3,1,3, or as SLURM writes them, 4(x2),3; or a "
                                 "file of hosts")
    parts = [NODES.fullmatch(part).groups() for part in text.split(",")]
    if sum(int(times or 1) for _, times in parts) > MOST_NODES:
        raise click.BadParameter(f"'{text}', expected at most 2^20 nodes")
    return list(chain.from_iterable(repeat(int(ranks), int(times or 1)) for ranks, times in parts))


def of_hosts(file):
    """A host on each line, with its number of slots, by default 1; those of a host that is named again are added."""
    slots = {}
    try:
        for number, line in files.numbered_lines(files.text(file)):
            if words := line.split("#")[0].strip():
                host, count = host_of(file, number, words)
                slots[host] = slots.get(host, 0) + count
    except files.Unreadable as error:
        raise click.BadParameter(str(error)) from None
    if not slots:
        raise click.BadParameter(f"{file} has no hosts")
    return list(slots.values())


def host_of(file, number, words):
    found = HOST.fullmatch(words)
    count = int(found[2] or found[3] or 1) if found else 0
    if not count:
        raise files.mistake_in(file, number, f"'{words}', expected a host, such as node1, node1:4 or node1 slots=4")
    return found[1], count
