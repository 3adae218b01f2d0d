#pragma once

#include "routing/plan.hpp"

#include <cstdint>
#include <span>

namespace carpool::choose {

/// The linear model of [2] §3.1, and what a phase costs beyond its messages: the wait for blocks
/// that are to be forwarded. With sigma 0 it is the paper's.
struct CostModel {
    double alpha;  ///< seconds
    double beta;   ///< seconds per byte
    double sigma;  ///< seconds per phase

    friend bool operator==(const CostModel&, const CostModel&) = default;
};

/// Of ranks that share cores: a phase lasts until all of a core have had their turn.
CostModel oversubscribed(CostModel model, double ranks_per_core);

/// Bytes that a rank sends when no block is pruned: the volume, weighted.
std::int64_t bytes_sent(const routing::Plan& plan, std::span<const std::int64_t> block_bytes);

/// C * alpha + bytes * beta + least phases * sigma, in seconds.
double estimate(const CostModel& model, const routing::Plan& plan, std::int64_t bytes);

}  // namespace carpool::choose
