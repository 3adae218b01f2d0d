#include "sparse/sparse_exchange.hpp"

#include "call/operation_claim.hpp"
#include "call/peer_list.hpp"
#include "call/pipeline.hpp"
#include "call/votes.hpp"
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
struct Given {
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
    call::BlockReader reader(arguments.send, mpi::Channel::alone()->comm());
    SendList send_list;
    for (int i = 0; i < arguments.degree; ++i) {
        const int target = edges[static_cast<std::size_t>(i)].peer;
        send_list.targets.push_back(target);
        send_list.blocks.push_back(target == topology::no_rank ? mpi::Block{} : reader.read(i));
    }
    return send_list;
}

Given read(const Arguments& arguments, const mpi::CommState& state,
           std::function<void(Delivery)> receive) {
    Given given{{}, {}, arguments.send.buffer, std::move(receive)};
    const auto error = mpi::mistake_in([&] { given.send_list = read_send_list(arguments, state); });
    if (error) given.mistake = mpi::Mistake{state.rank(), error->error_class(), error->what()};
    return given;
}

/// Of the exchanges of a communicator one, from its call until it has ended. One that breaks off,
/// because MPI or memory fails, ends all later ones.
class Turn {
public:
    Turn(std::shared_ptr<ExchangeSequence> sequence, std::int64_t number)
        : sequence_(std::move(sequence)), number_(number) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
        if (!ended_) sequence_->break_off(number_);
    }

    /// @param demand  that of all ranks
    void end(const Demand& demand) {
        sequence_->end(number_, demand);
        ended_ = true;
    }

    bool ended() const { return ended_; }
    std::int64_t number() const { return number_; }
    ExchangeSequence& sequence() const { return *sequence_; }

private:
    std::shared_ptr<ExchangeSequence> sequence_;
    std::int64_t number_;
    bool ended_ = false;
};

/// The protocol of one exchange, from its first message to the delivery.
class RunningProtocol final : public engine::Communication {
public:
    using Begin = std::function<std::unique_ptr<Protocol>(const Given&)>;

    RunningProtocol(Given given, std::unique_ptr<Turn> turn, Begin begin)
        : given_(std::move(given)), turn_(std::move(turn)), begin_(std::move(begin)) {}

    /// One that has not ended leaves its memory to MPI, which may still use it.
    ~RunningProtocol() override {
        if (!turn_->ended()) static_cast<void>(protocol_.release());
    }

    void start(int) override { protocol_ = begin_(given_); }

    bool advance() override {
        if (!protocol_->test()) return false;
        const auto& piggyback = protocol_->piggyback();
        turn_->end(piggyback.demand);
        if (piggyback.mistake) throw piggyback.mistake->error();
        auto delivery = protocol_->take();
        delivery.sent = std::move(given_.send_list);
        delivery.sendbuf = given_.sendbuf;
        given_.receive(std::move(delivery));
        return true;
    }

private:
    Given given_;
    std::unique_ptr<Turn> turn_;
    Begin begin_;
    std::unique_ptr<Protocol> protocol_;
};

/// Sparse exchanges ([5]) as a family. The first on a communicator agrees on the settings, for all;
/// candidates are strategies, by what an earlier exchange has demanded; what is started is a
/// protocol that finds out on its way who sends to whom.
class SparseExchange final : public call::Family {
public:
    SparseExchange(MPI_Comm comm, std::shared_ptr<mpi::CommState> state, Given given,
                   std::unique_ptr<Turn> turn)
        : comm_(comm),
          state_(std::move(state)),
          votes_(mpi::Attribute<call::VoteTransports>::of(comm)),
          given_(std::move(given)),
          turn_(std::move(turn)),
          number_(turn_->number()) {
        if (asks())
            mistake_ =
                mpi::mistake_in([&] { settings_ = Settings::from_environment(state_->size()); });
    }

    bool asks() const override { return number_ == 0; }

    mpi::Claim operation() const override {
        return call::operation_claim(call::Other::sparse_exchange);
    }

    call::Statement statement() const override {
        call::Statement statement{{operation()}, mistake_, {}};
        if (settings_) statement.claims.push_back(settings_->claim());
        statement.tally.oversubscription.add(mpi::oversubscription());
        return statement;
    }

    void agree(const std::vector<mpi::Claim>&, const mpi::Tally& tally,
               const call::Ticket&) override {
        const double ranks_per_core = mpi::ranks_per_core(tally.oversubscription.most);
        settings_->heed(*state_);
        settings_->heed_shared_cores(ranks_per_core);
        turn_->sequence().agreed(*settings_, ranks_per_core);
    }

