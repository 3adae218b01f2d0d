#pragma once

#include "call/alike_calls.hpp"
#include "call/context.hpp"
#include "call/family.hpp"
#include "choose/cheapest.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace carpool::call {

/// The name of an algorithm with its messages' transport, to be seen and remembered by.
std::string name_with_transport(std::string algorithm, bool swapped_transport);

/// Which candidates a call may go by, as costs and earlier measurements say.
struct Selection {
    /// The one that is taken, or those of which a measurement takes one: first that of least cost.
    std::vector<choose::Chosen> contenders = {};

    bool at_host = false;        ///< by MPI's own collective, which stands for the first contender
    bool host_contends = false;  ///< MPI's own persistent collective is a contender, too
    double host_seconds = 0;     ///< as measured; 0 where it was not
    bool meets = false;          ///< all ranks meet in this call: what is taken is settled
    std::string problem = {};    ///< by which what is measured is remembered, if it is not empty
    std::shared_ptr<AlikeCalls> alike = {};  ///< of a call that ends once, where these are counted
    std::int64_t digest = 0;                 ///< of what all ranks know of these
    bool worth_measuring = true;             ///< as far as this rank knows
    bool is_long = false;                    ///< the same: too long for one
    bool host_call_fits = false;             ///< the same
    mpi::Claim operation = {};               ///< what is called
    std::optional<choose::Machine> machine = {};
    std::int64_t held = 0;  ///< as Choosable has it
    int size_class = 0;     ///< bits of the bytes of the first candidate, where a report is wanted
};

/// Local, and alike on all ranks. @param host_may  all ranks say that MPI's persistent collective
/// may stand for the request
Selection select(Family& family, const CallContext& context, bool host_may);

}  // namespace carpool::call
