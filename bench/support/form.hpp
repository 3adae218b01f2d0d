// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "handle.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace bench {

/// One way to do a collective, ready to be started any number of times.
struct Form {
    std::string name;
    double init_seconds = 0;
    std::function<void()> start = {};  // a blocking form does everything here
    std::function<bool()> test = {};   // empty if the form makes no progress after its start
    std::function<void()> wait = [] {};
    std::optional<Carpool_Plan> plan = std::nullopt;
};

inline void finish_by(Form& form, const std::shared_ptr<MPI_Request>& request) {
    form.test = [request] {
        int done = 0;
        check(MPI_Test(request.get(), &done, MPI_STATUS_IGNORE));
        return done != 0;
    };
    form.wait = [request] { check(MPI_Wait(request.get(), MPI_STATUS_IGNORE)); };
}

/// Makes the form start and finish a request of Carpool.
inline void start_and_finish_by(Form& form, Carpool_Request made) {
    const auto held = std::make_shared<CarpoolRequest>(made);
    form.start = [held] { check(Carpool_Start(held->address())); };
    form.test = [held] {
        int done = 0;
        check(Carpool_Test(held->address(), &done, MPI_STATUS_IGNORE));
        return done != 0;
    };
    form.wait = [held] { check(Carpool_Wait(held->address(), MPI_STATUS_IGNORE)); };
    check(Carpool_Request_get_plan(made, &form.plan.emplace()));
}

}  // namespace bench
