#pragma once

#include "call/alike_calls.hpp"
#include "call/bound_call.hpp"
#include "call/cache.hpp"
#include "mpi/attribute.hpp"
#include "mpi/known_types.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

namespace carpool::call {

/// When a call that ends once returns: at its end, or at once.
enum class ReturnsAt { end, begun };

/// Families of which calls end once, and come again.
enum class RecentFamily { neighborhoods, lists, collectives };

/// The latest calls of one family on a communicator.
struct RecentCalls {
    /// What was bound for the next call on the communicator, if it has these arguments; or null.
    /// @param until  when the call returns
    std::shared_ptr<BoundCall> find(const arguments::Key& key, ReturnsAt until) {
        if (!key.whole()) return nullptr;
        return calls.find(key, [until](const BoundCall& call) {
            return call.alike == nullptr || call.alike->goes_by(call.way, until == ReturnsAt::end);
        });
    }

    using Form = Cache<BoundCall>::Form;

    /// Binds a kept call of that form to these arguments; null if there is none that may go so.
    /// @param standing  how alike calls go; nothing where the form settles it
    /// @param rebind  binds a call again, if it can be
    template <typename Rebind>
    std::shared_ptr<BoundCall> rebound(const arguments::Key& key, Form form,
                                       const std::optional<AlikeTable::Standing>& standing,
                                       ReturnsAt until, const Rebind& rebind) {
        const bool blocking = until == ReturnsAt::end;
        const auto may_go_by = [blocking](const auto& alike, std::size_t way) {
            return alike == nullptr || alike->may_go_by(way, blocking);
        };
        if (standing && !may_go_by(standing->calls, standing->identity)) return nullptr;
        const auto suits = [&](const BoundCall& call) {
            if (!call.can_rebind()) return false;
            return standing ? call.way == standing->identity : may_go_by(call.alike, call.way);
        };
        auto call = calls.rebound(key, form, suits, rebind);
        if (call && standing) call->alike = standing->calls;
        if (call) note(*call, blocking);
        return call;
    }

    int sent = 0;  ///< blocks, at most
    int received = 0;
    int rank = 0;                ///< this one
    bool ready = false;          ///< may one of them be done again without a word?
    mpi::KnownTypes types = {};  ///< of the latest that was bound again
    Cache<BoundCall> calls;

private:
    /// Counts it among those that are alike, as long as these are counted.
    static void note(BoundCall& call, bool blocking) {
        if (call.alike) call.alike->goes_by(call.way, blocking);
        if (call.alike && call.alike->settled()) call.alike = nullptr;
    }
};

/// The latest calls on a communicator that ended once.
class Recent {
public:
    RecentCalls& of(RecentFamily family) { return families_[static_cast<std::size_t>(family)]; }

    /// Those of a communicator that may be done again without a word, or null; also of what is no
    /// communicator, or none any more.
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
