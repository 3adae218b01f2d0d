// SPDX-License-Identifier: MIT
#pragma once

#include "call/bound_call.hpp"
#include "engine/bind.hpp"
#include "mpi/types/shape.hpp"
#include "schedule/schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::call {

/// Fills a bound call with other arguments of its form.
///
/// What a rank does in a call follows from its form and its candidate. Calls without a vote send
/// empty blocks, too, so the lengths of blocks change nothing in the schedule but the lengths of
/// forwarded blocks. Only calls along lists leave out empty blocks; their family fills a call only
/// if the same blocks are empty.
class CallFiller {
public:
    using Blocks = std::vector<mpi::Block>;

    /// True if the call is bound to just these blocks.
    bool is_bound_to(const Blocks& send, const Blocks& recv) const {
        return is_bound_ && buffers_.send == send && buffers_.recv == recv;
    }

protected:
    /// @param buffers  to which the call is bound at first
    /// @param longest  the longest block that travels in its messages, if they have length headers
    CallFiller(engine::Buffers buffers, std::optional<std::int64_t> longest)
        : buffers_(std::move(buffers)), longest_(longest) {}
    ~CallFiller() = default;

    /// Takes the schedule that is to be filled; returns whether blocks of other lengths can fill
    /// it. fill() returns false unless this has returned true.
    /// @param one_size  all blocks are equally long
    bool take_schedule(const schedule::Schedule& schedule, bool one_size) {
        temp_blocks_ = schedule.temp_blocks;
        temp_bytes_.resize(static_cast<std::size_t>(schedule.temp_slots));
        const bool knows_temps = longest_ || one_size || temp_blocks_.size() == temp_bytes_.size();
        may_fill_ = knows_temps && !schedule::has_rendezvous_messages(schedule);
        return may_fill_;
    }

    /// Fills the call; returns false if the arguments need other messages.
    /// @param take  puts the arguments into buffers_, and the sizes of the blocks that rest in
    ///              temporary slots into temp_bytes_
    template <typename Take>
    bool fill(BoundCall& bound, const Blocks& send, const Blocks& recv, const Take& take) {
        if (!may_fill_ || (longest_ && !all_are_short(send, recv))) return false;
        if (!bound.may_be_filled()) return false;
        is_bound_ = false;  // until all is filled
        bound.note_size(send, recv);
        take();
        bound.exchange->fill(bound.filled_with(buffers_), temp_bytes_);
        is_bound_ = true;
        return true;
    }

    /// Whether length headers state the sizes of blocks that are forwarded.
    bool has_length_headers() const { return longest_.has_value(); }

    engine::Buffers buffers_;
    std::vector<int> temp_blocks_;  // as in the schedule
    std::vector<std::int64_t> temp_bytes_;

private:
    bool all_are_short(const Blocks& send, const Blocks& recv) const {
        return mpi::none_longer(send, *longest_) && mpi::none_longer(recv, *longest_);
    }

    std::optional<std::int64_t> longest_;
    bool may_fill_ = false;
    bool is_bound_ = true;  // buffers_ has what the exchange is bound to
};

}  // namespace carpool::call
