// SPDX-License-Identifier: MIT
#include "neighbor/ghosts/kept_ghost_calls.hpp"

#include "mpi/error.hpp"
#include "neighbor/ghosts/ghost_blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <utility>

namespace carpool::neighbor {
namespace {

constexpr std::size_t most_kept = 8;
constexpr std::ptrdiff_t few_of_a_form = 4;

GhostBinding& binding_of(const call::BoundCall& call) {
    return *static_cast<GhostBinding*>(call.read.get());
}

}  // namespace

bool GhostBinding::fill(call::BoundCall& bound, CheckedGhostCall other) {
    if (other.is_on_device() != call.is_on_device() || !bound.may_be_filled()) return false;
    move_blocks(buffers, *map, other);
    bound.exchange->fill(bound.filled_with(buffers));
    call = std::move(other);
    return true;
}

std::shared_ptr<call::BoundCall> KeptGhostCalls::with_arrays(const GhostArguments& arguments) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(kept_, [&](const auto& kept) {
        return binding_of(*kept).call.has(arguments) && call::is_unused(kept);
    });
    if (found == kept_.end()) return nullptr;
    std::rotate(found, found + 1, kept_.end());
    return kept_.back();
}

/// The one of its form that has not been used for longest. It is not kept any more, since it is of
/// no use if there is no memory to fill it. None while there are few of them: to bind another takes
/// longer, but the program may come back to its arrays.
std::shared_ptr<call::BoundCall> KeptGhostCalls::taken_with_form(const GhostArguments& arguments) {
    const std::lock_guard lock(mutex_);
    const auto has_form = [&](const auto& kept) {
        return binding_of(*kept).call.has_form(arguments);
    };
    if (std::ranges::count_if(kept_, has_form) < few_of_a_form) return nullptr;
    const auto found = std::ranges::find_if(
        kept_, [&](const auto& kept) { return has_form(kept) && call::is_unused(kept); });
    if (found == kept_.end()) return nullptr;
    auto taken = std::move(*found);
    kept_.erase(found);
    return taken;
}

std::shared_ptr<call::BoundCall> KeptGhostCalls::find(const GhostArguments& arguments,
                                                      std::int64_t owned, std::int64_t ghosts) {
    if (auto same = with_arrays(arguments)) return same;
    auto other = taken_with_form(arguments);
    if (!other) return nullptr;
    bool is_filled = false;
    const auto mistake = mpi::mistake_in([&] {
        is_filled = binding_of(*other).fill(*other, read_ghost_call(arguments, owned, ghosts));
    });
    if (mistake) return nullptr;
    keep(other);
    return is_filled ? other : nullptr;
}

void KeptGhostCalls::keep(std::shared_ptr<call::BoundCall> call) {
    std::shared_ptr<call::BoundCall> old;  // freed outside the lock, since it owns MPI handles
    const std::lock_guard lock(mutex_);
    if (kept_.size() >= most_kept) {
        const auto unused = std::ranges::find_if(kept_, call::is_unused);
        if (unused == kept_.end()) return;
        old = std::move(*unused);
        kept_.erase(unused);
    }
    kept_.push_back(std::move(call));
}

}  // namespace carpool::neighbor
