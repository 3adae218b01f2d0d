#pragma once

#include "call/votes.hpp"
#include "engine/communication.hpp"
#include "sparse/delivery.hpp"
#include "sparse/exchange_sequence.hpp"
#include "sparse/protocol.hpp"
#include "sparse/strategy.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace carpool::sparse {

/// What a rank brings to an exchange, or what is wrong with it.
struct Given {
    SendList send_list;
    std::optional<mpi::Mistake> mistake;
    const std::byte* sendbuf = nullptr;
    std::function<void(Delivery)> receive;
};

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

    std::int64_t number() const { return number_; }
    ExchangeSequence& sequence() const { return *sequence_; }

private:
    std::shared_ptr<ExchangeSequence> sequence_;
    std::int64_t number_;
    bool ended_ = false;
};

/// The protocol of one exchange after another that go by one strategy, each from its first message
/// to the delivery.
class RunningProtocol final : public engine::Communication {
public:
    RunningProtocol(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                    std::shared_ptr<call::VoteTransports> votes, Strategy strategy)
        : comm_(comm),
          state_(std::move(state)),
          votes_(std::move(votes)),
          strategy_(std::move(strategy)) {}
    ~RunningProtocol() override { leave_off(); }

    /// What is started next.
    void bring(Given given, std::unique_ptr<Turn> turn) {
        given_ = std::move(given);
        turn_ = std::move(turn);
    }

    /// @pre bring(), since the last start
    void start(int tag) override;
    bool advance() override;

private:
    std::unique_ptr<Protocol> begun(int tag);
    void deliver();
    void leave_off();

    MPI_Comm comm_;
    std::shared_ptr<mpi::CommState> state_;
    std::shared_ptr<call::VoteTransports> votes_;
    Strategy strategy_;
    Given given_;
    std::unique_ptr<Turn> turn_;          // null between exchanges
    std::unique_ptr<Protocol> protocol_;  // the same
};

}  // namespace carpool::sparse
