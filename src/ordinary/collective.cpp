// SPDX-License-Identifier: MIT
#include "ordinary/collective.hpp"

#include "agree/mean_block.hpp"
#include "agree/small_collective.hpp"
#include "arguments/block_tally.hpp"
#include "base/expects.hpp"
#include "choose/cut_offs.hpp"
#include "mpi/comm/oversubscription.hpp"
#include "mpi/error.hpp"
#include "ordinary/filler.hpp"
#include "ordinary/host_form.hpp"
#include "ordinary/pair_check.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace carpool::ordinary {
namespace {

using collectives::Algorithm;
using collectives::Problem;
using mpi::Error;

/// The edges to and from all ranks: slot i of both sides belongs to rank i.
topology::Adjacency edges_of_all(int ranks) {
    std::vector<topology::Edge> edges;
    for (int rank = 0; rank < ranks; ++rank) edges.push_back({rank, 0});
    return {edges, edges};
}

schedule::SlotBytes own_sizes(const Problem& problem) {
    return {problem.sent, problem.received, {}};
}

/// The problem by which all ranks choose. If blocks differ, it has equal blocks instead, with as
/// many bytes as the busiest rank has, and counts the long blocks separately.
Problem problem_for_all(const Problem& problem, const mpi::Tally& tally) {
    if (!problem.varies()) return problem;
    const auto flow = std::max<std::int64_t>(0, tally.flow.most);
    auto equal = problem.with_equal_blocks((flow + problem.ranks - 1) / problem.ranks);
    equal.degree = std::max<std::int64_t>(0, tally.degree.most);
    equal.long_blocks = {std::max<std::int64_t>(0, tally.long_degree.most),
                         std::max<std::int64_t>(0, tally.long_flow.most), tally.long_ones};
    return equal;
}

}  // namespace

OrdinaryCollective::OrdinaryCollective(const mpi::CommState& state,
                                       const CollectiveArguments& arguments,
                                       CollectiveSettings settings, std::optional<Error> mistake)
    : rank_(state.rank()),
      arguments_(arguments),
      settings_(std::move(settings)),
      mistake_(std::move(mistake)) {
    if (mistake_) return;
    mistake_ = mpi::mistake_in([&] {
        call_ = read_call(arguments, state);
        settings_.sums = call_->checked_op.rounds;
        call_->problem.segment = settings_.segment;
        call_->problem.digits = settings_.digits;
        settings_.prefer_for(call_->problem);
        check_algorithm();
    });
}

void OrdinaryCollective::apply(std::shared_ptr<CommSettings> comm_settings, bool first) {
    comm_settings_ = std::move(comm_settings);
    first_ = first;
}

void OrdinaryCollective::take_place() {
    comm_settings_->begun = true;
    if (mistake_ || votes()) return;
    pairs_know_ = call_->pairs_know_sizes();
    finds_mean_ = pairs_know_ && comm_settings_->unsized.is_first(call_->problem.kind);
}

/// Throws an error if the user asks for an algorithm that does not solve the problem.
void OrdinaryCollective::check_algorithm() const {
    const auto& problem = call_->problem;
    if (settings_.algorithm == nullptr || settings_.algorithm->applies(problem)) return;
    std::string names;
    for (const auto& algorithm : collectives::algorithms(problem.kind))
        if (algorithm.applies(problem)) names += std::string(algorithm.name) + ", ";
    throw Error(MPI_ERR_INFO_VALUE,
                "carpool_algorithm in the info is '" + std::string(settings_.algorithm->name) +
                    "', which does not apply to this call, expected " + names + "or auto");
}

/// Applies what is known once the channel is there. A preferred algorithm may then turn out not to
/// apply.
void OrdinaryCollective::apply_state(const mpi::CommState& state) {
    settings_.apply(state);
    auto& problem = call_->problem;
    problem.nodes = state.nodes();
    const bool preferred = settings_.algorithm == settings_.preferred;
    if (preferred && settings_.algorithm != nullptr && !settings_.algorithm->applies(problem))
        settings_.algorithm = nullptr;
    check_algorithm();
}

