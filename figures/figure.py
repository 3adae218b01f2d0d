# SPDX-License-Identifier: MIT
"""A figure of a paper as it comes out here: claims, a table and a picture."""

from dataclasses import dataclass, field

from carpool_cli import costs

VERDICTS = ("agrees", "agrees in part", "differs", "another model", "not simulated")


@dataclass(frozen=True)
class Claim:
    """What a paper says, and what the simulation says of it. None of the texts is empty."""

    where: str  # in the paper, such as "figure 3"
    claim: str
    found: str
    verdict: str  # one of VERDICTS
    why: str

    def __post_init__(self):
        assert self.verdict in VERDICTS, self.verdict
        assert all((self.where, self.claim, self.found, self.why)), self


@dataclass
class Figure:
    title: str
    setting: str  # a sentence: machine, platform, sizes, engine
    claims: list
    header: list = field(default_factory=list)
    rows: list = field(default_factory=list)
    draw: object = None  # draws it on axes of matplotlib, or None for no picture
    name: str = ""  # of the picture's file
    advice: str = ""  # sentences that follow the table


def times(seconds):
    """Microseconds to three digits, or all of those before the point."""
    if seconds is None:
        return "–"
    return costs.digits(seconds * 1e6)


def ratio(value):
    return f"{value:.2f}"


def pick(condition, agrees="agrees", otherwise="differs"):
    return agrees if condition else otherwise
