// SPDX-License-Identifier: MIT
// The error of a library that runs with another MPI than the one it was built with. This program
// reports another MPI's version, in a text as long as MPICH's.

#include <carpool/carpool.h>

#include <cstring>
#include <string>

extern "C" int MPI_Get_library_version(char* version, int* length) {
#ifdef OPEN_MPI
    const std::string name = "MPICH Version: 1.2.3\n";
#else
    const std::string name = "Open MPI v1.2.3, package: none";
#endif
    const auto text = name + std::string(8191 - name.size(), ' ');
    std::strcpy(version, text.c_str());
    *length = static_cast<int>(text.size());
    return MPI_SUCCESS;
}

int main(int argc, char* argv[]) {
    MPI_Init(&argc, &argv);
    Carpool_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
