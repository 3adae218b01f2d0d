#pragma once

#include "engine/preparation.hpp"
#include "mpi/comm_state.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::group {

/// Tells all ranks a number of each: an allgather of our own, since calls in the background have no
/// common order in which they could use one of MPI's.
class Learning {
public:
    /// @param tag  used only until it has ended
    Learning(const mpi::CommState& state, int tag, std::int64_t own);
    Learning(const Learning&) = delete;  // its numbers are buffers
    Learning& operator=(const Learning&) = delete;

    bool test() { return prepared_->exchange->advance(); }

    /// By rank. @pre ended
    std::vector<std::int64_t> sizes() const { return numbers_; }

private:
    std::int64_t own_;
    std::vector<std::int64_t> numbers_;
    std::shared_ptr<engine::Prepared> prepared_;
};

}  // namespace carpool::group
