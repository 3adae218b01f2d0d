// SPDX-License-Identifier: MIT
#include "interpose/host_calls.hpp"

#include "interpose/function_name.hpp"
#include "interpose/reasons.hpp"
#include "interpose/settings.hpp"
#include "mpi/comm/in_use.hpp"
#include "mpi/use.hpp"
#include "report/profile.hpp"
#include "report/report.hpp"

#include <mpi.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace carpool::interpose {

void add_host_call(std::string_view operation, std::string_view why) {
    if (!mpi::Use::runs()) return;
    auto* const profile = report::Profile::wanted();
    if (profile == nullptr) return;
    const auto reason = reason_of(why);
    profile->leave_to_host({std::string(reason.text), std::string(operation)}, reason.remedy);
}

void add_host_init(MpiOperation operation, std::string_view why) {
    add_host_call(names_of_operations[index_of(operation)] + std::string("_init"), why);
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

#pragma GCC visibility push(default)
/// Called by the library that is loaded with the program (preload/) at the first call of a
/// function: whether it is a collective whose calls may go to MPI, past this library, since they
/// are MPI's anyway and no report counts them.
extern "C" int carpool_leaves_to_mpi(const char* function) {
    using namespace carpool;
    const auto named = interpose::function_named(function);
    return named && !report::report_is_asked && mpi::in_use(MPI_COMM_NULL) &&
           interpose::Settings::of_process().leaves(*named);
}
#pragma GCC visibility pop
