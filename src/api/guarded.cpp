#include "api/guarded.hpp"

#include "choose/tuning_text.hpp"
#include "mpi/library.hpp"
#include "mpi/lives.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace carpool::api {

namespace {

/// Aborts if another MPI runs: no error handler can be called, because comm is a handle of that
/// MPI.
void require_same_mpi(const char* function) {
    if (!mpi::is_another_mpi()) return;
    std::fprintf(
        stderr,
        "%s: libcarpool was built with %s, and the MPI that runs is %s, expected the same\n",
        function, mpi::compiled_with(), choose::name_of_mpi(mpi::library_version()).c_str());
    std::abort();
}

}  // namespace

void find_mpi(const char* function) {
    int started = 0;
    int ended = 0;
    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    if (started != 0 && ended == 0) return require_same_mpi(function);
    std::fprintf(stderr, "%s: called %s, expected between MPI_Init and MPI_Finalize\n", function,
                 started == 0 ? "before MPI_Init" : "after MPI_Finalize");
    std::abort();
}

int report(const char* function, MPI_Comm comm, int error_class, const char* text) {
    const int code = mpi::error_code(error_class, std::string(function) + ": " + text);
    const bool heard = mpi::lives(comm) && MPI_Comm_call_errhandler(comm, code) == MPI_SUCCESS;
    if (!heard) MPI_Comm_call_errhandler(MPI_COMM_SELF, code);
    return code;
}

void check_not_null(const char* name, const void* pointer, const char* expected) {
    if (pointer == nullptr)
        throw mpi::Error(MPI_ERR_ARG,
                         std::string(name) + " is a null pointer, expected " + expected);
}

void check_comm(MPI_Comm comm, const char* name) {
    if (comm == MPI_COMM_NULL)
        throw mpi::Error(MPI_ERR_COMM,
                         std::string(name) + " is MPI_COMM_NULL, expected an intracommunicator");
    int inter = 0;
    if (!mpi::lives(comm) || MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS)
        throw mpi::Error(MPI_ERR_COMM, std::string(name) +
                                           " is no communicator, or has been freed, expected an "
                                           "intracommunicator");
    if (inter != 0)
        throw mpi::Error(MPI_ERR_COMM, std::string(name) +
                                           " is an intercommunicator, expected an "
                                           "intracommunicator");
}

}  // namespace carpool::api
