// SPDX-License-Identifier: MIT
#include "engine/work.hpp"

#include "mpi/error.hpp"
#include "mpi/reduce_local.hpp"
#include "mpi/types/extent.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace carpool::engine {
namespace {

/// MPI_Reduce_local takes an int count, so large blocks are reduced in steps.
void reduce(const std::byte* in, const mpi::Block& inout, MPI_Op op) {
    constexpr std::int64_t most = std::int64_t{1} << 30;
    const auto& shape = inout.shape;
    for (std::int64_t first = 0; first < shape.count(); first += most) {
        const auto count = static_cast<int>(std::min<std::int64_t>(most, shape.count() - first));
        const auto offset = first > 0 ? first * mpi::extent_of(shape.type()) : 0;
        mpi::check(mpi::reduce_local(in + offset, inout.address + offset, count, shape.given(), op),
                   "MPI_Reduce_local");
    }
}

}  // namespace

void LocalCopies::add(const mpi::Block& from, const mpi::Block& to) {
    const auto in = from.shape.piece();
    const auto out = to.shape.piece();
    if (in && out) {
        const auto* const first = from.address + *in;
        auto* const to_first = to.address + *out;
        if (first != to_first) second_.contiguous(first, to_first, from.shape.bytes());
        return;
    }
    if (second_.copy(from, to)) return;
    const auto size = static_cast<std::size_t>(from.shape.bytes());
    auto* const scratch =
        scratch_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(size)).get();
    first_.gather(from, scratch);
    second_.scatter(scratch, to);
}

void LocalCopies::take(LocalCopies& other) {
    first_.add(other.first_);
    second_.add(other.second_);
    std::ranges::move(other.scratch_, std::back_inserter(scratch_));
    other.clear();
}

void LocalCopies::clear() {
    first_.clear();
    second_.clear();
    scratch_.clear();
}

Work Work::copy(const mpi::Block& from, const mpi::Block& to) {
    Work work;
    work.become_copy(from, to);
    return work;
}

Work Work::sum(std::span<const mpi::Block> of, const mpi::Block& to, MPI_Op op) {
    std::vector<const mpi::Block*> each;
    for (const auto& block : of) each.push_back(&block);
    Work work;
    work.become_sum(each, to, op);
    return work;
}

void Work::become_copy(const mpi::Block& from, const mpi::Block& to) {
    first_.clear();
    first_.add(from, to);
    first_.compact();
    added_.clear();
}

void Work::become_sum(std::span<const mpi::Block* const> of, const mpi::Block& to, MPI_Op op) {
    become_copy(*of.back(), to);
    for (auto block = of.rbegin() + 1; block != of.rend(); ++block)
        added_.push_back((*block)->address);
    result_ = to;
    op_ = op;
}

void Work::run() const {
    first_.run();
    for (const auto* summand : added_) reduce(summand, result_, op_);
}

}  // namespace carpool::engine
