// SPDX-License-Identifier: MIT
#include "sparse/sparse_exchange.hpp"

#include "agree/votes.hpp"
#include "arguments/operation_claim.hpp"
#include "arguments/peer_list.hpp"
#include "call/pipeline.hpp"
#include "mpi/attribute.hpp"
#include "mpi/comm/oversubscription.hpp"
#include "sparse/exchange_sequence.hpp"
#include "sparse/running_protocol.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace carpool::sparse {
namespace {

SendList read_send_list(const SparseArguments& arguments, const mpi::CommState& state) {
    SendList send_list;
    send_list.targets = arguments::peers_of(
        {"outdegree", "destinations", arguments.degree, arguments.destinations}, state.size());
    if (arguments.send.buffer == MPI_IN_PLACE)
        throw mpi::Error(MPI_ERR_BUFFER, "sendbuf is MPI_IN_PLACE, expected a buffer of its own");
    arguments::check_arrays(arguments.send, arguments.degree);
    arguments::BlockReader reader(arguments.send);
    send_list.blocks.resize(send_list.targets.size());
    for (std::size_t i = 0; i < send_list.targets.size(); ++i)
        if (send_list.targets[i] != topology::no_rank)
            reader.read(static_cast<int>(i), send_list.blocks[i]);
    return send_list;
}

GivenParcels read(const SparseArguments& arguments, const mpi::CommState& state,
                  std::function<void(Delivery)> receive) {
    GivenParcels given{{}, {}, arguments.send.buffer, std::move(receive)};
    const auto error = mpi::mistake_in([&] { given.send_list = read_send_list(arguments, state); });
    if (error) given.mistake = mpi::Mistake{state.rank(), error->error_class(), error->what()};
    return given;
}

/// Sparse exchanges ([5]) as a family. The first on a communicator agrees on the settings for all.
/// Candidates are strategies, with costs for the demand of an earlier exchange. What is started is
/// a protocol that finds out while it runs who sends to whom.
class SparseExchange final : public call::Family {
public:
    SparseExchange(MPI_Comm comm, std::shared_ptr<mpi::CommState> state, GivenParcels given,
                   std::unique_ptr<ExchangeInSequence> in_sequence)
        : comm_(comm),
          state_(std::move(state)),
          votes_(mpi::Attribute<agree::VoteTransports>::of(comm)),
          given_(std::move(given)),
          in_sequence_(std::move(in_sequence)),
          number_(in_sequence_->number()),
          needs_vote_(is_first() || in_sequence_->sequence().check() == arguments::Check::all) {
        if (is_first())
            mistake_ = mpi::mistake_in(
                [&] { settings_ = SparseSettings::from_environment(state_->size()); });
    }

    bool votes() const override { return needs_vote_; }

    /// If an earlier exchange has failed on some ranks only, all others are informed by the vote.
    call::Statement statement() const override {
        call::Statement statement{
            {operation()}, mistake_ ? mistake_ : in_sequence_->sequence().failure(), {}};
        if (settings_) statement.claims.push_back(settings_->claim());
        statement.tally.oversubscription.add(mpi::oversubscription());
        return statement;
    }

    void agree(const call::VoteResult& vote, const call::Ticket&) override {
        if (vote.refusal && is_first())  // thrown on all ranks, when each may begin
            in_sequence_->sequence().failed(*vote.refusal);
        else
            vote.throw_if_refused();
        if (vote.refusal || !is_first()) return;
        const double ranks_per_core = mpi::ranks_per_core(vote.tally.oversubscription.most);
        settings_->apply(*state_);
        settings_->apply_shared_cores(ranks_per_core);
        ranks_per_core_ = ranks_per_core;
    }

    std::optional<engine::Steps<void>> planning(const call::CallContext& context) override {
        if (!is_first() && in_sequence_->sequence().may_begin(number_)) return std::nullopt;
        return opened(context.ticket.tag);
    }

    call::CandidateSet candidate_set() override {
        auto& sequence = in_sequence_->sequence();
        demand_ = sequence.expected_demand(number_, state_->size());
        strategies_ = sequence.settings().strategies(machine(), state_->size());
        call::CandidateSet result{.operation = operation(),
                                  .function = "sparse_exchange",
                                  .machine = machine(),
                                  .key = key()};
        for (const auto& strategy : strategies_)
            result.candidates.push_back({[&] {
                return load_of(strategy, demand_, state_->size(), machine(), has_barrier());
            }});
        return result;
    }

