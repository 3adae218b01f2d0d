// SPDX-License-Identifier: MIT
#pragma once

#include "collective.hpp"
#include "form.hpp"

#include <memory>
#include <string>

namespace bench {

/// A blocking form of the host MPI or of Carpool.
inline Form blocking(const char* name, int (*call)(GroupBlocks&, MPI_Comm), GroupBlocks& b,
                     MPI_Comm comm) {
    Form form{.name = name};
    form.start = [call, &b, comm] { check(call(b, comm)); };
    return form;
}

inline Form nonblocking(const char* name, int (*call)(GroupBlocks&, MPI_Comm, MPI_Request*),
                        GroupBlocks& b, MPI_Comm comm) {
    Form form{.name = name};
    const auto request = std::make_shared<MPI_Request>(MPI_REQUEST_NULL);
    form.start = [call, &b, comm, request] { check(call(b, comm, request.get())); };
    finish_by(form, request);
    return form;
}

inline Form host_blocking(const Collective& c, GroupBlocks& b, MPI_Comm comm) {
    return blocking("host blocking", c.host, b, comm);
}

inline Form host_nonblocking(const Collective& c, GroupBlocks& b, MPI_Comm comm) {
    return nonblocking("host nonblocking", c.host_nonblocking, b, comm);
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
    return blocking("Carpool blocking", c.carpool, b, comm);
}

inline Form carpool_nonblocking(const Collective& c, GroupBlocks& b, MPI_Comm comm) {
    return nonblocking("Carpool nonblocking", c.carpool_nonblocking, b, comm);
}

/// A persistent form by the named algorithm of Carpool, or by "auto".
inline Form by_carpool(const Collective& c, GroupBlocks& b, MPI_Comm comm, MPI_Info info,
                       const std::string& algorithm) {
    Form form{.name = algorithm == "auto" ? "Carpool" : "Carpool " + algorithm};
    Carpool_Request made = CARPOOL_REQUEST_NULL;
    const double began = MPI_Wtime();
    check(c.carpool_init(b, comm, info, &made));
    form.init_seconds = MPI_Wtime() - began;
    start_and_finish_by(form, made);
    return form;
}

}  // namespace bench
