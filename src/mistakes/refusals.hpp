#pragma once

#include "base/mutex.hpp"
#include "engine/communication.hpp"
#include "engine/transport.hpp"
#include "mistakes/call_code.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/error.hpp"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace carpool::mistakes {

/// What the ranks of a communicator, whose attribute it is, tell each other of calls that have
/// failed on some of them. Nobody agrees on blocking and nonblocking calls: who finds a mistake
/// tells all others, and who waits for long looks whether somebody has. It also asks those for whom
/// it waits: one that has done something else in that call says so, also while it waits in vain on
/// another communicator.
///
/// What has been sent for a call that failed is taken away before its tags come again.
class Refusals {
public:
    explicit Refusals(std::shared_ptr<mpi::CommState> state)
        : state_(std::move(state)), done_(remembered(*state_)) {}

    /// The communicator's, made now if there are none: those of others hear for it from now on.
    static std::shared_ptr<Refusals> of(MPI_Comm comm,
                                        const std::shared_ptr<mpi::CommState>& state);

    /// Remembers what this rank does in a call.
    void begin(std::int64_t call, CallCode code) {
        auto& done = done_[place_of(call)];
        const Done before(done.load(std::memory_order_relaxed));
        const bool mustered = before.is_of(call) && before.code().precedes();
        done.store(Done(call, code, mustered).bits, std::memory_order_relaxed);
    }

    /// Tells all other ranks that a call has failed here, so that nothing more comes from here.
    void tell(std::int64_t call, const mpi::Error& error);

    /// What another rank has told of a call, or what its messages tell: that it calls something
    /// else, which then is told to all. Costs as much as some dozen messages.
    /// @param here  the exchange here: a rank from which it has all may be many calls ahead
    /// @param look  the how-manieth: each looks for something else
    std::optional<mpi::Error> found(std::int64_t call, CallCode mine,
                                    const engine::Communication& here, int look);

    /// Takes away what calls that failed have left, when it is time. Called at each call.
    void tidy(std::int64_t call) {
        if (call % turns_between_looks == 0 || call >= next_tidying_) tidy_now(call);
    }

    /// Keeps what MPI may still read until MPI ends.
    void bury(std::shared_ptr<void> failed);

    static std::shared_ptr<Refusals> on_dup(const std::shared_ptr<Refusals>&) { return nullptr; }
    void on_free();

private:
    static constexpr std::int64_t turns_between_looks = 64;
    static constexpr std::int64_t never = INT64_MAX;

    /// Who waits in vain asks from this look on: a second or two.
    static constexpr int first_question = 4;

    /// What is remembered of a call.
    struct Done {
        static constexpr int code_bits = 16;
        static constexpr std::uint64_t mustered_bit = 1 << (code_bits - 1);

        explicit Done(std::uint64_t stored) : bits(stored) {}
        Done(std::int64_t call, CallCode code, bool mustered)
            : bits(static_cast<std::uint64_t>(call + 1) << code_bits |
                   static_cast<std::uint64_t>(code.number()) | (mustered ? mustered_bit : 0)) {}

        bool is_of(std::int64_t call) const {
            return bits >> code_bits == static_cast<std::uint64_t>(call + 1);
        }
        CallCode code() const { return CallCode(static_cast<int>(bits & (mustered_bit - 1))); }
        bool mustered() const { return (bits & mustered_bit) != 0; }  ///< before it

        /// Without the number of the call.
        std::int32_t low_bits() const {
            return static_cast<std::int32_t>(bits & ((std::uint64_t{1} << code_bits) - 1));
        }

        std::uint64_t bits;
    };

    /// Of so many calls this rank knows what it has done: as many as can be told apart.
    static std::size_t remembered(const mpi::CommState& state) {
        constexpr std::int64_t most = 2048;
        const auto told_apart = std::clamp<std::int64_t>(state.turns_before_reuse(), 1, most);
        return std::bit_floor(static_cast<std::size_t>(told_apart));
    }
    std::size_t place_of(std::int64_t call) const {
        return static_cast<std::size_t>(call) & (done_.size() - 1);
    }

    engine::LooseMessages& messages();
    void ask(std::int64_t call, CallCode mine, const std::vector<int>& ranks);
    void answer(int rank, std::int64_t call, const Done& asker);
    void send(std::int64_t call, const mpi::Error& error);
    void send_besides(std::span<const std::byte> letter);
    void hear();
    void hear_elsewhere() const;
    void hear_beside();
    void note(std::int64_t call);
    void tidy_now(std::int64_t call);
    void drain(std::int64_t call);
    void discard_letters(std::int64_t call);
    void make_room(std::int64_t call);
    std::optional<mpi::Error> stray(std::int64_t call, CallCode mine,
                                    const engine::Communication& here, int look);

    std::shared_ptr<mpi::CommState> state_;
    std::vector<std::atomic<std::uint64_t>> done_;  // in the latest calls; a power of two of them
    base::Mutex mutex_;  // another thread may progress a call on the communicator
    std::unique_ptr<engine::LooseMessages> messages_;
    std::unique_ptr<engine::LooseMessages> besides_;  // by MPI, also to mates
    std::deque<std::vector<std::byte>> sent_;
    std::map<std::int64_t, mpi::Error> heard_;     // by call
    std::map<std::int64_t, std::int64_t> untidy_;  // calls that failed, and when they are tidied
    std::int64_t next_tidying_ = never;
    bool gone_ = false;  // the communicator is
    std::vector<std::shared_ptr<void>> buried_;
    std::vector<engine::Staging> drained_;  // until it has come
};

}  // namespace carpool::mistakes
