"""All ranks run all tests. One that fails on a rank ends them all, as others may wait for it."""

import sys

import numpy as np
import pytest
from mpi4py import MPI


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
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
