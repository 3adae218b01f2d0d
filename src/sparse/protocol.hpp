// SPDX-License-Identifier: MIT
#pragma once

#include "engine/loose_messages.hpp"
#include "mpi/comm/agreement.hpp"
#include "mpi/comm/comm_state.hpp"
#include "mpi/comm/vote_transport.hpp"
#include "routing/partner_schedule.hpp"
#include "shared/counting_barrier.hpp"
#include "sparse/parcel.hpp"
#include "sparse/parcel_sorter.hpp"
#include "sparse/partner_state.hpp"
#include "sparse/pending_messages.hpp"
#include "sparse/probed_receives.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::sparse {

/// One exchange on one rank. Every rank makes one, and tests it until it has ended.
class Protocol {
public:
    virtual ~Protocol() = default;

    /// Takes one step without waiting. Returns true at the end, and must not be called after that.
    virtual bool test() = 0;

    /// What all ranks have found, the same on all of them. @pre ended
    virtual const Piggyback& piggyback() const = 0;

    /// @pre ended
    virtual Delivery take() = 0;
};

/// The state and the limits of an exchange.
struct ExchangeContext {
    const mpi::CommState& state;      ///< must outlive it
    engine::LooseMessages& messages;  ///< must outlive it; of this exchange alone
    Tags tags;
    std::int64_t longest;  ///< bytes of a parcel that is sent with others
};

/// An exchange by fixed partners. Each rank sends one message, which may be empty ([5] §3.1: dummy
/// messages), to each of its partners of a phase when all messages of the phases before have
/// arrived. In this way each rank receives from each other rank, so no agreement is needed.
class PartnerProtocol final : public Protocol {
public:
    /// @param partner_state  must outlive it
    /// @param mistake        in this rank's arguments; the rank then sends no parcels
    PartnerProtocol(const ExchangeContext& context, PartnerState& partner_state,
                    const SendList& send_list, std::optional<mpi::Mistake> mistake);

    bool test() override;
    const Piggyback& piggyback() const override { return piggyback_; }
    Delivery take() override { return sorter_.take(); }

private:
    std::function<OutgoingParcels&(int target)> message_for();
    void leave();

    const routing::PartnerSchedule& schedule_;
    PrepostedReceives& receives_;
    PendingMessages pending_;
    ParcelSorter sorter_;
    Piggyback piggyback_;
    std::vector<OutgoingParcels> messages_;  // of all phases
    std::size_t sent_ = 0;                   // how many of these
    std::vector<std::size_t> missing_;       // messages of each phase that have not arrived
    std::size_t phase_ = 0;                  // the next to be sent
};

/// An exchange by messages straight to the targets. A rank whose sends have all ended joins an
/// agreement; when that ends, no rank will send any more, and all that was sent is here. A send
/// ends when its target has begun to receive it (Hoefler, Siebert and Lumsdaine 2010, on tags of
/// our own). Where ranks share memory a send ends when its bytes lie there, and the agreement is a
/// counting barrier.
class ConsensusProtocol final : public Protocol {
public:
    /// The means by which ranks find out that all has been sent.
    struct Means {
        MPI_Comm comm;  ///< the comm of the agreement
        std::function<std::shared_ptr<mpi::VoteTransport>()> transport;  ///< makes the one it uses
        shared::CountingBarrier* barrier;                                ///< null if there is none
        std::int64_t number;  ///< the number of the exchange
    };

    ConsensusProtocol(const ExchangeContext& context, Means means, const SendList& send_list,
                      std::optional<mpi::Mistake> mistake);

    bool test() override;
    const Piggyback& piggyback() const override { return piggyback_; }
    Delivery take() override { return sorter_.take(); }

private:
    void take_in();
    void enter_consensus();
    bool have_all_sent();
    bool test_barrier();
    void agree();

    Tags tags_;
    Means means_;
    PendingMessages pending_;
    ProbedReceives probed_;
    ParcelSorter sorter_;
    Piggyback piggyback_;
    std::optional<mpi::Agreement> agreement_;
    bool said_ = false;
    bool all_said_ = false;
};

}  // namespace carpool::sparse
