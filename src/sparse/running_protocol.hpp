// SPDX-License-Identifier: MIT
#pragma once

#include "agree/votes.hpp"
#include "engine/communication.hpp"
#include "engine/loose_messages.hpp"
#include "engine/transport_choice.hpp"
#include "sparse/delivery.hpp"
#include "sparse/exchange_in_sequence.hpp"
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

/// What a rank gives to an exchange, or the mistake in it.
struct GivenParcels {
    SendList send_list;
    std::optional<mpi::Mistake> mistake;
    const std::byte* sendbuf = nullptr;
    std::function<void(Delivery)> receive;
};

/// Runs the protocols of exchanges of one strategy, one after another, each from its first message
/// to the delivery.
class RunningProtocol final : public engine::Communication {
public:
    RunningProtocol(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                    std::shared_ptr<agree::VoteTransports> votes, Strategy strategy)
        : comm_(comm),
          state_(std::move(state)),
          votes_(std::move(votes)),
          messages_(std::make_unique<engine::LooseMessages>(engine::transports_of(*state_))),
          strategy_(std::move(strategy)) {}
    ~RunningProtocol() override { abandon_exchange(); }

    /// Sets what the next start() sends.
    void bring(GivenParcels given, std::unique_ptr<ExchangeInSequence> in_sequence) {
        given_ = std::move(given);
        in_sequence_ = std::move(in_sequence);
    }

    /// @pre bring(), since the last start
    void start(int tag) override;
    bool advance() override;
    bool under_way() const override { return protocol_ != nullptr; }
    void withdraw() override { abandon_exchange(); }

private:
    std::unique_ptr<Protocol> begun(int tag);
    void deliver();
    void abandon_exchange();

    MPI_Comm comm_;
    std::shared_ptr<mpi::CommState> state_;
    std::shared_ptr<agree::VoteTransports> votes_;
    std::unique_ptr<engine::LooseMessages> messages_;  // of one exchange after another
    Strategy strategy_;
    GivenParcels given_;
    std::unique_ptr<ExchangeInSequence> in_sequence_;  // null between exchanges
    std::unique_ptr<Protocol> protocol_;               // null between exchanges, too
};

}  // namespace carpool::sparse
