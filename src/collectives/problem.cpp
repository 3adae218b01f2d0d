// SPDX-License-Identifier: MIT
#include "collectives/problem.hpp"

#include <bit>
#include <numeric>

namespace carpool::collectives {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

std::int64_t Problem::block(int i) const {
    if (bytes.empty()) return 0;
    return bytes.size() == 1 ? bytes.front() : bytes[index(i)];
}

Problem Problem::with_equal_blocks(std::int64_t size) const {
    auto equal = *this;
    equal.sent.clear();
    equal.received.clear();
    equal.bytes = {size};
    return equal;
}

Problem Problem::with_round_blocks() const {
    return bytes.empty() ? *this : with_equal_blocks(round_block(mean_block(bytes), unit));
}

std::int64_t Problem::sent_to(int rank) const { return varies() ? sent[index(rank)] : block(); }

std::int64_t Problem::received_from(int rank) const {
    return varies() ? received[index(rank)] : block();
}

std::int64_t round_block(std::int64_t bytes, std::int64_t unit) {
    constexpr std::int64_t largest = std::int64_t{1} << 60;  // that can be doubled
    if (bytes <= 0 || bytes > largest) return bytes;
    const auto elements = bytes / unit + (bytes % unit != 0 ? 1 : 0);
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(elements))) * unit;
}

std::int64_t unit_of_bcast(std::int64_t bytes) {
    constexpr std::int64_t word = 8;
    return bytes % word == 0 ? word : 1;
}

std::int64_t mean_block(std::span<const std::int64_t> bytes) {
    const auto blocks = std::ssize(bytes);
    const auto all = std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
    return all / blocks + (all % blocks != 0 ? 1 : 0);
}

int send_slots(const Problem& problem, int rank, int pieces) {
    switch (problem.kind) {
        case Kind::bcast:
            return rank == problem.root ? pieces : 0;
        case Kind::scatter:
            return rank == problem.root ? problem.ranks : 0;
        case Kind::alltoall:
        case Kind::reduce_scatter:
            return problem.ranks;
        case Kind::reduce:
        case Kind::allreduce:
            return pieces;
        default:
            return 1;
    }
}

std::int64_t size_of_block(const Problem& problem, const Pieces& pieces, int number) {
    switch (problem.kind) {
        case Kind::gather:
        case Kind::scatter:
        case Kind::allgather:
        case Kind::alltoall:
        case Kind::reduce_scatter:
            return problem.block(number);
        default:
            return pieces.bytes(number);
    }
}

int recv_slots(const Problem& problem, int rank, int pieces) {
    switch (problem.kind) {
        case Kind::bcast:
            return rank == problem.root ? 0 : pieces;
        case Kind::gather:
            return rank == problem.root ? problem.ranks : 0;
        case Kind::reduce:
            return rank == problem.root ? pieces : 0;
        case Kind::allgather:
        case Kind::alltoall:
            return problem.ranks;
        case Kind::allreduce:
            return pieces;
        default:
            return 1;
    }
}

}  // namespace carpool::collectives
