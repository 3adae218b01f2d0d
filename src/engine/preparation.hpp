#pragma once

#include "engine/communication.hpp"
#include "engine/shared_use.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

/// What a summary calls MPI's own collective.
inline constexpr const char* host = "host";

/// Planned and bound, ready to start. Who derives from it adds the memory that the communication
/// uses.
struct Prepared {
    virtual ~Prepared() = default;

    /// The summary, with what the communication has counted so far: Summary::shared is filled in
    /// only here.
    virtual Summary latest_summary() const { return summary; }

    Summary summary;
    std::unique_ptr<Communication> communication;

    /// Its messages have the tag of that code, in the turn of the call; without one the first.
    std::optional<int> code;
};

/// What must be agreed upon, planned and bound before something can start. It may be progressed by
/// any thread, one at a time, often under the lock of all activities, so it must not progress these
/// itself. What it calls on the user's communicator it posts when it is made, and nothing later:
/// the user's next collective call may come first.
class Preparation {
public:
    virtual ~Preparation() = default;

    /// One step without waiting; null until all is done, the last call. Throws what all ranks throw
    /// alike, then for the last time too.
    virtual std::shared_ptr<Prepared> advance() = 0;

    /// Gives up what it waits for, which must live on. It takes no more steps.
    virtual void withdraw() = 0;

    /// Whose messages are missing, as far as is known.
    virtual std::vector<int> awaited() = 0;
};

}  // namespace carpool::engine
