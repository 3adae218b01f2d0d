"""Particles that move over a ring of ranks: mpiexec -n 4 python particles.py

Each rank has those in its part of [0, 1). It knows to whom particles go, not from whom others come:
that is a sparse exchange.
"""

import numpy as np
from mpi4py import MPI

import carpool

PARTICLE = np.dtype([("id", "i8"), ("place", "f8"), ("speed", "f8")])
N, STEPS = 500, 20


def owners(comm, particles):
    return np.minimum((particles["place"] * comm.size).astype(int), comm.size - 1)


def moved(particles):
    particles["place"] = (particles["place"] + particles["speed"]) % 1
    return particles


def exchanged(comm, particles):
    """The particles of this rank, after each has gone to its owner."""
    to = owners(comm, particles)
    sorted_by_owner = particles[np.argsort(to, kind="stable")]
    destinations, counts = np.unique(to, return_counts=True)
    delivery = carpool.sparse_exchange(comm, destinations, sorted_by_owner, counts=counts)
    return np.concatenate([arrived for _, arrived in delivery] or [particles[:0]])


comm = MPI.COMM_WORLD
everyone = np.zeros(N, PARTICLE)
random = np.random.default_rng(3)
everyone["id"], everyone["place"] = np.arange(N), random.random(N)
everyone["speed"] = random.normal(0, 0.05, N)
mine = everyone[owners(comm, everyone) == comm.rank]
for _ in range(STEPS):
    mine = exchanged(comm, moved(mine))
    everyone = moved(everyone)  # what one rank alone would do

expected = everyone[owners(comm, everyone) == comm.rank]
assert (np.sort(mine, order="id") == expected).all()
print(f"rank {comm.rank}: {len(mine)} particles where they belong", flush=True)
