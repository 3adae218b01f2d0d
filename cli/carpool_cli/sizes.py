# SPDX-License-Identifier: MIT
"""Sizes as users write them."""

import re
from fractions import Fraction

UNITS = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
NAMES = ", ".join(UNITS)
_FACTORS = {"": 1, **{name.lower(): factor for name, factor in UNITS.items()}}


def in_bytes(text):
    """64, 4KiB or 1.5 MB as whole bytes. Raises ValueError for what is none."""
    found = re.fullmatch(r"\s*(-?[0-9]+(?:\.[0-9]+)?)\s*([a-z]*)\s*", text, re.IGNORECASE)
    if not found or found[2].lower() not in _FACTORS:
        raise ValueError(text)
    size = Fraction(found[1]) * _FACTORS[found[2].lower()]
    if size.denominator != 1:
        raise ValueError(text)
    return size.numerator
