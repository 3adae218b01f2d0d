#pragma once

#include "base/mutex.hpp"
#include "call/bound_call.hpp"
#include "call/cache.hpp"
#include "mpi/attribute.hpp"
#include "mpi/lives.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

namespace carpool::call {

/// When a call that ends once returns: at its end, or at once.
enum class Until { end, begun };

/// Families of which calls end once, and come again.
enum class RecentFamily { neighborhoods, lists, collectives };

/// The latest calls of one family on a communicator.
struct RecentCalls {
    /// What was bound for the next call on the communicator, if it has these arguments; or null.
    /// @param until  when the call returns
    std::shared_ptr<BoundCall> find(const arguments::Key& key, Until until) {
        if (!key.whole()) return nullptr;
        return calls.find(key, [until](const BoundCall& call) {
            return call.alike == nullptr || call.alike->goes_by(call.way, until == Until::end);
        });
    }

    int sent = 0;  ///< blocks, at most
    int received = 0;
    int rank = 0;        ///< this one
    bool ready = false;  ///< may one of them be done again without a word?
    Cache<BoundCall> calls;
};

/// The latest calls on a communicator, whose attribute it is, that ended once.
class Recent {
public:
    RecentCalls& of(RecentFamily family) { return families_[static_cast<std::size_t>(family)]; }

    /// Those of a communicator that may be done again without a word, or null; also of what is no
    /// communicator, or none any more.
    static RecentCalls* ready(MPI_Comm comm, RecentFamily family) {
        auto* const recent = find(comm);
        return recent != nullptr && recent->of(family).ready ? &recent->of(family) : nullptr;
    }

    static std::shared_ptr<Recent> on_dup(const std::shared_ptr<Recent>&) { return nullptr; }
    void on_free() {
        for (auto& family : families_) family.calls.clear();
        std::ranges::replace_if(
            latest_, [this](const Latest& one) { return one.recent == this; }, Latest{});
    }

private:
    /// Of a communicator that is not freed before this says so.
    struct Latest {
        MPI_Comm comm;
        Recent* recent;
    };

    static Recent* find(MPI_Comm comm) {
        for (const auto& one : latest_)
            if (one.comm == comm) return one.recent;
        auto* const recent = mpi::lives(comm) ? mpi::Attribute<Recent>::peek(comm) : nullptr;
        if (recent != nullptr && base::Mutex::expects_one_thread())
            latest_[next_++ % latest_.size()] = {comm, recent};
        return recent;
    }

    // To ask MPI for the attribute takes a sixth of a short call.
    static inline std::array<Latest, 4> latest_ = {};
    static inline std::size_t next_ = 0;

    std::array<RecentCalls, 3> families_;
};

}  // namespace carpool::call
