// SPDX-License-Identifier: MIT
#include "engine/memory_receives.hpp"

#include "base/each_once.hpp"
#include "engine/receive_lengths.hpp"
#include "mpi/comm/endpoint_table.hpp"
#include "mpi/error.hpp"
#include "mpi/tests.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace carpool::engine {
namespace {

// A process that waits only for messages through memory must let MPI progress now and then: other
// ranks may wait for that.
constexpr int polls_between_host_progress = 32;

}  // namespace

MemoryReceives::MemoryReceives(const mpi::CommState& state, const TransferList& list)
    : state_(state),
      context_(state.channel()->endpoint_table().context),
      bound_(list.receives.size()),
      endings_(bound_) {
    for (std::size_t r = 0; r < bound_; ++r) {
        const auto& receive = *list.receives[r];
        auto* const endpoint = state.endpoint(receive.peer);
        inboxes_.emplace_back(MpiMessage(receive, state), endpoint,
                              static_cast<std::size_t>(list.order[r]));
        sources_.push_back(endpoint);
    }
    base::keep_each_once(sources_);
    open_.reserve(bound_);
}

MemoryReceives::~MemoryReceives() {
    for (auto& inbox : inboxes_) {
        if (!inbox.ended) inbox.endpoint->cancel(inbox.posted_receive);
        if (inbox.request != MPI_REQUEST_NULL && !mpi::finalized())
            MPI_Request_free(&inbox.request);
    }
}

void MemoryReceives::post(int tag) {
    open_.clear();
    endings_.begin();
    for (auto& inbox : inboxes_) {
        inbox.posted_receive.address = {context_, inbox.message.tag_in(tag)};
        post(inbox);
    }
}

void MemoryReceives::post(Inbox& inbox) {
    inbox.ended = false;
    inbox.endpoint->post(inbox.posted_receive);
    open_.push_back(&inbox);
}

MemoryReceives::Inbox& MemoryReceives::add(const Transfer& transfer, int tag) {
    auto* const endpoint = state_.endpoint(transfer.peer);
    auto& inbox = inboxes_.emplace_back(MpiMessage(added_.emplace_back(transfer), state_), endpoint,
                                        endings_.add());
    inbox.posted_receive.address = {context_, tag};
    return inbox;
}

void MemoryReceives::receive(const Transfer& transfer, int tag) {
    auto& inbox = add(transfer, tag);
    if (std::find(sources_.begin(), sources_.end(), inbox.endpoint) == sources_.end())
        sources_.push_back(inbox.endpoint);
    post(inbox);
}

std::optional<UnexpectedMessage> MemoryReceives::probe(int tag) {
    for (int looks = 0; looks < state_.size(); ++looks) {
        auto* const endpoint = state_.endpoint(next_);
        if (endpoint != nullptr && endpoint->has_unexpected())
            if (auto message = taken_from(*endpoint, next_, tag)) return message;
        next_ = (next_ + 1) % state_.size();
    }
    return std::nullopt;
}

std::optional<UnexpectedMessage> MemoryReceives::taken_from(shared::Endpoint& endpoint, int source,
                                                            int tag) {
    auto envelope = endpoint.take_unexpected({context_, tag});
    if (!envelope) return std::nullopt;
    const bool by_mpi = envelope->place == shared::ContentPlace::elsewhere;
    auto memory = by_mpi ? memory_for(envelope->bytes) : Staging(envelope->copy.release());
    const std::span bytes(memory.get(), static_cast<std::size_t>(envelope->bytes));
    auto& inbox = add({.memory = memory.get(), .peer = source, .bytes = envelope->bytes}, tag);
    if (by_mpi) {
        receive_by_mpi(inbox, envelope->bytes);
        inbox.ended = false;
        open_.push_back(&inbox);
    } else {
        endings_.end(inbox.place);
    }
    return UnexpectedMessage{source, bytes, std::move(memory)};
}

void MemoryReceives::poll() {
    if (open_.empty()) return;
    for (auto* const endpoint : sources_) endpoint->poll();
    const auto ended = std::erase_if(open_, [this](Inbox* inbox) {
        if (!has_come(*inbox)) return false;
        inbox->ended = true;
        endings_.end(inbox->place);
        return true;
    });
    if (ended > 0)
        vain_polls_ = 0;
    else if (++vain_polls_ % polls_between_host_progress == 0)
        mpi::let_host_progress(state_.channel_comm());
}

bool MemoryReceives::has_come(Inbox& inbox) {
    if (inbox.request != MPI_REQUEST_NULL) return has_come_by_mpi(inbox);
    if (!inbox.posted_receive.matched.load(std::memory_order_acquire)) return false;
    auto& envelope = inbox.posted_receive.envelope;
    if (envelope.place != shared::ContentPlace::elsewhere) {
        take(inbox);
        return true;
    }
    const auto bytes = envelope.bytes;
    inbox.endpoint->release(envelope);
    receive_by_mpi(inbox, bytes);
    return false;
}

void MemoryReceives::take(Inbox& inbox) {
    auto& envelope = inbox.posted_receive.envelope;
    const auto& t = inbox.transfer();
    check_length(t, state_.rank(), envelope.bytes);
    if (t.payload != nullptr)
        t.payload->take_from(envelope.content, envelope.bytes);
    else if (envelope.bytes > 0)
        std::memcpy(t.memory, envelope.content, static_cast<std::size_t>(envelope.bytes));
    inbox.endpoint->release(envelope);
}

/// Checks the length that the envelope tells: Open MPI 5 writes past a receive that is shorter than
/// what it copies from another process.
void MemoryReceives::receive_by_mpi(Inbox& inbox, std::int64_t bytes) {
    check_length(inbox.transfer(), state_.rank(), bytes);
    inbox.message.receive(inbox.posted_receive.address.tag, inbox.request);
}

bool MemoryReceives::has_come_by_mpi(Inbox& inbox) {
    int flag = 0;
    MPI_Status status;
    const int code = mpi::test(inbox.request, flag, status);
    if (code == MPI_SUCCESS && flag == 0) return false;
    check_length(inbox.transfer(), state_.rank(), status, code);
    return true;
}

void MemoryReceives::cancel(Inbox& inbox) {
    inbox.ended = true;
    inbox.endpoint->cancel(inbox.posted_receive);
    if (inbox.request != MPI_REQUEST_NULL) cancel_receive(inbox.request);
}

void MemoryReceives::withdraw() {
    // open_ may be half changed, since the error may come from where it is changed
    for (auto& inbox : inboxes_)
        if (!inbox.ended) cancel(inbox);
    open_.clear();
    if (bound_ > 0) return;
    inboxes_.clear();
    added_.clear();
    sources_.clear();
    endings_.clear();
}

}  // namespace carpool::engine
