// SPDX-License-Identifier: MIT
#include "engine/memory_transport.hpp"

#include "engine/memory_receives.hpp"
#include "mpi/comm/endpoint_table.hpp"

#include <algorithm>
#include <utility>

namespace carpool::engine {
namespace {

class MemoryMessages final : public Transport::Messages {
public:
    MemoryMessages(const TransferList& list, const mpi::CommState& state,
                   const StagingLimits& longest)
        : sends_(state, list.sends, longest, list.receives.empty(), shared_use_),
          receives_(state, list) {}

    void filled() override { sends_.place_messages(); }

    void post(int tag) override {
        sends_.begin(tag);
        receives_.post(tag);
    }

    void launch(std::size_t send) override { sends_.launch(send); }

    void send(int target, int tag, std::span<const std::byte> bytes, bool) override {
        // only receives write to the memory of a transfer
        auto* const memory = const_cast<std::byte*>(bytes.data());
        sends_.send({.memory = memory, .peer = target, .bytes = std::ssize(bytes)}, tag);
    }

    void receive(int source, int tag, std::span<std::byte> bytes) override {
        receives_.receive({.memory = bytes.data(), .peer = source, .bytes = std::ssize(bytes)},
                          tag);
    }

    std::optional<UnexpectedMessage> probe(int tag) override { return receives_.probe(tag); }

    std::span<const int> test_some(int count, std::span<int> ended) override {
        poll();
        return endings().tell(count, ended);
    }

    bool test_all(int first, int end) override {
        poll();
        const int receives = endings().receives();
        return endings().all(std::min(first, receives), std::min(end, receives)) &&
               (end <= receives || sends_.all_have_left());
    }

    bool has_ended(int place) const override {
        const int receives = receives_.endings().receives();
        return place < receives ? receives_.endings().has(static_cast<std::size_t>(place))
                                : sends_.has_left(static_cast<std::size_t>(place - receives));
    }

    void withdraw() override {
        receives_.withdraw();
        sends_.withdraw();
    }

private:
    Endings& endings() { return receives_.endings(); }

    void poll() {
        sends_.go_on();
        receives_.poll();
    }

    MemorySends sends_;
    MemoryReceives receives_;
};

}  // namespace

std::optional<Reach> MemoryTransport::reach(int peer) const {
    if (state_.endpoint(peer) == nullptr) return std::nullopt;
    return Reach{.packs_to = longest_.put_together, .unpacks_to = longest_.longest()};
}

Staging MemoryTransport::staging(int, std::int64_t bytes) const { return memory_for(bytes); }

/// Content that is added to other blocks is read at once, and copying it out of a staging buffer
/// brings it nearer (docs/measurements).
std::unique_ptr<Transport::Messages> MemoryTransport::messages(TransferList list) const {
    auto longest = longest_;
    if (list.summed) longest.whole = std::max(longest.whole, longest.put_together);
    return std::make_unique<MemoryMessages>(list, state_, longest);
}

UnexpectedTag MemoryTransport::unexpected_from(int rank) const {
    auto* const endpoint = state_.endpoint(rank);
    if (endpoint == nullptr) return {};
    const bool behind = endpoint->is_behind();
    if (!endpoint->has_unexpected()) return {{}, behind};
    return {endpoint->first_unexpected(state_.channel()->endpoint_table().context), behind};
}

}  // namespace carpool::engine
