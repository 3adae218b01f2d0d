#pragma once

#include "call/collective_buffers.hpp"
#include "call/size_word.hpp"
#include "engine/preparation.hpp"
#include "mpi/comm_state.hpp"

#include <memory>

namespace carpool::call {

/// A call planned and bound, with the memory that it needs.
struct BoundCall : engine::Prepared {
    ~BoundCall() { communication.reset(); }  // before its memory

    std::shared_ptr<mpi::CommState> state;
    std::shared_ptr<void> read;  ///< the arguments as its family has read them: also memory
    CollectiveMemory memory;
    std::unique_ptr<SizeWord> word;  ///< where messages carry one
};

}  // namespace carpool::call
