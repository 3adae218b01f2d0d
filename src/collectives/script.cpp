// SPDX-License-Identifier: MIT
#include "collectives/script.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <utility>

namespace carpool::collectives {
namespace {

using schedule::Slot;

constexpr int nobody = -1;

Parts list(int count, const auto& part_of) {
    Parts parts;
    for (int i = 0; i < count; ++i) parts.push_back(part_of(i));
    return parts;
}

}  // namespace

Script::Script(const Problem& problem, int rank, int pieces)
    : problem_(problem), rank_(rank), pieces_(problem.block(), problem.unit, pieces) {
    schedule_.send_slots = send_slots(problem, rank, pieces);
    schedule_.recv_slots = recv_slots(problem, rank, pieces);
}

int Script::away(std::int64_t distance) const {
    const auto rank = (place_ + distance) % ranks();
    return static_cast<int>(rank < 0 ? rank + ranks() : rank);
}

void Script::among(const Team& team, int phases, const std::function<void()>& stages) {
    CARPOOL_EXPECTS(team_ == nullptr, rank_);
    const int end = phase_ + phases;
    if (const auto place = team.place_of(rank_)) {
        team_ = &team;
        place_ = *place;
        stages();
        team_ = nullptr;
        place_ = rank_;
        CARPOOL_EXPECTS(phase_ <= end, rank_, phase_, end);
    }
    phase_ = end;
}

Part Script::own(int i) const {
    const Slot slot{Slot::Kind::send, i};
    switch (problem_.kind) {
        case Kind::gather:
        case Kind::allgather:
            return {slot, problem_.block(rank_)};
        case Kind::scatter:
        case Kind::reduce_scatter:
            return {slot, problem_.block(i)};
        case Kind::alltoall:
            return {slot, problem_.sent_to(i)};
        default:
            return {slot, pieces_.bytes(i)};
    }
}

Part Script::result(int i) const {
    const Slot slot{Slot::Kind::recv, i};
    switch (problem_.kind) {
        case Kind::scatter:
        case Kind::reduce_scatter:
            return {slot, problem_.block(rank_)};
        case Kind::gather:
        case Kind::allgather:
            return {slot, problem_.block(i)};
        case Kind::alltoall:
            return {slot, problem_.received_from(i)};
        default:
            return {slot, pieces_.bytes(i)};
    }
}

Parts Script::all_own() const {
    return list(schedule_.send_slots, [this](int i) { return own(i); });
}

Parts Script::all_results() const {
    return list(schedule_.recv_slots, [this](int i) { return result(i); });
}

Part Script::temp_for(int block) {
    schedule_.temp_blocks.push_back(block);
    return {{Slot::Kind::temp, schedule_.temp_slots++}, size_of_block(problem_, pieces_, block)};
}

Part Script::temp_like(const Part& part) { return temp_for(block_of(part.slot)); }

Parts Script::temps_like(const Parts& parts) {
    Parts temps;
    for (const auto& part : parts) temps.push_back(temp_like(part));
    return temps;
}

/// The number of the block, or piece, that a slot holds.
int Script::block_of(const Slot& slot) const {
    if (slot.kind == Slot::Kind::temp)
        return schedule_.temp_blocks[static_cast<std::size_t>(slot.position)];
    const bool sent = slot.kind == Slot::Kind::send;
    switch (problem_.kind) {
        case Kind::gather:
        case Kind::allgather:
            return sent ? rank_ : slot.position;
        case Kind::scatter:
        case Kind::reduce_scatter:
            return sent ? slot.position : rank_;
        default:
            return slot.position;
    }
}

Parts Script::parts_that_count(const Parts& parts) const {
    Parts kept;
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(kept),
                 [this](const Part& part) { return counts(part); });
    return kept;
}

void Script::send(int phase, int to, const Parts& parts) {
    CARPOOL_EXPECTS(to >= 0 && to < ranks() && to != place_ && phase_ + phase >= 0, rank_, to,
                    phase_, phase);
    if (auto kept = parts_that_count(parts); !kept.empty())
        schedule_.rounds.push_back({phase_ + phase, {rank_of(to), std::move(kept)}, {nobody, {}}});
}

void Script::receive(int phase, int from, const Parts& parts) {
    CARPOOL_EXPECTS(from >= 0 && from < ranks() && from != place_ && phase_ + phase >= 0, rank_,
                    from, phase);
    if (auto kept = parts_that_count(parts); !kept.empty())
        schedule_.rounds.push_back(
            {phase_ + phase, {nobody, {}}, {rank_of(from), std::move(kept)}});
}

Part Script::sum(const Parts& of) {
    CARPOOL_EXPECTS(!of.empty(), rank_);
    if (of.size() == 1) return of.front();
    const auto made = temp_like(of.front());
    conclude(of, made);
    return made;
}

Parts Script::sums(const std::vector<Parts>& lists) {
    Parts sums;
    for (const auto& of : lists) sums.push_back(sum(of));
    return sums;
}

void Script::conclude(const Parts& of, const Part& result) {
    if (!counts(result)) return;
    if (of.size() == 1) {
        schedule_.copies.push_back({of.front().slot, result.slot, result.bytes});
        return;
    }
    schedule::Sum sum{{}, result.slot, result.bytes};
    for (const auto& part : of) sum.of.push_back(part.slot);
    schedule_.sums.push_back(std::move(sum));
}

void Script::keep_own() {
    const auto block = [this](int slots) { return slots > 1 ? rank_ : 0; };
    conclude({own(block(schedule_.send_slots))}, result(block(schedule_.recv_slots)));
}

void Script::await(const Part& own, const Part& arrival) {
    if (counts(own) && counts(arrival))
        schedule_.awaits.push_back({own.slot.position, {arrival.slot}});
}

schedule::Schedule Script::take() {
    std::stable_sort(schedule_.rounds.begin(), schedule_.rounds.end(),
                     [](const auto& a, const auto& b) { return a.phase < b.phase; });
    return std::move(schedule_);
}

}  // namespace carpool::collectives
