#pragma once

#include "engine/loose_messages.hpp"
#include "mpi/agreement.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/vote_transport.hpp"
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

/// One exchange as one rank sees it: made by all ranks, asked again and again until it has ended.
class Protocol {
public:
    virtual ~Protocol() = default;

    /// One step without waiting; true at the end, the last call.
    virtual bool test() = 0;

    /// What all ranks have said, the same on all of them. @pre ended
    virtual const Piggyback& piggyback() const = 0;

    /// @pre ended
    virtual Delivery take() = 0;
};

/// Where and how an exchange travels.
struct ExchangeContext {
    const mpi::CommState& state;      ///< outlives it
    engine::LooseMessages& messages;  ///< outlive it; of this exchange alone
    Tags tags;
    std::int64_t longest;  ///< parcel that travels with others
};

/// By fixed partners: each sends one message to each of its own, if an empty one ([5] §3.1: dummy
/// messages), once all of the phases before have come. As every rank hears from every other in this
/// way, there is nothing to agree upon.
class PartnerProtocol final : public Protocol {
public:
    /// @param partner_state  outlives it
    /// @param mistake        of this rank, which then gives nothing
    PartnerProtocol(const ExchangeContext& context, PartnerState& partner_state,
                    const SendList& send_list, std::optional<mpi::Mistake> mistake);

    bool test() override;
    const Piggyback& piggyback() const override { return piggyback_; }
    Delivery take() override { return sorter_.take(); }

private:
    std::function<Outgoing&(int target)> message_for();
    void leave();

    const routing::PartnerSchedule& schedule_;
    PrepostedReceives& receives_;
    PendingMessages pending_;
    ParcelSorter sorter_;
    Piggyback piggyback_;
    std::vector<Outgoing> messages_;    // of all phases
    std::size_t sent_ = 0;              // of these
    std::vector<std::size_t> missing_;  // messages of each phase that have not come
    std::size_t phase_ = 0;             // the next to leave
};

/// Straight to the targets. A rank whose sends have all ended joins an agreement; when that ends,
/// no rank will send any more, and all that was sent is here. A send ends when its target has begun
/// to receive it (Hoefler, Siebert and Lumsdaine 2010, on tags of our own). Where ranks share
/// memory it ends when it lies there, and the agreement is a counting barrier.
class ConsensusProtocol final : public Protocol {
public:
    /// How ranks find out that all has been sent.
    struct Means {
        MPI_Comm comm;                                                   ///< of the agreement
        std::function<std::shared_ptr<mpi::VoteTransport>()> transport;  ///< makes that of it
        shared::CountingBarrier* barrier;  ///< null where there is none
        std::int64_t number;               ///< of the exchange
    };

    ConsensusProtocol(const ExchangeContext& context, Means means, const SendList& send_list,
                      std::optional<mpi::Mistake> mistake);

    bool test() override;
    const Piggyback& piggyback() const override { return piggyback_; }
    Delivery take() override { return sorter_.take(); }

private:
    void take_in();
    void say_that_all_is_sent();
    bool have_all_sent();
    bool look_at_barrier();
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
