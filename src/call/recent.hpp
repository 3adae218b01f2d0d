#pragma once

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

/// Families whose blocking and nonblocking calls are kept, to be made again.
enum class RecentFamily { neighborhoods, lists, collectives };

/// The latest calls of one family on a communicator.
struct RecentCalls {
    /// A kept call with these arguments, for the next call on the communicator; or null.
    std::shared_ptr<BoundCall> find(const arguments::Key& key) {
        return key.whole() ? calls.find(key) : nullptr;
    }

    using Form = Cache<BoundCall>::Form;

    /// Binds a kept call of that form to these arguments; null if none may be used.
    /// @param candidate  its candidate; nothing if the form determines it
    /// @param rebind  binds a kept call to the arguments; returns whether it could
    template <typename Rebind>
    std::shared_ptr<BoundCall> rebound(const arguments::Key& key, Form form,
                                       std::optional<std::size_t> candidate, const Rebind& rebind) {
        const auto suits = [&](const BoundCall& call) {
            return call.can_rebind() && (!candidate || call.candidate == *candidate);
        };
        return calls.rebound(key, form, suits, rebind);
    }

    int sent = 0;  ///< most blocks that a call sends
    int received = 0;
    int rank = 0;                ///< this rank
    bool ready = false;          ///< kept calls may be made again without a vote
    mpi::KnownTypes types = {};  ///< the types of the call that was bound again last
    Cache<BoundCall> calls;
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
