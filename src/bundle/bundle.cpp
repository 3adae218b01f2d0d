#include "bundle/bundle.hpp"

#include "choose/load.hpp"
#include "mpi/digest.hpp"
#include "schedule/merged.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace carpool::bundle {
namespace {

using engine::Buffers;
using schedule::Message;
using schedule::Schedule;

Schedule merged(const std::vector<Member>& members, std::int64_t longest) {
    std::vector<const Schedule*> schedules;
    for (const auto& member : members) schedules.push_back(&member->blueprint->schedule);
    return schedule::merged(schedules, longest);
}

/// Adds blocks behind so many others, where there are any.
void append(std::vector<mpi::Block>& all, const std::vector<mpi::Block>& more, int before) {
    if (more.empty()) return;
    all.resize(static_cast<std::size_t>(before));
    all.insert(all.end(), more.begin(), more.end());
}

/// All messages of one direction, each as its two ends see it.
class Digests {
public:
    void add(int from, int to, const Message& message) {
        if (message.parts.empty()) return;
        mpi::Digest digest;
        digest.add(from);
        digest.add(to);
        digest.add(number_[{from, to}]++);
        for (const auto& part : message.parts) digest.add(part.bytes);
        sum_ += digest.bits();
    }

    std::uint64_t sum() const { return sum_; }

private:
    std::map<std::pair<int, int>, std::int64_t> number_;  // of messages between two ranks
    std::uint64_t sum_ = 0;
};

/// Zero over all ranks if every message that is sent is one that is expected.
std::uint64_t balance_of(const Schedule& schedule, int rank) {
    Digests sent;
    Digests received;
    for (const auto& [phase, send, receive] : schedule.rounds) {
        sent.add(rank, send.peer, send);
        received.add(receive.peer, rank, receive);
    }
    return sent.sum() - received.sum();
}

/// Persistent requests have the same tags on all ranks, in the order of their inits.
mpi::Wording wording(std::size_t i, std::int64_t tag) {
    return {mpi::element("requests", static_cast<std::int64_t>(i)),
            "the persistent request of tag " + std::to_string(tag)};
}

}  // namespace

Bundle::Bundle(int n, int rank, std::vector<Member> members, call::Tuning tuning,
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
    mpi::Claim tags{"requests", {}, {}, wording};
    for (const auto& member : members_) tags.values.push_back(member->tag);
    mpi::Tally tally;
    tally.balance = balance_of(schedule_, rank_);
    return {{{"n", {n_}},
             std::move(tags),
             {"bytes that share a ride, by carpool_alpha and carpool_beta,", {longest_}}},
            {},
            tally};
}

void Bundle::agree(const std::vector<mpi::Claim>&, const mpi::Tally& tally, const call::Ticket&) {
    if (tally.balance != 0)
        throw mpi::Error(MPI_ERR_ARG,
                         "requests of different collective calls are given on different ranks, "
                         "expected the same in the same order");
}

std::vector<choose::Candidate> Bundle::candidates() {
    return {{[this] { return choose::load_of(schedule_, rank_, machine()); }}};
}

Buffers Bundle::buffers(std::size_t, Schedule&, call::BoundCall&) const {
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

engine::Manner Bundle::manner(const engine::Summary& summary, std::optional<int> tag) const {
    return {tuning_.packing, engine::Watch::any,
            call::posts_persistent(tuning_.posting, summary.phases) ? tag : std::nullopt};
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
