#include "interpose/host_calls.hpp"

#include "mpi/library.hpp"
#include "report/profile.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>

namespace carpool::interpose {
bool reports_host_calls() {
    static const bool does = std::getenv("CARPOOL_REPORT") != nullptr;
    return does;
}

void add_host_call(std::string_view operation, std::string_view why) {
    if (!mpi::initialized_and_not_finalized()) return;
    if (auto* const profile = report::Profile::wanted())
        profile->leave_to_host(std::string(operation), std::string(why));
}

bool was_made(int code) {
    if (code == MPI_SUCCESS) return true;
    constexpr int refusals[] = {MPI_ERR_BUFFER,   MPI_ERR_COUNT, MPI_ERR_TYPE,
                                MPI_ERR_COMM,     MPI_ERR_ROOT,  MPI_ERR_OP,
                                MPI_ERR_TOPOLOGY, MPI_ERR_ARG,   MPI_ERR_REQUEST};
    int error_class = MPI_ERR_OTHER;
    MPI_Error_class(code, &error_class);
    return std::ranges::find(refusals, error_class) == std::end(refusals);
}

}  // namespace carpool::interpose