mpi::Tally OrdinaryCollective::own_tally() const {
    mpi::Tally tally;
    if (!mistake_ && call_->problem.varies())
        tally = arguments::tally_of_blocks(edges_of_all(call_->problem.ranks), rank_,
                                           own_sizes(call_->problem), longest_combined());
    tally.oversubscription.add(mpi::oversubscription());
    if (mistake_) return tally;
    tally.balance = call_->balance;
    tally.held.add(arguments::bytes_of(call_->blocks.send, call_->blocks.recv));
    return tally;
}

call::Statement OrdinaryCollective::statement() const {
    call::Statement statement{{}, mistake_, own_tally()};
    if (mistake_) return statement;
    statement.claims = claims_of(*call_);
    if (comm_settings_)
        statement.claims.push_back(comm_settings_->settings->claim);
    else
        for (auto& claim : settings_.claims()) statement.claims.push_back(std::move(claim));
    return statement;
}

/// Whatever is wrong with this call, later calls need no vote on the settings.
void OrdinaryCollective::conclude(const mpi::Tally& tally) {
    if (!first_) return;
    comm_settings_->oversubscription = tally.oversubscription.most;
    comm_settings_->known = true;
}

void OrdinaryCollective::agree(const call::VoteResult& vote, const call::Ticket& ticket) {
    const auto& tally = vote.tally;
    conclude(tally);
    vote.throw_if_refused();
    if (tally.balance != 0 && tally.all_wait()) throw_pair_that_differs(*call_, ticket.comm);
    if (tally.balance != 0)
        throw Error(MPI_ERR_ARG,
                    "the bytes that some rank sends to another are not those that it expects: "
                    "counts and datatypes of both must say the same; the call with _init says "
                    "which");
    tally_ = tally;
    apply_state(*ticket.state);
    settings_.apply_core_sharing(ranks_per_core());
}

/// The longest block of an alltoall that is combined with others. One more hop of a longer block,
/// which is copied there, takes longer than a message of its own. If a trial compares combining
/// with sending directly, the limit is higher by the factor by which costs may be wrong.
std::int64_t OrdinaryCollective::longest_combined() const {
    constexpr double one_more_hop = 1;
    auto model = settings_.model;
    model.beta += 2 * settings_.copy_per_byte;  // at both ends
    const auto longest = choose::longest_worth_combining(model, one_more_hop);
    const auto policy = settings_.choice_policy();
    const bool is_compared =
        settings_.algorithm == nullptr && (policy == arguments::ChoicePolicy::automatic ||
                                           policy == arguments::ChoicePolicy::measure);
    return is_compared ? choose::most_wrong * longest : longest;
}

void OrdinaryCollective::proceed_without_vote(const call::Ticket& ticket) {
    apply_state(*ticket.state);
    auto& problem = call_->problem;
    if (call_->unknown_sizes) problem.bytes = call_->known_sizes();
    call_->unknown_sizes = false;
    problem.keeps_empty = true;
    tally_ = own_tally();
    tally_.oversubscription = {};
    tally_.oversubscription.add(comm_settings_->oversubscription);
    settings_.apply_core_sharing(ranks_per_core());
    if (pairs_know_) unsized_ = &unsized_algorithm();
}

/// The algorithm for blocks whose sizes only their two ends know: the one that the user asks for,
/// or the one that is settled.
const UnsizedAlgorithm& OrdinaryCollective::unsized_algorithm() const {
    auto& unsized = comm_settings_->unsized;
    const auto& problem = call_->problem;
    if (settings_.algorithm == nullptr) return unsized.of(problem, machine());
    return unsized.by(*settings_.algorithm, problem, machine());
}

/// The same, if it forwards blocks; else null.
const UnsizedAlgorithm* OrdinaryCollective::passing_on() const {
    return unsized_ != nullptr && unsized_->passes_on() ? unsized_ : nullptr;
}

std::optional<engine::Steps<void>> OrdinaryCollective::planning(const call::CallContext& context) {
    if (!votes()) {
        if (comm_settings_->known && !waits_for_unsized()) return std::nullopt;
        return awaited(context);
    }
    if (!call_->unknown_sizes) return std::nullopt;
    return told_sizes(*context.ticket.state, context.ticket.tag);
}

bool OrdinaryCollective::waits_for_unsized() const {
    return pairs_know_ && !comm_settings_->unsized.has_settled(call_->problem.kind);
}

