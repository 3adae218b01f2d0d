#pragma once

#include "engine/in_order.hpp"
#include "engine/transport.hpp"
#include "shared/mate.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace carpool::engine {

/// Loose messages: through memory to and from the ranks with which this one shares some, by MPI to
/// and from all others. Synchronous ones go by MPI, which alone knows when they are received.
class NodeMessages final : public LooseMessages {
public:
    NodeMessages(const mpi::CommState& state, std::unique_ptr<LooseMessages> by_mpi)
        : state_(state), by_mpi_(std::move(by_mpi)) {}
    ~NodeMessages() override;

    void send(int target, int tag, std::span<const std::byte> bytes, bool synchronous) override;
    std::size_t receive(int source, int tag, std::span<std::byte> bytes) override;
    std::optional<UnexpectedMessage> probe(int tag) override;
    std::optional<UnexpectedMessage> probe_unsynchronous(int tag) override;
    bool is_behind() override;
    std::optional<std::size_t> test_any() override;
    bool all_sent() override;
    bool all_received() override;
    void clear() override;
    std::optional<int> unexpected_from(int rank) override;

private:
    struct Outgoing {
        shared::Mate* mate;
        int target;
        shared::Address address;
        std::span<const std::byte> bytes;
    };

    enum class State { expected, by_mpi, ended, told };

    struct Receive {
        shared::Mate* mate;  ///< null if it comes by MPI from the beginning
        int source;
        std::span<std::byte> bytes;
        shared::Expectation expectation = {};
        State state = State::expected;
        std::size_t number = 0;  ///< among those by MPI
    };

    bool try_to_send(const Outgoing& message);
    bool send_by_mpi(const Outgoing& message);
    Receive& new_receive(shared::Mate* mate, int source, int tag, std::span<std::byte> bytes);
    void receive_by_mpi(Receive& receive);
    void look();
    std::optional<UnexpectedMessage> probe_mates(int tag);
    std::optional<UnexpectedMessage> taken_from(shared::Mate& mate, int source, int tag);
    shared::Address address(int tag) const { return {state_.channel()->company().context, tag}; }

    const mpi::CommState& state_;
    std::unique_ptr<LooseMessages> by_mpi_;
    InOrder<Outgoing> delayed_;
    std::deque<Receive> receives_;  // which stay where they are
    std::size_t open_ = 0;          // that have not ended
    std::size_t told_ = 0;          // all before have been
    int next_ = 0;                  // the rank that is probed next
};

}  // namespace carpool::engine
