// SPDX-License-Identifier: MIT
#pragma once

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "arguments/known_keys.hpp"
#include "engine/host_progress.hpp"

#include <mpi.h>

namespace carpool::api {

/// The names of two arguments of an init.
struct InitNames {
    const char* comm = "comm";
    const char* request = "request";
};

/// The checks that every init makes before it looks at what to plan.
inline void check_init(MPI_Comm comm, MPI_Info info, const Carpool_Request* request,
                       const InitNames& names = {}) {
    check_comm(comm, names.comm);
    check_address(request, names.request);
    engine::HostProgress::available();  // throws if its setting is wrong
    arguments::warn_of_unknown_keys(info, comm);
}

}  // namespace carpool::api
