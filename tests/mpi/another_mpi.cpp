// What a library says that was built with another MPI than the one that runs: this program answers
// as if it were.

#include <carpool/carpool.h>

#include <cstring>

extern "C" int MPI_Get_library_version(char* version, int* length) {
#ifdef OPEN_MPI
    std::strcpy(version, "MPICH Version: 1.2.3\n");
#else
    std::strcpy(version, "Open MPI v1.2.3, package: none");
#endif
    *length = static_cast<int>(std::strlen(version));
    return MPI_SUCCESS;
}

int main(int argc, char* argv[]) {
    MPI_Init(&argc, &argv);
    Carpool_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
