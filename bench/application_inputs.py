# SPDX-License-Identifier: MIT
"""What the programs of others are given to do: small, so that a run takes seconds."""

import hashlib
import importlib.util
from pathlib import Path


def has_module(name):
    return importlib.util.find_spec(name) is not None


def digest_of(folder):
    """Of all files that a program has written, by name."""
    whole = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.name not in ("input", "carpool.json")):
        whole.update(path.name.encode() + path.read_bytes())
    return whole.hexdigest()[:16]


def grid_graph(width, height):
    """A grid as Scotch reads graphs: version, vertices and arcs, what is numbered from 0, a line per vertex."""
    around = ((-1, 0), (1, 0), (0, -1), (0, 1))
    rows = [[(y + dy) * width + x + dx for dx, dy in around if 0 <= x + dx < width and 0 <= y + dy < height]
            for y in range(height) for x in range(width)]
    arcs = sum(map(len, rows))
    text = "\n".join(f"{len(row)} " + " ".join(map(str, row)) for row in rows)
    return f"0\n{width * height} {arcs}\n0 000\n{text}\n"


GRID = grid_graph(200, 200)

MELT = """\
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 8 0 8 0 8
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
thermo 100
run 1000
"""

MPGRAFIC = """\
4
0.3,0.7,70
0.05
1
-0.92
0.01,100.0
-50
1
0




1
1234
white-outfile.dat
0
noisefile_dummy.dat
"""

HPCC = """\
HPLinpack benchmark input file
Innovative Computing Laboratory
HPL.out
8            device out
1            problem sizes
400          Ns
1            NBs
40           NB
0            PMAP
1            grids
2            Ps
2            Qs
16.0         threshold
1            panel factorizations
2
1            recursive stopping criteria
4
1            panels in recursion
2
1            recursive panel factorizations
1
1            broadcasts
1
1            lookahead depths
1
2            SWAP
64           swapping threshold
0            L1 transposed
0            U transposed
1            equilibration
8            alignment
##### ignored
0            more sizes for PTRANS
1200
0            more block sizes for PTRANS
40
"""

LU = """\
ScaLAPACK LU factorization input file
MPI Machine
'LU.out'            output file, if 'device out' is 8
6                   device out
1                   problem sizes
1200                values of M
1200                values of N
1                   block sizes
32                  values of NB
1                   numbers of right-hand sides
2                   values of NRHS
1                   their block sizes
8                   values of NBRHS
1                   grids
2                   values of P
2                   values of Q
3.0                 threshold
T                   test condition estimation and refinement
"""

SILICON = """\
&control calculation = 'scf', prefix = 'si', pseudo_dir = '.', outdir = '.' /
&system ibrav = 2, celldm(1) = 10.2, nat = 2, ntyp = 1, ecutwfc = 40 /
&electrons conv_thr = 1e-8 /
ATOMIC_SPECIES
Si 28.086 Si.pz-vbc.UPF
ATOMIC_POSITIONS alat
Si 0 0 0
Si 0.25 0.25 0.25
K_POINTS automatic
3 3 3 1 1 1
"""

SILICON_ATOM = Path("/usr/share/doc/quantum-espresso/examples/atomic/pseudo-LDA-0.5/Si.pz-vbc.UPF.gz")

WATER = """\
start water
geometry
 O 0.0 0.0 0.0
 H 0.0 1.43 1.10
 H 0.0 -1.43 1.10
end
basis
 * library 6-31g*
end
task scf energy
"""

FFT = """\
import sys
import time
import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray

fft = PFFT(MPI.COMM_WORLD, [int(sys.argv[1])] * 3, dtype=complex)
before = newDistArray(fft, False)
before[:] = np.random.default_rng(MPI.COMM_WORLD.rank).random(before.shape)
after = np.empty_like(before)
for turn in range(120):
    if turn == 20:
        MPI.COMM_WORLD.Barrier()
        began = time.perf_counter()
    spectrum = fft.forward(before)
    after = fft.backward(spectrum, after)
seconds = MPI.COMM_WORLD.allreduce(time.perf_counter() - began, MPI.MAX)
energy = MPI.COMM_WORLD.gather(float(np.abs(spectrum).sum()))
error = MPI.COMM_WORLD.allreduce(float(abs(after - before).max()), MPI.MAX)
if MPI.COMM_WORLD.rank == 0:
    print("seconds", seconds / 100)
    print("error", error, "sum", sum(energy))
"""

JACOBI = """\
import sys
import time
import numpy as np
from mpi4py import MPI

n = int(sys.argv[1])
grid = MPI.COMM_WORLD.Create_cart(MPI.Compute_dims(MPI.COMM_WORLD.size, 3), periods=[True] * 3)
cells = np.random.default_rng(grid.rank).random((n + 2,) * 3)
inner = (slice(1, -1),) * 3


def layers(places):
    return [MPI.DOUBLE.Create_subarray(cells.shape, [1 if d == axis else n for d in range(3)],
                                       [at if d == axis else 1 for d in range(3)]).Commit()
            for axis in range(3) for at in places]


sent, received = layers((1, n)), layers((0, n + 1))
ones, zeros = [1] * 6, [0] * 6


def step():
    grid.Neighbor_alltoallw([cells, ones, zeros, sent], [cells, ones, zeros, received])
    around = (cells[:-2, 1:-1, 1:-1] + cells[2:, 1:-1, 1:-1] + cells[1:-1, :-2, 1:-1] + cells[1:-1, 2:, 1:-1]
              + cells[1:-1, 1:-1, :-2] + cells[1:-1, 1:-1, 2:])
    cells[inner] = 0.5 * cells[inner] + around / 12


for turn in range(600):
    if turn == 100:
        grid.Barrier()
        began = time.perf_counter()
    step()
seconds = grid.allreduce(time.perf_counter() - began, MPI.MAX)
norms = grid.gather(float((cells[inner] ** 2).sum()))
if grid.rank == 0:
    print("seconds", seconds / 500)
    print("norm", sum(norms))
"""
