#pragma once

#include "call/collective_buffers.hpp"
#include "engine/preparation.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::call {

/// The arguments of a call as a family has read them; what it is, the family knows.
struct ReadCall {
    virtual ~ReadCall() = default;
};

/// A call planned and bound, with the memory that it needs.
struct BoundCall : engine::Prepared {
    ~BoundCall() { communication.reset(); }  // before its memory

    std::shared_ptr<ReadCall> call;
    std::vector<std::int64_t> agreed;  ///< on what: the plan of another call is the same if this is
    std::int64_t number = -1;          ///< of the call that was planned first
    CollectiveMemory memory;
};

}  // namespace carpool::call
