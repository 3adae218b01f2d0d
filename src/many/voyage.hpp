#pragma once

#include "many/berth.hpp"
#include "many/hold.hpp"
#include "many/parcel.hpp"
#include "many/strangers.hpp"
#include "many/wire.hpp"
#include "mpi/agreement.hpp"
#include "mpi/lane.hpp"
#include "mpi/urn.hpp"
#include "routing/course.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::many {

/// One exchange as one rank sees it: made by all ranks, asked again and again until it has ended.
class Voyage {
public:
    virtual ~Voyage() = default;

    /// One step without waiting; true at the end, the last call.
    virtual bool test() = 0;

    /// What all ranks have said, the same on all of them. @pre ended
    virtual const News& news() const = 0;

    /// @pre ended
    virtual Delivery take() = 0;
};

/// Where and how an exchange travels.
struct Passage {
    const mpi::Lane& lane;  ///< outlives it
    Tags tags;
    std::int64_t longest;  ///< parcel that travels with others
};

/// By fixed partners: each sends one message to each of its own, if an empty one ([5] §3.1: dummy
/// messages), once all of the phases before have come. As every rank hears from every other in this
/// way, there is nothing to agree upon.
class FixedVoyage final : public Voyage {
public:
    /// @param berth    outlives it
    /// @param mistake  of this rank, which then gives nothing
    FixedVoyage(const Passage& passage, Berth& berth, const Cargo& cargo,
                std::optional<mpi::Mistake> mistake);

    bool test() override;
    const News& news() const override { return news_; }
    Delivery take() override { return hold_.take(); }

private:
    std::function<Outgoing&(int target)> message_for();
    void leave();

    const routing::Course& course_;
    Partners& partners_;
    Wire wire_;
    Hold hold_;
    News news_;
    std::vector<Outgoing> messages_;    // of all phases
    std::size_t left_ = 0;              // of these
    std::vector<std::size_t> missing_;  // messages of each phase that have not come
    std::size_t phase_ = 0;             // the next to leave
};

/// Straight to the targets. Messages end when they are met; who has none under way any more says so
/// in an agreement, and when all have nobody will write any more (Hoefler, Siebert and Lumsdaine
/// 2010, on our own tags).
class DirectVoyage final : public Voyage {
public:
    /// @param urn  for the agreement
    DirectVoyage(const Passage& passage, MPI_Comm comm, std::shared_ptr<mpi::Urn> urn,
                 const Cargo& cargo, std::optional<mpi::Mistake> mistake);

    bool test() override;
    const News& news() const override { return news_; }
    Delivery take() override { return hold_.take(); }

private:
    void agree();

    Tags tags_;
    MPI_Comm comm_;
    std::shared_ptr<mpi::Urn> urn_;
    Wire wire_;
    Strangers strangers_;
    Hold hold_;
    News news_;
    std::optional<mpi::Agreement> agreement_;
    bool agreed_ = false;
};

}  // namespace carpool::many
