// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "floor.hpp"
#include "handle.hpp"
#include "message_loop.hpp"
#include "scene.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bench {

/// An exchange that is ready to run any number of times.
struct Exchange {
    std::function<void()> run;
    std::optional<Carpool_Plan> plan;  // set if the contender is one of Carpool's requests
    bool moves_blocks = true;          // false for a floor, which leaves the receive buffer alone
};

/// One way to do the exchange of a scene; `prepare` is collective.
struct Contender {
    std::string_view name;
    std::string_view summary;
    Exchange (*prepare)(Scene&);
};

inline Exchange host_blocking(Scene& s) {
    return {[&s] { check(s.what.operation->host(s.blocks, s.host.get())); }, {}};
}

inline Exchange host_nonblocking(Scene& s) {
    return {[&s] {
                MPI_Request request = MPI_REQUEST_NULL;
                check(s.what.operation->host_nonblocking(s.blocks, s.host.get(), &request));
                check(MPI_Wait(&request, MPI_STATUS_IGNORE));
            },
            {}};
}

inline Exchange host_persistent(Scene& s) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(s.what.operation->host_persistent(s.blocks, s.host.get(), MPI_INFO_NULL, &request));
    const auto held = std::make_shared<HostRequest>(request);
    return {[held] {
                check(MPI_Start(held->address()));
                check(MPI_Wait(held->address(), MPI_STATUS_IGNORE));
            },
            {}};
}

inline Exchange persistent(MessageLoop messages) {
    const auto loop = std::make_shared<MessageLoop>(std::move(messages));
    loop->make_persistent();
    return {[loop] { loop->run_persistent(); }, {}};
}

inline Exchange nonblocking(MessageLoop messages) {
    const auto loop = std::make_shared<MessageLoop>(std::move(messages));
    return {[loop] { loop->run_nonblocking(); }, {}};
}

inline Exchange in_turn(MessageLoop messages) {
    const auto loop = std::make_shared<MessageLoop>(std::move(messages));
    return {[loop] { loop->run_in_turn(); }, {}};
}

inline Exchange carpool_persistent(Scene& s, const std::string& algorithm) {
    const Info info = info_with({{"carpool_algorithm", algorithm}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(s.what.operation->carpool_persistent(s.blocks, s.checked.get(), info.get(), &request));
    const auto held = std::make_shared<CarpoolRequest>(request);
    Carpool_Plan plan;
    check(Carpool_Request_get_plan(request, &plan));
    return {[held] {
                check(Carpool_Start(held->address()));
                check(Carpool_Wait(held->address(), MPI_STATUS_IGNORE));
            },
            plan};
}

inline Exchange carpool_blocking(Scene& s, const Communicator& comm) {
    return {[&s, &comm] { check(s.what.operation->carpool(s.blocks, comm.get())); }, {}};
}

/// A lower bound of the cartesian rule: its messages, empty or with its bytes, all at once.
inline Exchange cartesian_floor(Scene& s, bool with_bytes) {
    const auto plan = *carpool_persistent(s, "cartesian").plan;
    auto exchange = persistent(floor_loop(s, plan.messages, with_bytes ? plan.bytes : 0));
    exchange.plan = plan;
    exchange.moves_blocks = false;
    return exchange;
}

/// Contenders with which the others are compared; the first is the papers' baseline.
inline constexpr std::array<std::string_view, 6> baselines{
    "host blocking", "host nonblocking",         "host persistent",
    "hand-written",  "hand-written nonblocking", "hand-written in turn"};

/// A new contender is one more entry.
inline const std::array contenders{
    Contender{"host blocking", "MPI_Neighbor_X", host_blocking},
    Contender{"host nonblocking", "MPI_Ineighbor_X + MPI_Wait", host_nonblocking},
    Contender{"host persistent", "MPI_Neighbor_X_init, MPI_Start + MPI_Wait", host_persistent},
    Contender{"hand-written", "MPI_Send_init/Recv_init per neighbor, Startall + Waitall",
              [](Scene& s) { return persistent(neighbor_loop(s)); }},
    Contender{"hand-written nonblocking", "MPI_Irecv/Isend per neighbor, Waitall",
              [](Scene& s) { return nonblocking(neighbor_loop(s)); }},
    Contender{"hand-written in turn", "MPI_Sendrecv per neighbor, as [1] listing 4",
              [](Scene& s) { return in_turn(neighbor_loop(s)); }},
    Contender{"carpool direct", "Carpool_Neighbor_X_init, direct",
              [](Scene& s) { return carpool_persistent(s, "direct"); }},
    Contender{"carpool torus", "Carpool_Neighbor_X_init, torus",
              [](Scene& s) { return carpool_persistent(s, "torus"); }},
    Contender{"carpool cartesian", "Carpool_Neighbor_X_init, cartesian",
              [](Scene& s) { return carpool_persistent(s, "cartesian"); }},
    Contender{"carpool basis", "Carpool_Neighbor_X_init, basis",
              [](Scene& s) { return carpool_persistent(s, "basis"); }},
    Contender{"carpool auto", "Carpool_Neighbor_X_init, auto",
              [](Scene& s) { return carpool_persistent(s, "auto"); }},
    Contender{"carpool blocking", "Carpool_Neighbor_X",
              [](Scene& s) { return carpool_blocking(s, s.plain); }},
    Contender{"carpool blocking, all checked", "Carpool_Neighbor_X with carpool_check=all",
              [](Scene& s) { return carpool_blocking(s, s.checked); }},
    Contender{"floor messages", "the messages of cartesian, empty",
              [](Scene& s) { return cartesian_floor(s, false); }},
    Contender{"floor bytes", "the messages of cartesian with its bytes, contiguous, all at once",
              [](Scene& s) { return cartesian_floor(s, true); }},
};

}  // namespace bench
