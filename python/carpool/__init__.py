# SPDX-License-Identifier: MIT
"""Carpool: sparse communication on MPI that combines messages, for programs that use mpi4py.

    grid = carpool.Neighborhood(MPI.COMM_WORLD, offsets=carpool.moore(2))
    halo = carpool.Halo(grid, cells)
    halo.start().wait()
"""

from carpool import collectives
from carpool._library import version
from carpool.collectives import *  # noqa: F403
from carpool.ghosts import Ghosts, ghosts_of
from carpool.halos import Halo
from carpool.neighborhoods import Graph, Neighborhood, Topology
from carpool.plans import Plan, plan_of
from carpool.requests import (Call, Request, bundle_init, startall, testall, testany, testsome,
                              waitall, waitany, waitsome)
from carpool.sparse import Delivery, Exchange, isparse_exchange, sparse_exchange
from carpool.stencils import box, moore, positive_octant, shales, stencil, von_neumann
from carpool.streams import set_stream

__version__ = version()

__all__ = [
    *collectives.__all__, "Call", "Delivery", "Exchange", "Ghosts", "Graph", "Halo", "Neighborhood",
    "Plan", "Request", "Topology", "box", "bundle_init", "ghosts_of", "isparse_exchange", "moore",
    "plan_of", "positive_octant", "set_stream", "shales", "sparse_exchange", "startall", "stencil",
    "testall", "testany", "testsome", "von_neumann", "waitall", "waitany", "waitsome"]
