# SPDX-License-Identifier: MIT
"""All ranks run all tests. One that fails on a rank ends them all, as others may wait for it."""

import sys

import numpy as np
import pytest
from mpi4py import MPI


def pytest_collection_modifyitems(items):
    """What needs no other rank is tested where there is none."""
    for item in items:
        if MPI.COMM_WORLD.size > 1 and item.get_closest_marker("alone"):
            item.add_marker(pytest.mark.skip(reason="runs on one rank"))


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    config.addinivalue_line("markers", "alone: needs one rank")
    if MPI.COMM_WORLD.rank:  # what rank 0 says is enough
        config.pluginmanager.unregister(name="terminalreporter")


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report):
    if report.failed:
        print(f"rank {MPI.COMM_WORLD.rank}: {report.nodeid}\n{report.longreprtext}",
              file=sys.stderr, flush=True)
        MPI.COMM_WORLD.Abort(1)


@pytest.fixture
def comm():
    return MPI.COMM_WORLD


@pytest.fixture
def everyone():
    """Random numbers that are the same on all ranks."""
    return np.random.default_rng(7)


@pytest.fixture
def own(comm):
    """Random numbers of this rank's own."""
    return np.random.default_rng(1000 + comm.rank)
