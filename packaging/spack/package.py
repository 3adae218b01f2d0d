# SPDX-License-Identifier: MIT
# For Spack 1.0 or later. To build it: spack repo create carpool-repo carpool, copy this file to
# carpool-repo/spack_repo/carpool/packages/carpool/package.py, and give it the address that is missing below. README.md
# beside this folder says how that was tried.
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Carpool(CMakePackage):
    """Fast neighborhood, sparse and short collectives on MPI, by combined messages."""

    # A line git = "…", with the address of the repository from which Spack is to take the sources, belongs here.

    license("MIT")

    version("main", branch="main")
    version("1.0.0", tag="v1.0.0")

    variant("shared", default=True, description="Build a shared library")
    variant("fortran", default=True, description="Build the Fortran module")
    variant("command", default=True, description="Build the command carpool, which explains plans")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("mpi@3.1:")
    depends_on("boost@1.75: +json", type="build", when="+command")
    depends_on("python@3.11:", type=("build", "run"), when="+command")
    depends_on("py-click", type="run", when="+command")
    depends_on("py-rich", type="run", when="+command")
    depends_on("py-matplotlib", type="run", when="+command")
    depends_on("py-scipy", type="run", when="+command")

    conflicts("%gcc@:11", msg="Carpool needs C++20")

    def cmake_args(self):
        return [
            self.define("CARPOOL_MPI", "system"),
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("CARPOOL_BUILD_CLI", "command"),
            self.define_from_variant("CARPOOL_BUILD_FORTRAN", "fortran"),
            self.define("CARPOOL_REQUIRE_BOOST", self.spec.satisfies("+command")),
            self.define("CARPOOL_BUILD_TESTS", False),
            self.define("CARPOOL_BUILD_DEMO", False),
            self.define("CARPOOL_BUILD_BENCH", False),
            self.define("CARPOOL_BUILD_EXAMPLES", False),
        ]
