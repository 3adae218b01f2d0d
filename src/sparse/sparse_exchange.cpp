#include "sparse/sparse_exchange.hpp"

#include "call/peer_list.hpp"
#include "engine/activity.hpp"
#include "engine/opened_state.hpp"
#include "engine/steps.hpp"
#include "group/vote_transports.hpp"
#include "mpi/agreement.hpp"
#include "mpi/attribute.hpp"
#include "mpi/oversubscription.hpp"
#include "sparse/exchange_sequence.hpp"
#include "sparse/protocol.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace carpool::sparse {
namespace {

/// What a rank brings to an exchange, or what is wrong with it.
struct Intent {
    SendList send_list;
    std::optional<mpi::Mistake> mistake;
    const std::byte* sendbuf;
    std::function<void(Delivery)> receive;
};

SendList read_send_list(const Arguments& arguments, const mpi::CommState& state) {
    const auto edges = call::edges_of(
        {"outdegree", "destinations", arguments.degree, arguments.destinations}, state.size());
    if (arguments.send.buffer == MPI_IN_PLACE)
        throw mpi::Error(MPI_ERR_BUFFER, "sendbuf is MPI_IN_PLACE, expected a buffer of its own");
    call::check_arrays(arguments.send, arguments.degree);
    call::BlockReader reader(arguments.send, mpi::private_self());
    SendList send_list;
    for (int i = 0; i < arguments.degree; ++i) {
        const int target = edges[static_cast<std::size_t>(i)].peer;
        send_list.targets.push_back(target);
        send_list.blocks.push_back(target == topology::no_rank ? mpi::Block{} : reader.read(i));
    }
    return send_list;
}

Intent read_intent(const Arguments& arguments, const mpi::CommState& state,
                   std::function<void(Delivery)> receive) {
    Intent intent{{}, {}, arguments.send.buffer, std::move(receive)};
    const auto error =
        mpi::mistake_in([&] { intent.send_list = read_send_list(arguments, state); });
    if (error) intent.mistake = mpi::Mistake{state.rank(), error->error_class(), error->what()};
    return intent;
}

/// Of the exchanges of a communicator one, from when it may begin until it has ended. One that
/// breaks off, because MPI or memory fails, ends all later ones, and leaves its memory to MPI.
class Turn {
public:
    Turn(std::shared_ptr<ExchangeSequence> sequence, std::int64_t number)
        : sequence_(std::move(sequence)), number_(number) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
        if (demand) {
            sequence_->end(number_, *demand);
        } else {
            sequence_->break_off(number_);
            static_cast<void>(protocol.release());
        }
    }

    bool test() { return sequence_->may_begin(number_); }

    std::unique_ptr<Protocol> protocol;
    std::optional<Demand> demand;  ///< of all ranks, once it is known

private:
    std::shared_ptr<ExchangeSequence> sequence_;
    std::int64_t number_;
};

/// Where an exchange takes place.
struct Ticket {
    MPI_Comm comm;
    std::shared_ptr<mpi::CommState> state;
    std::shared_ptr<ExchangeSequence> sequence;
    std::shared_ptr<group::VoteTransports>
        transports;  ///< asked for at once: comm may be freed meanwhile
    std::int64_t number;
    int tag;  ///< of an agreement
};

std::unique_ptr<Protocol> protocol_of(const Ticket& ticket, const Intent& intent) {
    const auto strategy = ticket.sequence->strategy(ticket.number, ticket.state->size());
    const auto tags = ticket.sequence->tags(ticket.number);
    const Terms terms{*ticket.state, tags, strategy.longest};
    if (strategy.kind != Strategy::Kind::direct) {
        auto& partner_state =
            ticket.sequence->partner_state(ticket.number, strategy, *ticket.state);
        return std::make_unique<PartnerProtocol>(terms, partner_state, intent.send_list,
                                                 intent.mistake);
    }
    auto transport = group::VoteTransports::lend(ticket.transports, ticket.state, ticket.tag);
    return std::make_unique<ConsensusProtocol>(terms, ticket.comm, std::move(transport),
                                               intent.send_list, intent.mistake);
}

/// By the first exchange, for all.
class FirstWord {
public:
    explicit FirstWord(const Ticket& ticket)
        : pending_(ticket.state, &engine::Activity::progress), sequence_(*ticket.sequence) {
        const auto mistake =
            mpi::mistake_in([&] { settings_ = Settings::from_environment(ticket.state->size()); });
        mpi::Tally tally;
        tally.oversubscription.add(mpi::oversubscription());
        std::vector<mpi::Claim> claims;
        if (settings_) claims.push_back(settings_->claim());
        agreement_.emplace(ticket.comm, std::move(claims), mistake, tally);
    }

    bool test() { return agreement_->test(); }

    void conclude() {
        try {
            agreement_->conclude();
            const double ranks_per_core =
                mpi::ranks_per_core(agreement_->tally().oversubscription.most);
            settings_->heed_oversubscription(ranks_per_core);
            sequence_.agreed(*settings_, ranks_per_core);
        } catch (const mpi::Error& error) {
            sequence_.failed(error);
        }
    }

private:
    mpi::CommState::Pending pending_;
    ExchangeSequence& sequence_;
    std::optional<Settings> settings_;
    std::optional<mpi::Agreement> agreement_;
};

std::shared_ptr<engine::Prepared> nothing_left(const mpi::CommState& state) {
    auto prepared = std::make_shared<engine::Prepared>();
    prepared->exchange = std::make_unique<engine::Exchange>(
        engine::bind({}, {}, engine::Packing::pack), state.channel_comm(), std::nullopt);
    return prepared;
}

/// All of an exchange is what a request calls its preparation; nothing is left to start.
engine::Steps steps_of(Ticket ticket, Intent intent) {
    if (ticket.number == 0) {
        FirstWord word(ticket);
        co_await engine::until(word);
        word.conclude();
    }
    Turn turn(ticket.sequence, ticket.number);
    co_await engine::until(turn);
    turn.protocol = protocol_of(ticket, intent);
    co_await engine::until(*turn.protocol);
    const auto& piggyback = turn.protocol->piggyback();
    turn.demand = piggyback.demand;
    if (piggyback.mistake) throw piggyback.mistake->error();
    auto delivery = turn.protocol->take();
    delivery.sent = std::move(intent.send_list);
    delivery.sendbuf = intent.sendbuf;
    intent.receive(std::move(delivery));
    co_return nothing_left(*ticket.state);
}

}  // namespace

std::unique_ptr<engine::Request> exchanged(MPI_Comm comm, const Arguments& arguments,
                                           std::function<void(Delivery)> receive) {
    auto state = engine::opened_state(comm);
    auto sequence = mpi::Attribute<ExchangeSequence>::of(comm);
    if (!sequence->is_open()) sequence->open(state, comm);
    auto intent = read_intent(arguments, *state, std::move(receive));
    const int tag = state->call_tag();
    auto transports = mpi::Attribute<group::VoteTransports>::of(comm);
    Ticket ticket{comm, state, sequence, std::move(transports), sequence->next_number(), tag};
    auto steps = engine::Steps::begun(steps_of(std::move(ticket), std::move(intent)));
    // who frees comm must not wait for ranks that do so too: only the first word travels on it
    return engine::Request::once(comm, std::move(state), tag, std::move(steps), false);
}

}  // namespace carpool::sparse
