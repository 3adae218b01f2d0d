#include "engine/work.hpp"

#include "mpi/error.hpp"
#include "mpi/extent.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace carpool::engine {
namespace {

/// MPI_Reduce_local counts in int.
void reduce(const std::byte* in, const mpi::Block& inout, MPI_Op op) {
    constexpr std::int64_t most = std::int64_t{1} << 30;
    const auto& shape = *inout.shape;
    const auto extent = mpi::extent_of(shape.type());
    for (std::int64_t first = 0; first < shape.count(); first += most) {
        const auto count = static_cast<int>(std::min<std::int64_t>(most, shape.count() - first));
        mpi::check(MPI_Reduce_local(in + first * extent, inout.address + first * extent, count,
                                    shape.given(), op),
                   "MPI_Reduce_local");
    }
}

}  // namespace

void LocalCopies::add(const mpi::Block& from, const mpi::Block& to) {
    const auto in = from.shape->piece();
    const auto out = to.shape->piece();
    if (in && out) {
        const auto* const start = from.address + *in;
        if (start != to.address + *out) add(start, to);
        return;
    }
    const auto size = static_cast<std::size_t>(from.shape->bytes());
    auto* const scratch =
        scratch_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(size)).get();
    gathers_.gather(from, scratch);
    scatters_.scatter(scratch, to);
}

void LocalCopies::add(LocalCopies other) {
    gathers_.add(other.gathers_);
    scatters_.add(other.scatters_);
    std::ranges::move(other.scratch_, std::back_inserter(scratch_));
}

Work Work::copy(const mpi::Block& from, const mpi::Block& to) {
    Work work;
    work.first_.add(from, to);
    return work;
}

Work Work::sum(const std::vector<mpi::Block>& of, const mpi::Block& to, MPI_Op op) {
    Work work = copy(of.back(), to);
    for (auto block = of.rbegin() + 1; block != of.rend(); ++block)
        work.added_.push_back(block->address);
    work.result_ = to;
    work.op_ = op;
    return work;
}

void Work::run() const {
    first_.run();
    for (const auto* summand : added_) reduce(summand, result_, op_);
}

}  // namespace carpool::engine
