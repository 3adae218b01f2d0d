// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "handle.hpp"
#include "race.hpp"

#include <mpi.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace bench {

/// The host MPI's blocking, nonblocking and persistent form of one exchange, made from its
/// functions and the arguments that they all take before the communicator.
template <class Call, class Start, class Init, class Arguments>
std::vector<Racer> host_forms(const std::string& name, Call call, Start start, Init init,
                              Arguments arguments, MPI_Comm comm) {
    const auto with = [arguments, comm](auto function, auto... rest) {
        check(std::apply(function, std::tuple_cat(arguments, std::tuple{comm, rest...})));
    };
    MPI_Request made = MPI_REQUEST_NULL;
    with(init, MPI_INFO_NULL, &made);
    const auto held = std::make_shared<HostRequest>(made);
    return {{name + " blocking", [=] { with(call); }},
            {name + " nonblocking",
             [=] {
                 MPI_Request request = MPI_REQUEST_NULL;
                 with(start, &request);
                 check(MPI_Wait(&request, MPI_STATUS_IGNORE));
             }},
            {name + " persistent", [held] {
                 check(MPI_Start(held->address()));
                 check(MPI_Wait(held->address(), MPI_STATUS_IGNORE));
             }}};
}

}  // namespace bench
