// SPDX-License-Identifier: MIT
#include "api/guarded.hpp"

#include "choose/tuning_text.hpp"
#include "mpi/comm/in_use.hpp"
#include "mpi/known_comms.hpp"
#include "mpi/library.hpp"

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

bool has_ended() {
    int ended = 0;
    MPI_Finalized(&ended);
    return ended != 0 || mpi::Use::has_exited();
}

[[noreturn]] void abort_without_mpi(const char* function) {
    std::fprintf(stderr, "%s: called %s, expected between MPI_Init and MPI_Finalize\n", function,
                 has_ended() ? "after MPI_Finalize" : "before MPI_Init");
    std::abort();
}

}  // namespace

void find_mpi(const char* function, MPI_Comm comm) {
    require_same_mpi(function);
    const bool may_be_in_session = comm == MPI_COMM_NULL && !has_ended();
    if (!mpi::in_use(comm) && !may_be_in_session) abort_without_mpi(function);
}

int report(const char* function, MPI_Comm comm, int error_class, const char* text) {
    if (!mpi::in_use(comm)) {
        std::fprintf(stderr, "%s: %s\n", function, text);
        abort_without_mpi(function);
    }
    const int code = mpi::error_code(error_class, std::string(function) + ": " + text);
    const bool heard =
        mpi::KnownComms::live(comm) && MPI_Comm_call_errhandler(comm, code) == MPI_SUCCESS;
    if (!heard) MPI_Comm_call_errhandler(mpi::Use::own_comm(), code);
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
    if (mpi::is_missing(comm))
        throw mpi::Error(MPI_ERR_COMM, std::string(name) +
                                           " is MPI_COMM_WORLD or MPI_COMM_SELF outside MPI_Init "
                                           "and MPI_Finalize, expected an intracommunicator");
    int inter = 0;
    if (!mpi::KnownComms::live(comm) || MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS)
        throw mpi::Error(MPI_ERR_COMM, std::string(name) +
                                           " is no communicator, or has been freed, expected an "
                                           "intracommunicator");
    if (inter != 0)
        throw mpi::Error(MPI_ERR_COMM, std::string(name) +
                                           " is an intercommunicator, expected an "
                                           "intracommunicator");
}

}  // namespace carpool::api
