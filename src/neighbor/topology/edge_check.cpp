// SPDX-License-Identifier: MIT
#include "neighbor/topology/edge_check.hpp"

#include "agree/supersteps.hpp"
#include "mpi/comm/agreement.hpp"
#include "mpi/error.hpp"

#include <optional>
#include <utility>

namespace carpool::neighbor {

engine::Steps<void> refuse_difference(EdgeEnds ends, const call::CallContext& context,
                                      int error_class, std::optional<int> superstep_tag) {
    const auto& ticket = context.ticket;
    auto program = difference(std::move(ends));
    const auto text =
        co_await agree::run(std::move(program), *ticket.state, ticket.tag, superstep_tag);
    std::optional<mpi::Error> mistake;
    if (text) mistake = mpi::Error(error_class, *text);
    mpi::Agreement agreement(ticket.comm, {}, mistake, {}, 0, context.vote());
    co_await engine::until(agreement);
    agreement.conclude();
    throw mpi::Error(error_class, "the ends of an edge differ");
}

}  // namespace carpool::neighbor
