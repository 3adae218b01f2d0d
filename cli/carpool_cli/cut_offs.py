# SPDX-License-Identifier: MIT
"""Cut-offs: the lengths of messages, in bytes, at which another way takes less time."""

import math
from dataclasses import dataclass
from itertools import product

THROUGH_MEMORY = ("whole_through_memory", "put_together_through_memory")
PACKING = ("packed_below", "packed_below_per_part", "packed_below_per_piece")
TOLERANCE = 0.01  # of the mean time: what loses so little more than the best is as good


@dataclass(frozen=True)
class Message:
    """A shape of message, and how long it takes by each way."""

    parts: int
    pieces: int
    bytes: int
    seconds: dict

    def loss(self, way):
        """By how much that takes longer than the fastest way, as a logarithm. Of more than twice as
        long nobody asks how much: it may have been disturbed."""
        return min(math.log(2), math.log(self.seconds[way] / min(self.seconds.values())))


@dataclass(frozen=True)
class Found:
    """The cut-offs, and the messages from which they follow."""

    lengths: dict
    whole: list
    put_together: list


def messages(lines):
    """Of lines of the program that times ways."""
    shapes = {}
    for one in lines:
        times = shapes.setdefault((one["parts"], one["pieces"], one["bytes"]), {})
        if one["seconds"]:
            times[one["way"]] = one["seconds"]
    return [Message(*shape, seconds) for shape, seconds in shapes.items()]


def packs(lengths, message):
    """As the library decides."""
    return any(message.bytes < lengths[name] * number for name, number in zip(
        PACKING, (1, message.parts, message.pieces), strict=True))


def packing(timed, usual):
    """Those of what MPI sends that lose least time over all messages."""
    timed = [one for one in timed if {"packed", "typed"} <= one.seconds.keys()]
    if not timed:
        return {}
    only = [Message(one.parts, one.pieces, one.bytes,
                    {way: one.seconds[way] for way in ("packed", "typed")}) for one in timed]
    steps = [0, *(2**k for k in range(7, 24, 2))]  # between the lengths that are timed
    choices = [dict(zip(PACKING, lengths, strict=True)) for lengths in product(
        *(sorted({*steps, usual[name]}) for name in PACKING))]
    return best(choices, usual, lambda lengths: [
        one.loss("packed" if packs(lengths, one) else "typed") for one in only])


def through_memory(name, timed, beyond, usual):
    """The longest length that still goes through memory. @param beyond: the way of what is longer"""
    timed = [Message(one.parts, one.pieces, one.bytes,
                     {"memory": one.seconds["memory"], "beyond": beyond(one)})
             for one in timed if "memory" in one.seconds and beyond(one)]
    if not timed:
        return {}
    sizes = sorted({one.bytes for one in timed})
    choices = [{name: size} for size in sorted({sizes[0] // 2, *sizes, usual[name]})]
    return best(choices, usual, lambda lengths: [
        one.loss("memory" if one.bytes <= lengths[name] else "beyond") for one in timed])


def best(choices, usual, losses):
    """The choice that loses least; of those as good, the one nearest to the usual lengths."""
    lost = [sum(found) / len(found) for found in map(losses, choices)]
    limit = min(lost) + TOLERANCE
    return min((one for one, loss in zip(choices, lost, strict=True) if loss <= limit),
               key=lambda one: sum(abs(math.log2((one[name] + 1) / (usual[name] + 1)))
                                   for name in one))


def found(lines, usual):
    """All that can be told from what was timed."""
    timed = messages(lines)
    whole = [one for one in timed if one.pieces == 1]
    put_together = [one for one in timed if one.pieces > 1]
    lengths = packing(put_together, usual)
    lengths |= through_memory(THROUGH_MEMORY[0], whole, lambda one: one.seconds.get("whole"), usual)
    lengths |= through_memory(THROUGH_MEMORY[1], put_together,
                              lambda one: by_mpi(lengths, one), usual)
    return Found({name: lengths[name] for name in (*THROUGH_MEMORY, *PACKING) if name in lengths},
                 whole, put_together)


def by_mpi(lengths, message):
    """How long a message takes as MPI would be given it."""
    return message.seconds.get("packed" if packs(lengths, message) else "typed")
