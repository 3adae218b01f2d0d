#include "api/guarded.hpp"

#include <string>

namespace carpool::api {

bool mpi_is_running() {
    int started = 0;
    int ended = 0;
    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    return started != 0 && ended == 0;
}

int report(MPI_Comm comm, int error_class, const char* text) {
    const int code = mpi::error_code(error_class, std::string("Carpool: ") + text);
    MPI_Comm_call_errhandler(comm == MPI_COMM_NULL ? MPI_COMM_SELF : comm, code);
    return code;
}

void check_comm(MPI_Comm comm, const char* name) {
    if (comm == MPI_COMM_NULL)
        throw mpi::Error(MPI_ERR_COMM,
                         std::string(name) + " is MPI_COMM_NULL, expected an intracommunicator");
    int inter = 0;
    mpi::check(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
    if (inter != 0)
        throw mpi::Error(MPI_ERR_COMM, std::string(name) +
                                           " is an intercommunicator, expected an "
                                           "intracommunicator");
}

}  // namespace carpool::api
