#pragma once

#include "collective.hpp"
#include "handle.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace bench {

/// One way to do a collective, ready to be started any number of times.
struct Form {
    std::string name;
    double init_seconds = 0;
    std::function<void()> start = {};  // a blocking form does all of it here
    std::function<bool()> test = {};   // absent where nothing goes on after start
    std::function<void()> wait = [] {};
    std::optional<Carpool_Plan> plan = std::nullopt;
};

inline Form host_blocking(const Collective& c, GroupBlocks& b, MPI_Comm comm) {
    Form form{.name = "host blocking"};
    form.start = [&c, &b, comm] { check(c.host(b, comm)); };
    return form;
}

inline void finish_by(Form& form, const std::shared_ptr<MPI_Request>& request) {
    form.test = [request] {
        int done = 0;
        check(MPI_Test(request.get(), &done, MPI_STATUS_IGNORE));
        return done != 0;
    };
    form.wait = [request] { check(MPI_Wait(request.get(), MPI_STATUS_IGNORE)); };
}

inline Form host_nonblocking(const Collective& c, GroupBlocks& b, MPI_Comm comm) {
    Form form{.name = "host nonblocking"};
    const auto request = std::make_shared<MPI_Request>(MPI_REQUEST_NULL);
    form.start = [&c, &b, comm, request] { check(c.host_nonblocking(b, comm, request.get())); };
    finish_by(form, request);
    return form;
}

inline Form host_persistent(const Collective& c, GroupBlocks& b, MPI_Comm comm) {
    Form form{.name = "host persistent"};
    MPI_Request made = MPI_REQUEST_NULL;
    const double began = MPI_Wtime();
    check(c.host_init(b, comm, MPI_INFO_NULL, &made));
    form.init_seconds = MPI_Wtime() - began;
    const auto held = std::make_shared<HostRequest>(made);
    form.start = [held] { check(MPI_Start(held->address())); };
    finish_by(form, {held, held->address()});
    return form;
}

inline Form carpool_blocking(const Collective& c, GroupBlocks& b, MPI_Comm comm) {
    Form form{.name = "Carpool blocking"};
    form.start = [&c, &b, comm] { check(c.carpool(b, comm)); };
    return form;
}

inline Form carpool_nonblocking(const Collective& c, GroupBlocks& b, MPI_Comm comm) {
    Form form{.name = "Carpool nonblocking"};
    const auto request = std::make_shared<MPI_Request>(MPI_REQUEST_NULL);
    form.start = [&c, &b, comm, request] { check(c.carpool_nonblocking(b, comm, request.get())); };
    finish_by(form, request);
    return form;
}

/// Persistent, by one of Carpool's algorithms, or by "auto".
inline Form by_carpool(const Collective& c, GroupBlocks& b, MPI_Comm comm, MPI_Info info,
                       const std::string& algorithm) {
    Form form{.name = algorithm == "auto" ? "Carpool" : "Carpool " + algorithm};
    Carpool_Request made = CARPOOL_REQUEST_NULL;
    const double began = MPI_Wtime();
    check(c.carpool_init(b, comm, info, &made));
    form.init_seconds = MPI_Wtime() - began;
    const auto held = std::make_shared<CarpoolRequest>(made);
    form.start = [held] { check(Carpool_Start(held->address())); };
    form.test = [held] {
        int done = 0;
        check(Carpool_Test(held->address(), &done, MPI_STATUS_IGNORE));
        return done != 0;
    };
    form.wait = [held] { check(Carpool_Wait(held->address(), MPI_STATUS_IGNORE)); };
    check(Carpool_Request_get_plan(made, &form.plan.emplace()));
    return form;
}

}  // namespace bench