    void take_own_word(const call::Ticket&) override {}
    void refuse(const mpi::Error& error, const mpi::Tally&) override {
        turn_->sequence().failed(error);
    }
    bool may_go_on() override { return turn_->sequence().may_begin(number_); }

    std::vector<choose::Candidate> candidates() override {
        auto& sequence = turn_->sequence();
        demand_ = sequence.expected_demand(number_, state_->size());
        strategies_ = sequence.settings().strategies(machine(), state_->size());
        std::vector<choose::Candidate> result;
        for (const auto& strategy : strategies_)
            result.push_back(
                {[&] { return load_of(strategy, demand_, state_->size(), machine()); }});
        return result;
    }

    choose::PastChoices::Key key() const override {
        constexpr std::int64_t no_kind = -1;  // as collectives have
        auto key = machine().numbers();
        key.insert(key.end(), {no_kind, state_->size(), demand_.degree, demand_.flow});
        return key;
    }

    choose::Machine machine() const override { return turn_->sequence().machine(); }

    call::Written write(std::size_t) override { return {}; }

    engine::Buffers buffers(std::size_t, schedule::Schedule&, call::BoundCall&) const override {
        return {};
    }
    engine::Manner manner(const engine::Summary&, std::optional<int>) const override { return {}; }

    /// As expected of the rank that has most: what comes nobody knows before.
    engine::Summary summary(std::size_t candidate, const choose::Load& load) const override {
        return {name_of(strategies_[candidate]),
                load.phases,
                load.messages(),
                load.messages(),
                load.blocks(),
                load.bytes()};
    }

    std::unique_ptr<engine::Communication> protocol(std::size_t candidate,
                                                    const call::Ticket& ticket) override {
        auto begin = [maker =
                          ProtocolMaker{comm_, state_, votes_, strategies_[candidate], ticket.tag},
                      turn = turn_.get()](const Given& given) {
            return maker.begun(given, turn->sequence(), turn->number());
        };
        return std::make_unique<RunningProtocol>(std::move(given_), std::move(turn_),
                                                 std::move(begin));
    }

private:
    /// What a protocol needs beside what the rank gives.
    struct ProtocolMaker {
        MPI_Comm comm;
        std::shared_ptr<mpi::CommState> state;
        std::shared_ptr<call::VoteTransports> votes;
        Strategy strategy;
        int tag;  ///< of an agreement

        std::unique_ptr<Protocol> begun(const Given& given, ExchangeSequence& sequence,
                                        std::int64_t number) const {
            const Terms terms{*state, sequence.tags(number), strategy.longest};
            if (strategy.kind == Strategy::Kind::direct)
                return std::make_unique<ConsensusProtocol>(
                    terms, comm, call::VoteTransports::lend(votes, state, tag), given.send_list,
                    given.mistake);
            auto& partner_state = sequence.partner_state(number, strategy, *state);
            return std::make_unique<PartnerProtocol>(terms, partner_state, given.send_list,
                                                     given.mistake);
        }
    };

    MPI_Comm comm_;
    std::shared_ptr<mpi::CommState> state_;
    std::shared_ptr<call::VoteTransports> votes_;
    Given given_;
    std::unique_ptr<Turn> turn_;
    std::int64_t number_;
    std::optional<Settings> settings_;
    std::optional<mpi::Error> mistake_;
    Demand demand_;
    std::vector<Strategy> strategies_;
};

}  // namespace

std::unique_ptr<engine::Request> exchanged(MPI_Comm comm, const Arguments& arguments,
                                           std::function<void(Delivery)> receive) {
    auto state = call::state_for_call(comm);
    auto sequence = mpi::Attribute<ExchangeSequence>::of(comm);
    if (!sequence->is_open()) sequence->open(state, comm);
    auto given = read(arguments, *state, std::move(receive));
    const auto number = sequence->next_number();
    auto turn = std::make_unique<Turn>(std::move(sequence), number);
    auto exchange =
        std::make_unique<SparseExchange>(comm, state, std::move(given), std::move(turn));
    // only the agreement on the settings uses comm: MPI_Comm_free must not wait for the exchange,
    // which may need ranks that are in MPI_Comm_free too
    return call::once(comm, std::move(state), std::move(exchange), call::Until::begun, false);
}

}  // namespace carpool::sparse