namespace {

/// Waits until the first call on the communicator has ended its vote on the settings.
struct Heard {
    const CommSettings& comm_settings;
    bool test() const { return comm_settings.known; }
};

/// Waits until an earlier call has found the mean size of blocks.
struct MeanBlock {
    const UnsizedAlgorithms& unsized;
    collectives::Kind kind;
    bool test() const { return unsized.has_settled(kind); }
};

}  // namespace

/// Waits for what earlier calls on the communicator find out.
engine::Steps<void> OrdinaryCollective::awaited(const call::CallContext& context) {
    Heard heard{*comm_settings_};
    co_await engine::until(heard);
    if (finds_mean_) {
        co_await mean_block_found(context);
    } else if (pairs_know_) {
        MeanBlock found_earlier{comm_settings_->unsized, call_->problem.kind};
        co_await engine::until(found_earlier);
    }
}

/// All ranks find out the mean size of blocks. A rank that fails makes no more calls on the
/// communicator, but those that have begun must not wait for it.
engine::Steps<void> OrdinaryCollective::mean_block_found(const call::CallContext& context) {
    auto& state = *context.ticket.state;
    const auto kind = call_->problem.kind;
    const auto tag = context.tag_of(code(0)->in_way(mpi::CallCode::settling));
    const auto sent = sizes_sent();
    try {
        const auto mean = co_await agree::mean_block(state, tag, sent);
        comm_settings_->unsized.settle(kind, mean);
    } catch (...) {
        constexpr std::int64_t unknown = 0;
        comm_settings_->unsized.settle(kind, unknown);
        state.break_off();
        throw;
    }
}

/// The sizes of the blocks that this rank sends. @pre pairs_know_
std::vector<std::int64_t> OrdinaryCollective::sizes_sent() const {
    const auto& problem = call_->problem;
    if (problem.kind == collectives::Kind::alltoall) return problem.sent;
    if (problem.kind == collectives::Kind::gather) return {call_->own_bytes};
    return rank_ == problem.root ? call_->known_sizes() : std::vector<std::int64_t>();
}

/// All ranks exchange the sizes that only some of them know.
engine::Steps<void> OrdinaryCollective::told_sizes(const mpi::CommState& state, int tag) {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(state.size()));
    agree::CollectiveBlocks blocks{{agree::block_of(std::span(&call_->own_bytes, 1))}};
    for (auto& size : sizes) blocks.recv.push_back(agree::block_of(std::span(&size, 1)));
    agree::SmallCollective telling(state, collectives::Kind::allgather, "gather-bcast", blocks);
    telling.start(tag);
    co_await engine::until(telling);
    call_->problem.bytes = std::move(sizes);
}

std::vector<choose::Candidate> OrdinaryCollective::candidates() {
    rounded_ = problem_for_all(call_->problem, tally_).with_round_blocks();
    const auto* const asked_for = unsized_ != nullptr ? unsized_->algorithm : settings_.algorithm;
    algorithms_ = asked_for != nullptr ? std::vector{asked_for} : collectives::applicable(rounded_);
    const auto& problem = passing_on() != nullptr ? unsized_->combined : rounded_;
    const auto machine = this->machine();
    std::vector<choose::Candidate> result;
    for (const auto* algorithm : algorithms_)
        result.push_back(collectives::candidate(*algorithm, problem, machine));
    return result;
}

/// The name of MPI's function, for a report.
std::string OrdinaryCollective::function() const {
    const auto kind = call_->problem.kind;
    const std::string name(name_of(kind));
    if (kind == collectives::Kind::reduce_scatter)
        return call_->count_per_rank ? name : name + "_block";
    return name + std::string(arguments::function_suffix(arguments_.send, arguments_.recv));
}

call::CandidateSet OrdinaryCollective::candidate_set() {
    auto candidates = this->candidates();
    return {.operation = operation_claim(*call_),
            .function = function(),
            .bytes = arguments::size_for_report(call_->blocks.send, call_->blocks.recv),
            .candidates = std::move(candidates),
            .machine = machine(),
            .policy = settings_.choice_policy(),
            .key = key(),
            .held = tally_.held.most,
            .rounds = settings_.sums,
            .either_transport = settings_.either_transport() && settings_.algorithm == nullptr,
            .runs_ahead = collectives::has_root(call_->problem.kind),
            .all_know_sizes = !pairs_know_};
}

