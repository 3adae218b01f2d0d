// SPDX-License-Identifier: MIT
#pragma once

#include "base/rank_visitor.hpp"
#include "device/driver.hpp"
#include "engine/communication.hpp"
#include "engine/shared_use.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace carpool::engine {

/// What a rank does in one exchange, in numbers.
struct Summary {
    std::string algorithm;
    std::int64_t phases = 0;
    std::int64_t rounds = 0;
    std::int64_t messages = 0;
    std::int64_t volume = 0;
    std::int64_t bytes = 0;
    SharedUse shared = {};
};

/// The name of the host MPI's own collective in a summary.
inline constexpr const char* host = "host";

/// A communication that is planned, bound and ready to start. A derived class adds the memory that
/// the communication uses.
struct ReadyCommunication {
    virtual ~ReadyCommunication() = default;

    /// The summary, with what the communication has counted so far: Summary::shared is filled in
    /// only here.
    virtual Summary latest_summary() const { return summary; }

    /// Sets the stream of buffers that lie on a GPU, for later starts.
    virtual void set_stream(device::Stream) {}

    Summary summary;
    std::unique_ptr<Communication> communication;

    /// The code of the call: its messages have the tag of this code among the call's tags. Without
    /// one they have the first of them.
    std::optional<int> code;
};

/// What must be agreed upon, planned and bound before something can start. Any thread may progress
/// a preparation, one at a time, often under the lock of all activities, so it must not progress
/// activities itself. It posts its collectives on the user's communicator when it is made, and none
/// later: the user's next collective call may come first.
class Preparation {
public:
    virtual ~Preparation() = default;

    /// Takes one step without waiting; returns null until the preparation has ended. Throws the
    /// same error on all ranks. Not called again once it has returned a result or thrown.
    virtual std::shared_ptr<ReadyCommunication> advance() = 0;

    /// Gives up what it waits for, which must live on. It takes no more steps.
    virtual void withdraw() = 0;

    /// Visits the ranks whose messages are missing, as far as is known.
    virtual void visit_awaited(const base::RankVisitor& visit) = 0;
};

}  // namespace carpool::engine
