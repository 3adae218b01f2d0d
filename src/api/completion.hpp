#pragma once

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "mpi/status.hpp"

#include <string>

namespace carpool::api {

/// What all calls that complete requests have in common.

/// Which requests give whether they complete, are null or inactive.
using mpi::set_empty;

/// The communicator whose handler hears of mistakes with a request.
inline MPI_Comm comm_of(const MadeRequest* request) {
    return request == nullptr ? MPI_COMM_SELF : request->engine_request->comm();
}

/// Throws MPI_ERR_REQUEST: there is no such request. @param name  of the argument
[[noreturn]] void refuse(Carpool_Request request, const std::string& name);

[[noreturn]] void refuse_lent();

/// Throws MPI_ERR_REQUEST if MPI has it.
inline void check_own(const MadeRequest& request) {
    if (request.engine_request->lent()) [[unlikely]]
        refuse_lent();
}

/// True if the exchange has ended. A null request counts as one that has ended.
inline bool test(MadeRequest* request) {
    if (request == nullptr) return true;
    check_own(*request);
    return request->engine_request->test();
}

inline void wait(MadeRequest* request) {
    if (request == nullptr) return;
    check_own(*request);
    request->engine_request->wait();
}

/// Gives a step the request of a handle, null for CARPOOL_REQUEST_NULL; what goes wrong is about
/// the arguments of what made it. A handle that stands for none is an error of this function.
/// @param name  gives the argument's, which is put together only where it is wrong
template <typename Name, typename Step>
int guarded_end(const char* function, Carpool_Request handle, Name name, Step step) {
    require_mpi(function);
    MadeRequest* const request = find(handle);
    if (request == nullptr && handle != CARPOOL_REQUEST_NULL) [[unlikely]]
        return reported(function, MPI_COMM_SELF, [&] { refuse(handle, name()); });
    return reported_on(
        request == nullptr ? function : request->maker, [&] { return comm_of(request); },
        [&] { step(request); });
}

/// Throws if count is negative, or requests null where count is not 0.
void check_count(int count, const void* requests);

}  // namespace carpool::api
