# SPDX-License-Identifier: MIT
"""What explain says of random halos, counted again here: cell by cell."""

import itertools
import math
import re
from collections import Counter

import pytest

from counted import (Message, by_level, check_row, estimate_on_nodes, busiest, nodes_of, of_bytes, of_messages,
                     random_sizes, rows, value)
from in_process import answer, run
from random_cases import each_case


MOST_HOPS = 3  # in a dimension


def sign(number):
    return (number > 0) - (number < 0)


class Halo:
    """An array of which each rank owns a box of cells, and the cells that a stencil reads beyond it."""

    def __init__(self, draw):
        self.kind = draw.choice(["torus", "torus", "mesh"])
        self.dims = [draw.choice([3, 4, 7, 8]) for _ in range(draw.choice([1, 2, 2]))]
        self.shape = [draw.randrange(1, 5) for _ in self.dims]
        self.reach = draw.choice([1, 1, 2])
        self.stencil = draw.choice(["moore", "von_neumann", "positive_octant"])
        self.width = draw.choice([None, self.reach, self.reach + 1])
        self.element = draw.choice([1, 8, 12])
        self.nodes = random_sizes(draw, math.prod(self.dims)) if draw.random() < 0.4 else None

    def is_wide_torus(self):
        """Then no two hops lead to the same rank, and all ranks send alike."""
        return self.kind == "torus" and min(self.dims) > 2 * MOST_HOPS

    def asked(self):
        text = "x".join(map(str, self.dims))
        return (f"{self.kind} {text}", f"{self.stencil} {len(self.dims)} {self.reach}", "--halo",
                "x".join(map(str, self.shape)), "--element", self.element,
                *(("--width", self.width) if self.width else ()),
                *(("--per-node", ",".join(map(str, self.nodes))) if self.nodes else ()))

    def offsets(self):
        """As docs say of the stencils: all within a cube, at a distance, or that are not negative."""
        every = itertools.product(range(-self.reach, self.reach + 1), repeat=len(self.dims))
        keeps = {"moore": lambda one: True, "von_neumann": lambda one: sum(map(abs, one)) <= self.reach,
                 "positive_octant": lambda one: min(one) >= 0}[self.stencil]
        return [one for one in every if any(one) and keeps(one)]

    def sources(self):
        """The hops to the ranks that own the halo: of each side, edge or corner of which cells are read, and of the
        sides and edges next to it."""
        read = {tuple(map(sign, offset)) for offset in self.offsets()}
        sides = {part for side in read for part in itertools.product(*({0, along} for along in side))} - {
            (0,) * len(self.dims)}
        return sorted(hop for side in sides for hop in itertools.product(
            *({hop for hop in self.hops_along(k) if sign(hop) == side[k]} for k in range(len(self.dims)))))

    def hops_along(self, k):
        """To those ranks of which a mesh has some."""
        hops = {at // self.shape[k] for at in self.cells_along(k)}
        return {hop for hop in hops if self.kind == "torus" or abs(hop) < self.dims[k]}

    def cells_along(self, k):
        """From the first cell of the halo in a dimension to its last; the rank's own ones begin at 0."""
        width = self.width or max(abs(one[k]) for one in self.offsets())
        return range(-width, self.shape[k] + width)

    def cells_from(self, hop):
        """Those of a rank's halo that another rank owns."""
        return math.prod(sum(at // size == hop[k] for at in self.cells_along(k))
                         for k, size in enumerate(self.shape))

    def rank_at(self, here, hop):
        """None beyond the end of a mesh."""
        rank = 0
        for at, along, size in zip(here, hop, self.dims, strict=True):
            if self.kind == "mesh" and not 0 <= at + along < size:
                return None
            rank = rank * size + (at + along) % size
        return rank

    def direct(self):
        """A message from each source to each rank."""
        carried = Counter()
        for rank, here in enumerate(itertools.product(*map(range, self.dims))):
            for hop in self.sources():
                source = self.rank_at(here, hop)
                if source not in (None, rank):
                    carried[source, rank] += self.cells_from(hop) * self.element
        return [Message(*ends, 0, 1, size) for ends, size in carried.items()]


def check_parts(halo, found):
    here = list(itertools.product(*map(range, halo.dims)))[found["rank"]]
    parts = Counter(0 if halo.rank_at(here, hop) is None else halo.cells_from(hop) for hop in halo.sources())
    assert found["halo"]["parts"] == [{"cells": cells, "bytes": cells * halo.element, "neighbors": count}
                                      for cells, count in sorted(parts.items(), reverse=True)]
    assert found["neighbors"] == len(halo.sources())


def check_rule(rule, found, halo, messages):
    cells = sum(map(halo.cells_from, halo.sources()))
    sent = [one for one in messages if one.sender == found["rank"]]
    if halo.is_wide_torus():  # no cell is sent to a rank twice
        assert rule["at_rank"]["bytes"] == rule["bytes"]
    if rule["name"] == "direct":
        assert rule["at_rank"] == {"rank": found["rank"], "messages": len(sent), "bytes": sum(map(of_bytes, sent))}
        assert rule["rounds"] == len(halo.sources())
    assert (rule["volume"], rule["bytes"]) == (cells, cells * halo.element)
    if "nodes" in rule:
        assert rule["estimate"] == pytest.approx(sum(estimate_on_nodes(rule, found, rule["least_phases"])))
    else:
        assert rule["starts"] == rule["rounds"]
        assert rule["estimate"] == pytest.approx(
            rule["rounds"] * found["alpha"] + rule["bytes"] * found["beta"] + rule["least_phases"] * found["sigma"])


def check_charged(rule, ranks, messages, node):
    far = by_level(messages, node)[1]
    charged = rule["nodes"]["charged"]
    for key, weight in (("messages", of_messages), ("bytes", of_bytes)):
        assert charged["between"][key] == busiest(ranks, far, weight)
        assert charged["within"][key] == busiest(ranks, messages, weight) - charged["between"][key]


def check_told(said, found):
    table = rows(said, "rule")
    for rule in found["rules"]:
        check_row(table[rule["name"]], [
            *(rule[name] for name in ("rounds", "phases", "least_phases", "volume")), rule["at_rank"]["messages"],
            rule["at_rank"]["bytes"], rule["estimate"]])
    told = re.findall(r"([\d,]+) of ([\d.,]+ \w+)", " ".join(said[said.index("Parts of"):].split("\n\n")[0].split()))
    assert len(told) == len(found["halo"]["parts"])
    for (count, size), part in zip(told, found["halo"]["parts"], strict=True):
        assert int(count.replace(",", "")) == part["neighbors"]
        assert value(size) == pytest.approx(part["bytes"], rel=6e-3)


def test_every_number_about_a_halo_is_that_of_its_cells():
    def check(draw):
        halo = Halo(draw)
        ranks = math.prod(halo.dims)
        found = answer("explain", *halo.asked())
        assert found["ranks"] == ranks
        check_told(run("explain", *halo.asked()).stdout, found)
        check_parts(halo, found)
        messages = halo.direct()
        for rule in found["rules"]:
            check_rule(rule, found, halo, messages)
        if halo.nodes and halo.is_wide_torus():
            check_charged(found["rules"][0], ranks, messages, nodes_of(ranks, halo.nodes))

    each_case(15, check)
