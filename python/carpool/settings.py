# SPDX-License-Identifier: MIT
"""Settings of a plan, as keywords. carpool.h describes them as info keys carpool_<name>."""

from contextlib import contextmanager
from difflib import get_close_matches
from typing import TypedDict

from mpi4py import MPI


class Settings(TypedDict, total=False):
    """The keywords that an _init and a constructor take; carpool.h describes the info keys
    carpool_<name>."""
    algorithm: str
    alpha: float
    beta: float
    check: str
    choice: str
    digits: int | str
    ports: int
    rearrange: str
    requests: str
    segment: int
    sigma: float
    theta: int
    transfer: str
    transport: str


def _text(value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@contextmanager
def info_of(settings: Settings):
    """An MPI.Info with these settings; MPI_INFO_NULL if there are none."""
    unknown = sorted(settings.keys() - Settings.__annotations__.keys())
    if unknown:
        near = get_close_matches(unknown[0], Settings.__annotations__, 1)
        advice = f"do you mean '{near[0]}'?" if near else ("settings are "
                                                           f"{', '.join(Settings.__annotations__)}")
        raise TypeError(f"'{unknown[0]}' is neither an argument nor a setting; {advice}")
    if not settings:
        yield MPI.INFO_NULL
        return
    info = MPI.Info.Create()
    try:
        for name, value in settings.items():
            info.Set(f"carpool_{name}", _text(value))
        yield info
    finally:
        info.Free()
