// SPDX-License-Identifier: MIT
#include "bundle/bundle.hpp"

#include "choose/load.hpp"
#include "schedule/merged.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace carpool::bundle {
namespace {

using engine::Buffers;
using schedule::Schedule;

Schedule merged(const std::vector<Member>& members, std::int64_t longest) {
    std::vector<const Schedule*> schedules;
    for (const auto& member : members) schedules.push_back(&member->blueprint->schedule);
    return schedule::merged(schedules, longest);
}

/// Appends blocks behind the first `before` slots, if there are any.
void append(std::vector<mpi::Block>& all, const std::vector<mpi::Block>& more, int before) {
    if (more.empty()) return;
    all.resize(static_cast<std::size_t>(before));
    all.insert(all.end(), more.begin(), more.end());
}

/// Identifies a request by the number that its init has drawn together with all ranks.
mpi::Wording identity_wording(std::size_t i, std::int64_t identity) {
    return {
        mpi::element("requests", static_cast<std::int64_t>(i)),
        "the request made by init number " + std::to_string(static_cast<std::uint64_t>(identity))};
}

}  // namespace

Bundle::Bundle(int n, int rank, std::vector<Member> members, arguments::Tuning tuning,
               std::optional<mpi::Error> mistake)
    : n_(n),
      rank_(rank),
      members_(std::move(members)),
      tuning_(std::move(tuning)),
      mistake_(std::move(mistake)),
      longest_(choose::longest_worth_combining(tuning_.model, 0)),
      schedule_(merged(members_, longest_)) {}

call::Statement Bundle::statement() const {
    if (mistake_) return {{}, mistake_, {}};
    mpi::Claim identities{"requests", {}, {}, identity_wording};
    for (const auto& member : members_)
        identities.values.push_back(static_cast<std::int64_t>(member->identity));
    mpi::Tally tally;
    const auto own = choose::load_of(schedule_, rank_, tuning_.machine());
    tally.held.add(std::max(own.bytes(), own.temp_bytes));
    return {
        {operation(),
         {"n", {n_}},
         std::move(identities),
         {"longest block combined with others, from carpool_alpha and carpool_beta,", {longest_}},
         arguments::claim_of({tuning_.claimed_transport()})},
        {},
        tally};
}

void Bundle::agree(const call::VoteResult& vote, const call::Ticket&) {
    vote.throw_if_refused();
    held_ = vote.tally.held.most;
}

call::CandidateSet Bundle::candidate_set() {
    return {
        .operation = operation(),
        .function = "bundle",
        .candidates = {{[this] { return choose::load_of(schedule_, rank_, tuning_.machine()); }}},
        .machine = tuning_.machine(),
        .held = held_};
}

call::BindingParts Bundle::parts(std::size_t, Schedule&, call::BoundCall& bound,
                                 std::optional<int> tag) const {
    return {buffers(), tuning_.manner(bound.summary, tag)};
}

Buffers Bundle::buffers() const {
    Buffers all;
    Schedule before;
    for (const auto& member : members_) {
        const auto& [schedule, buffers] = *member->blueprint;
        append(all.send, buffers.send, before.send_slots);
        append(all.recv, buffers.recv, before.recv_slots);
        append(all.temp, buffers.temp, before.temp_slots);
        before.send_slots += schedule.send_slots;
        before.recv_slots += schedule.recv_slots;
        before.temp_slots += schedule.temp_slots;
        const auto ops = buffers.ops.begin();
        all.ops.insert(all.ops.end(), ops, ops + schedule::operators(schedule));
        all.before.insert(all.before.end(), buffers.before.begin(), buffers.before.end());
        all.after.insert(all.after.end(), buffers.after.begin(), buffers.after.end());
    }
    if (!all.temp.empty()) all.temp.resize(static_cast<std::size_t>(before.temp_slots));
    return all;
}

engine::Summary Bundle::summary(std::size_t, const choose::Load&) const {
    engine::Summary all;
    all.algorithm = "bundle";
    for (const auto& member : members_) {
        all.phases = std::max(all.phases, member->summary.phases);
        all.volume += member->summary.volume;
    }
    all.rounds = static_cast<std::int64_t>(schedule_.rounds.size());
    return all;
}

void Bundle::keep(const std::shared_ptr<call::BoundCall>& bound) {
    bound->read = std::make_shared<std::vector<Member>>(members_);
}

}  // namespace carpool::bundle
