# SPDX-License-Identifier: MIT
"""Costs that explain what was timed."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from carpool_cli.costs import COST_NAMES


@dataclass(frozen=True)
class Fit:
    """A level's costs, and the equations to which they are fitted."""

    work: str
    level: str
    costs: dict
    equations: list

    def ratios(self):
        """Fitted over measured times, ascending."""
        return sorted(fitted(self.costs, one) / one["seconds"] for one in self.equations)


def fitted(costs, equation):
    """What the model says of an exchange."""
    return (equation["messages"] * costs["alpha"] + equation["bytes"] * costs["beta"]
            + equation["phases"] * costs["sigma"])


def fit(work, level, equations):
    """The costs of least relative error; none is negative."""
    rows = np.array([[one["messages"], one["bytes"], one["phases"]] for one in equations], float)
    seconds = np.array([one["seconds"] for one in equations])
    rows /= seconds[:, np.newaxis]
    scale = rows.max(axis=0)  # a byte costs a thousandth of a message
    scale[scale == 0] = 1
    found, _ = nnls(rows / scale, np.ones(len(equations)))
    return Fit(work, level, dict(zip(COST_NAMES, (float(x) for x in found / scale), strict=True)),
               equations)


def by_level(equations):
    """One of each level of each kind of work."""
    groups = {}
    for one in equations:
        groups.setdefault((one["work"], one["level"]), []).append(one)
    return [fit(work, level, members) for (work, level), members in groups.items()]