    /// The numbers expected for the busiest rank; those of the messages received are not known.
    engine::Summary summary(std::size_t candidate, const choose::Load& load) const override {
        return {name_of(strategies_[candidate]),
                load.phases,
                load.messages(),
                load.messages(),
                load.blocks(),
                load.bytes()};
    }

    std::unique_ptr<engine::Communication> communication(std::size_t candidate,
                                                         const call::BoundCall&,
                                                         const call::CallContext&,
                                                         const Exchange&) override {
        sequence_ = in_sequence_->sequence().shared_from_this();
        auto running =
            std::make_unique<RunningProtocol>(comm_, state_, votes_, strategies_[candidate]);
        running->bring(std::move(given_), std::move(in_sequence_));
        running_ = running.get();
        return running;
    }

    /// Keeps it for later exchanges with the same expected demand.
    void keep(const std::shared_ptr<call::BoundCall>& bound) override {
        sequence_->keep({demand_, bound, running_});
    }

private:
    bool is_first() const { return number_ == 0; }

    choose::PastChoices::Key key() const {
        constexpr std::int64_t no_kind = -1;  // different from collectives, which have one
        auto key = machine().numbers();
        key.insert(key.end(),
                   {no_kind, state_->size(), has_barrier(), demand_.degree, demand_.flow});
        for (const auto& [kind, factors, longest, node] : strategies_) {
            key.insert(key.end(),
                       {static_cast<std::int64_t>(kind), longest, node, std::ssize(factors)});
            key.insert(key.end(), factors.begin(), factors.end());
        }
        return key;
    }

    mpi::Claim operation() const {
        return arguments::operation_claim(arguments::Other::sparse_exchange);
    }
    choose::Machine machine() const { return in_sequence_->sequence().machine(); }

    /// Ends when the exchange may begin.
    struct Admission {
        ExchangeSequence& sequence;
        std::int64_t number;
        bool test() const { return sequence.may_begin(number); }
    };

    /// The first exchange opens the sequence, for which all others wait.
    engine::Steps<void> opened(int tag) {
        Admission admission{in_sequence_->sequence(), number_};
        co_await engine::until(admission);
        if (!is_first()) co_return;
        co_await in_sequence_->sequence().barrier().opened(*state_, tag);
        in_sequence_->sequence().agreed(*settings_, ranks_per_core_);
    }

    bool has_barrier() const { return in_sequence_->sequence().barrier().calls() != nullptr; }

    MPI_Comm comm_;
    std::shared_ptr<mpi::CommState> state_;
    std::shared_ptr<agree::VoteTransports> votes_;
    GivenParcels given_;
    std::unique_ptr<ExchangeInSequence> in_sequence_;
    std::int64_t number_;
    bool needs_vote_;
    std::optional<SparseSettings> settings_;
    double ranks_per_core_ = 1;
    std::optional<mpi::Error> mistake_;
    Demand demand_;
    std::vector<Strategy> strategies_;
    std::shared_ptr<ExchangeSequence> sequence_;  ///< set when bound
    RunningProtocol* running_ = nullptr;          ///< set when bound; owned by the bound call
};

}  // namespace

std::unique_ptr<engine::Request> exchanged(MPI_Comm comm, const SparseArguments& arguments,
                                           std::function<void(Delivery)> receive) {
    auto state = call::state_for_call(comm);
    auto sequence = mpi::Attribute<ExchangeSequence>::of(comm);
    if (!sequence->is_open()) sequence->open(state, comm);
    auto given = read(arguments, *state, std::move(receive));
    const auto number = sequence->next_number();
    auto in_sequence = std::make_unique<ExchangeInSequence>(std::move(sequence), number);
    auto exchange =
        std::make_unique<SparseExchange>(comm, state, std::move(given), std::move(in_sequence));
    // only the agreement on the settings uses comm: MPI_Comm_free must not wait for the exchange,
    // which may need ranks that are in MPI_Comm_free too
    return call::once(comm, std::move(state), std::move(exchange), false);
}

std::shared_ptr<call::BoundCall> exchanged_again(MPI_Comm comm, const SparseArguments& arguments,
                                                 std::function<void(Delivery)> receive) {
    auto* const sequence = mpi::Attribute<ExchangeSequence>::peek(comm);
    const auto kept = sequence != nullptr ? sequence->kept_for_next() : std::nullopt;
    if (!kept) return nullptr;
    auto given = read(arguments, *kept->bound->state, std::move(receive));
    const auto number = sequence->next_number();
    kept->protocol->bring(std::move(given), std::make_unique<ExchangeInSequence>(
                                                sequence->shared_from_this(), number));
    return kept->bound;
}

}  // namespace carpool::sparse
