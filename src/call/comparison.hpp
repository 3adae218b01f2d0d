#pragma once

#include "call/small_collective.hpp"
#include "choose/standings.hpp"
#include "engine/communication.hpp"
#include "mpi/comm_state.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

namespace carpool::call {

/// Of a few numbers, at each place, the most that any rank has: by which ranks compare how a trial
/// stands.
class Comparison final : public engine::Communication {
public:
    /// Those of the standings, and a few more: a letter through memory has room for them.
    static constexpr std::size_t first_other = std::tuple_size_v<choose::Standings::Numbers>;
    using Numbers = std::array<double, first_other + 4>;

    /// @pre the state is ready
    explicit Comparison(const mpi::CommState& state);

    void put(const choose::Standings::Numbers& times) { std::ranges::copy(times, own.begin()); }

    Numbers own = {};   ///< to be written before a start
    Numbers most = {};  ///< @pre ended

    void start(int tag) override { allreduce_.start(tag); }
    bool advance() override { return allreduce_.test(); }
    void withdraw() override { allreduce_.withdraw(); }
    bool has_all_of(int rank) const override { return allreduce_.has_all_of(rank); }
    std::vector<int> awaited() const override { return allreduce_.awaited(); }

private:
    SmallCollective allreduce_;
};

}  // namespace carpool::call
