#pragma once

#include "call/bound_call.hpp"
#include "call/cache.hpp"
#include "call/similar_calls.hpp"
#include "mpi/attribute.hpp"
#include "mpi/known_types.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

namespace carpool::call {

/// When a blocking or nonblocking call returns: at its end, or once it has begun.
enum class ReturnsAt { end, begun };

/// Families whose blocking and nonblocking calls are kept, to be made again.
enum class RecentFamily { neighborhoods, lists, collectives };

/// The latest calls of one family on a communicator.
struct RecentCalls {
    /// A kept call with these arguments, for the next call on the communicator; or null.
    /// @param until  when the next call returns
    std::shared_ptr<BoundCall> find(const arguments::Key& key, ReturnsAt until) {
        if (!key.whole()) return nullptr;
        return calls.find(key, [until](const BoundCall& call) {
            return call.similar == nullptr ||
                   call.similar->count_use(call.candidate, until == ReturnsAt::end);
        });
    }

    using Form = Cache<BoundCall>::Form;

    /// Binds a kept call of that form to these arguments; null if none may be used.
    /// @param standing  the candidate of similar calls; nothing if the form determines it
    /// @param rebind  binds a kept call to the arguments; returns whether it could
    template <typename Rebind>
    std::shared_ptr<BoundCall> rebound(const arguments::Key& key, Form form,
                                       const std::optional<SimilarCallTable::Standing>& standing,
                                       ReturnsAt until, const Rebind& rebind) {
        const bool blocking = until == ReturnsAt::end;
        const auto may_use = [blocking](const auto& similar, std::size_t identity) {
            return similar == nullptr || similar->may_use(identity, blocking);
        };
        if (standing && !may_use(standing->calls, standing->identity)) return nullptr;
        const auto suits = [&](const BoundCall& call) {
            if (!call.can_rebind()) return false;
            return standing ? call.candidate == standing->identity
                            : may_use(call.similar, call.candidate);
        };
        auto call = calls.rebound(key, form, suits, rebind);
        if (call && standing) call->similar = standing->calls;
        if (call) note(*call, blocking);
        return call;
    }

    int sent = 0;  ///< most blocks that a call sends
    int received = 0;
    int rank = 0;                ///< this rank
    bool ready = false;          ///< kept calls may be made again without a vote
    mpi::KnownTypes types = {};  ///< the types of the call that was bound again last
    Cache<BoundCall> calls;

private:
    /// Counts the call among similar ones, as long as these are counted.
    static void note(BoundCall& call, bool blocking) {
        if (call.similar) call.similar->count_use(call.candidate, blocking);
        if (call.similar && call.similar->settled()) call.similar = nullptr;
    }
};

/// The latest blocking and nonblocking calls on a communicator.
class Recent {
public:
    RecentCalls& of(RecentFamily family) { return families_[static_cast<std::size_t>(family)]; }

    /// The kept calls of a communicator, if they may be made again without a vote; else null, also
    /// for an invalid or freed communicator.
    static RecentCalls* ready(MPI_Comm comm, RecentFamily family) {
        auto* const recent = mpi::Attribute<Recent>::peek(comm);
        return recent != nullptr && recent->of(family).ready ? &recent->of(family) : nullptr;
    }

    void on_free() {
        for (auto& family : families_) {
            family.calls.clear();
            family.types = {};
        }
    }

private:
    std::array<RecentCalls, 3> families_;
};

}  // namespace carpool::call
