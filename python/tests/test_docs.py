# SPDX-License-Identifier: MIT
"""The examples of pages and docstrings do what they say."""

import doctest
import importlib
from pathlib import Path

import carpool
import numpy as np
import pytest
from mpi4py import MPI

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(("page", "least"), [("python.md", 20), ("tutorial/halo.md", 8)])
def test_examples_do_what_they_say(page, least):
    failed, tried = doctest.testfile(str(DOCS / page), module_relative=False,
                                     optionflags=doctest.ELLIPSIS)
    assert tried > least and failed == 0


@pytest.mark.parametrize("module", ["_neighbor_calls", "collectives", "ghosts", "halos",
                                    "neighborhoods", "plans", "requests", "sparse", "stencils", "streams"])
def test_examples_of_docstrings_do_what_they_say(module, comm):
    names = {"MPI": MPI, "carpool": carpool, "comm": comm, "np": np}
    failed, tried = doctest.testmod(importlib.import_module(f"carpool.{module}"), extraglobs=names)
    assert tried > 0 and failed == 0