bool OrdinaryCollective::has_host_form() const {
    const auto& blocks = call_->blocks;
    const bool on_device = mpi::device_of(blocks.send) || mpi::device_of(blocks.recv);
    return settings_.choice_policy() != arguments::ChoicePolicy::model &&
           settings_.algorithm == nullptr && !on_device &&
           ordinary::has_host_form(arguments_, rank_, call_->problem.ranks);
}

std::unique_ptr<engine::Communication> OrdinaryCollective::at_host(MPI_Comm comm,
                                                                   call::HostUse use) const {
    return ordinary::host_form(arguments_, rank_, call_->problem.ranks, comm,
                               use == call::HostUse::rehearsal);
}

choose::PastChoices::Key OrdinaryCollective::key() const {
    auto key = collectives::key_of(rounded_, machine());
    for (const auto* algorithm : algorithms_)
        key.push_back(algorithm - collectives::algorithms(algorithm->kind).data());
    return key;
}

double OrdinaryCollective::ranks_per_core() const {
    return mpi::ranks_per_core(tally_.oversubscription.most);
}

choose::Machine OrdinaryCollective::machine() const { return settings_.machine(ranks_per_core()); }

call::ScheduleDraft OrdinaryCollective::write(std::size_t candidate) {
    if (passing_on() != nullptr) return {unsized_->schedule(*call_, rank_)};
    const auto& algorithm = *algorithms_[candidate];
    const auto& problem = call_->problem;
    if (!algorithm.forwards || !problem.varies())
        return {collectives::schedule_of(algorithm, problem, rank_)};
    const auto numbers = problem.with_equal_blocks(sizeof(std::int64_t));
    auto schedule = collectives::schedule_of(algorithm, numbers, rank_);
    auto blocks = schedule::divided(edges_of_all(problem.ranks), rank_, own_sizes(problem),
                                    longest_combined());
    return {std::move(schedule), std::move(blocks)};
}

std::optional<mpi::CallCode> OrdinaryCollective::code(std::size_t candidate) const {
    CARPOOL_EXPECTS(candidate < mpi::CallCode::most_candidates, candidate);
    const auto kind = call_ ? call_->problem.kind : collectives::Kind::barrier;
    return mpi::CallCode::of(
        kind, call_ ? call_->blocks.op : MPI_OP_NULL, call_ ? call_->problem.root : 0,
        passing_on() != nullptr ? mpi::CallCode::with_length_headers : candidate);
}

void OrdinaryCollective::keep(const std::shared_ptr<call::BoundCall>& bound) {
    if (!kept_ || votes()) return;
    const bool preferred = settings_.algorithm != nullptr;
    const auto& blocks = call_->blocks;
    kept_->keep(form_,
                pairs_know_ ? call::with_place(call::sizes_of_pairs, blocks.send, blocks.recv)
                            : size_class_of(*call_, preferred),
                bound);
}

/// Host requests are persistent only if the user asks for it. Measured (docs/measurements): in
/// trees and rings, Open MPI is up to three times slower with persistent requests underneath, MPICH
/// as fast. The exchange is watched by phase, because the next phase needs all messages of the one
/// before anyway.
call::BindingParts OrdinaryCollective::parts(std::size_t candidate, schedule::Schedule& schedule,
                                             call::BoundCall& bound, std::optional<int> tag) const {
    const auto& algorithm = *algorithms_[candidate];
    const auto filler = std::make_shared<CollectiveFiller>(call_, algorithm, passing_on());
    bound.read = filler;
    auto buffers = agree::collective_buffers(
        call_->blocks, call_->problem, algorithm.pieces(call_->problem), schedule, bound.memory);
    if (passing_on() != nullptr) buffers.sources = sources_of(call_->problem);
    const bool is_kept = kept_ && !votes();
    const bool persistent = settings_.posting == arguments::PostingMode::persistent;
    return {std::move(buffers),
            {.packing = settings_.packing,
             .watch = engine::Watch::by_phase,
             .transport = settings_.transport,
             .tag = persistent ? tag : std::nullopt,
             .summed = collectives::reduces(call_->problem.kind),
             .fills = is_kept && filler->take_schedule(schedule)}};
}

engine::Summary OrdinaryCollective::summary(std::size_t candidate, const choose::Load& load) const {
    return {std::string(algorithms_[candidate]->name),
            load.phases,
            load.messages(),
            0,
            load.blocks(),
            0};
}

}  // namespace carpool::ordinary
