// SPDX-License-Identifier: MIT
#pragma once

#include "engine/endings.hpp"
#include "engine/receive_lengths.hpp"
#include "engine/transport.hpp"
#include "streams.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace carpool::tests {

/// The messages of one exchange over sockets.
class SocketMessages final : public engine::Transport::Messages {
public:
    SocketMessages(std::shared_ptr<Streams> streams, const engine::TransferList& list)
        : streams_(std::move(streams)),
          bound_(list.receives),
          bound_sends_(list.sends.size()),
          endings_(bound_.size()) {
        for (std::size_t r = 0; r < bound_.size(); ++r)
            places_.push_back(static_cast<std::size_t>(list.order[r]));
        for (const auto* const send : list.sends) outboxes_.push_back({send});
    }

    void post(int tag) override {
        tag_ = tag;
        endings_.begin();
        for (std::size_t r = 0; r < bound_.size(); ++r)
            open_.push_back({*bound_[r], places_[r], tag_of(*bound_[r])});
    }

    void launch(std::size_t send) override {
        auto& [transfer, left] = outboxes_[send];
        const auto bytes = static_cast<std::size_t>(transfer->payload->load());
        (*streams_)[transfer->peer].send(tag_of(*transfer), {transfer->memory, bytes}, left);
    }

    void send(int target, int tag, std::span<const std::byte> bytes, bool) override {
        (*streams_)[target].send(tag, bytes, outboxes_.emplace_back().left);
    }

    void receive(int source, int tag, std::span<std::byte> bytes) override {
        open_.push_back({{.memory = bytes.data(), .peer = source, .bytes = std::ssize(bytes)},
                         endings_.add(),
                         tag});
    }

    std::optional<engine::UnexpectedMessage> probe(int tag) override {
        streams_->look();
        for (int source = 0; source < static_cast<int>(streams_->to.size()); ++source) {
            if (source == streams_->rank) continue;
            auto envelope = (*streams_)[source].take(tag);
            if (!envelope) continue;
            endings_.end(endings_.add());
            engine::Staging memory(envelope->copy.release());
            const std::span bytes(memory.get(), static_cast<std::size_t>(envelope->bytes));
            return engine::UnexpectedMessage{source, bytes, std::move(memory)};
        }
        return std::nullopt;
    }

    std::span<const int> test_some(int count, std::span<int> ended) override {
        look();
        return endings_.tell(count, ended);
    }

    bool test_all(int first, int end) override {
        look();
        for (int place = first; place < end; ++place)
            if (!has_ended(place)) return false;
        return true;
    }

    bool has_ended(int place) const override {
        const int send = place - endings_.receives();
        return send < 0 ? endings_.has(static_cast<std::size_t>(place))
                        : outboxes_[static_cast<std::size_t>(send)].left;
    }

    void withdraw() override {
        open_.clear();
        if (bound_.empty()) endings_.clear();
        outboxes_.resize(bound_sends_);
    }

private:
    struct Inbox {
        engine::Transfer transfer;
        std::size_t place;
        int tag;
    };

    struct Outbox {
        const engine::Transfer* transfer = nullptr;  // null for an added send
        bool left = true;
    };

    int tag_of(const engine::Transfer& t) const { return t.rendezvous ? tag_ - 1 : tag_; }

    void look() {
        streams_->look();
        std::erase_if(open_, [this](const Inbox& inbox) {
            const auto envelope = (*streams_)[inbox.transfer.peer].take(inbox.tag);
            if (envelope) take(inbox, *envelope);
            return envelope.has_value();
        });
    }

    void take(const Inbox& inbox, const shared::Envelope& envelope) {
        engine::check_length(inbox.transfer, streams_->rank, envelope.bytes);
        if (inbox.transfer.payload != nullptr)
            inbox.transfer.payload->take_from(envelope.content, envelope.bytes);
        else
            std::copy_n(envelope.content, envelope.bytes, inbox.transfer.memory);
        endings_.end(inbox.place);
    }

    std::shared_ptr<Streams> streams_;
    std::vector<const engine::Transfer*> bound_;  // bound receives
    std::vector<std::size_t> places_;             // their places in the order of endings
    std::size_t bound_sends_;
    int tag_ = 0;
    std::vector<Inbox> open_;      // receives that wait, in the order in which they were posted
    std::deque<Outbox> outboxes_;  // a deque, so that addresses stay valid
    engine::Endings endings_;
};

/// A transport over sockets between the ranks of a communicator: an example of all that a transport
/// needs.
class SocketTransport final : public engine::Transport {
public:
    using Reaches = std::function<bool(int rank, int peer)>;

    /// @param reaches  gives the same result at both ends
    SocketTransport(std::shared_ptr<Streams> streams, Reaches reaches)
        : streams_(std::move(streams)), reaches_(std::move(reaches)) {}

    std::optional<engine::Reach> reach(int peer) const override {
        if (peer == streams_->rank || !reaches_(streams_->rank, peer)) return std::nullopt;
        return engine::Reach{.packs_to = INT64_MAX};
    }

    engine::Staging staging(int, std::int64_t bytes) const override {
        ++streams_->staged;
        return {new std::byte[static_cast<std::size_t>(bytes)], {take_back, streams_.get()}};
    }

    std::unique_ptr<Messages> messages(engine::TransferList list) const override {
        return std::make_unique<SocketMessages>(streams_, list);
    }

    engine::UnexpectedTag unexpected_from(int rank) const override {
        streams_->look();
        return {(*streams_)[rank].first()};
    }

private:
    static void take_back(void* streams, std::byte* memory) {
        ++static_cast<Streams*>(streams)->given_back;
        delete[] memory;
    }

    std::shared_ptr<Streams> streams_;
    Reaches reaches_;
};

}  // namespace carpool::tests
