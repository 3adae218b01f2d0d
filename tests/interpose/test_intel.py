# SPDX-License-Identifier: MIT
"""Programs that were built with MPICH, on Intel MPI, which has the same handles, with and without
libcarpool_mpi.so. `make test-other-mpis` brings Intel MPI."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INTEL = ROOT / ".venv-intel"
BUILD = Path(os.environ["CARPOOL_BUILD"])
SETTINGS = {"LD_LIBRARY_PATH": str(INTEL / "lib"), "FI_PROVIDER_PATH": str(INTEL / "lib"),
            "FI_PROVIDER": "shm", "I_MPI_FABRICS": "shm"}


def run(ranks, program, *arguments, **settings):
    """Its own persistent collectives hang or abort now and then, so no program here starts any."""
    return subprocess.run(
        [INTEL / "bin" / "mpiexec", "-n", str(ranks),
         BUILD / "tests" / "interpose" / f"interposed_{program}", *arguments],
        capture_output=True, text=True, check=False, timeout=200,
        env={**os.environ, **SETTINGS, "LD_PRELOAD": str(BUILD / "preload" / "libcarpool_mpi.so"),
             **settings})


@pytest.mark.parametrize("ranks", [2, 3, 4, 5])
@pytest.mark.parametrize("after", ["0", "2"])
def test_random_calls_give_the_hosts_bytes(ranks, after):
    done = run(ranks, "random_calls", "1000", str(ranks), "once", CARPOOL_CALLS="all", CARPOOL_AFTER=after)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("ranks", [2, 3])
def test_mistakes_have_the_hosts_classes(ranks):
    done = run(ranks, "mistakes", CARPOOL_CALLS="all", CARPOOL_AFTER="2")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_report_says_what_is_taken():
    done = run(3, "random_calls", "1000", "1", "once", CARPOOL_REPORT="summary", CARPOOL_AFTER="2")
    assert "neighbor_alltoallv on" in done.stderr, done.stderr
    assert "nonblocking, and this MPI does not let libraries progress" in done.stderr
