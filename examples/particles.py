# SPDX-License-Identifier: MIT
"""Particles that move over a torus of ranks: mpiexec -n 4 python particles.py

Each rank has those in its part of the unit square. It knows to whom particles go, not from whom
others come: that is a sparse exchange.
"""

import numpy as np
from mpi4py import MPI

import carpool

PARTICLE = np.dtype([("id", "i8"), ("place", "f8", 2), ("speed", "f8", 2)])
N, STEPS = 500, 20


def owners(particles):
    """The square is cut into dims[0] x dims[1] parts."""
    row, column = ((particles["place"] * dims).astype(int) % dims).T
    return row * dims[1] + column


def wrapped(place):
    return place - np.floor(place)


def moved(particles):
    particles["place"] = wrapped(particles["place"] + particles["speed"])
    return particles


def created():
    """Places and speeds that look random, and are alike on all ranks."""
    particles = np.zeros(N, PARTICLE)
    particles["id"] = i = np.arange(N)
    particles["place"] = np.stack([wrapped(i * 0.618), wrapped(i * 0.414)], axis=1)
    particles["speed"] = np.stack([wrapped(i * 0.732), wrapped(i * 0.236)], axis=1) / 10 - 0.05
    return particles


def exchanged(particles):
    """The particles of this rank, after each has gone to its owner."""
    to = owners(particles)
    sorted_by_owner = particles[np.argsort(to, kind="stable")]
    destinations, counts = np.unique(to, return_counts=True)
    delivery = carpool.sparse_exchange(comm, destinations, sorted_by_owner, counts=counts,
                                       dtype=PARTICLE)
    return np.concatenate([arrived for _, arrived in delivery] or [particles[:0]])


def at_home(particles):
    """How many are where one rank alone would have moved them."""
    expected = everyone[particles["id"]]
    return np.count_nonzero((owners(particles) == comm.rank) & (particles == expected))


comm = MPI.COMM_WORLD
dims = MPI.Compute_dims(comm.size, 2)
everyone = created()
mine = everyone[owners(everyone) == comm.rank]
for _ in range(STEPS):
    mine = exchanged(moved(mine))
    everyone = moved(everyone)

count, home = comm.allreduce(np.array([len(mine), at_home(mine)]))
lost, away = N - count, count - home
if comm.rank == 0:
    print(f"{N} particles on {comm.size} ranks, {STEPS} steps: {lost} lost, {away} not at home",
          flush=True)
assert lost == 0 and away == 0
