// SPDX-License-Identifier: MIT
#include "engine/memory_sends.hpp"

#include "base/expects.hpp"
#include "mpi/comm/endpoint_table.hpp"
#include "mpi/tests.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>

namespace carpool::engine {

using shared::ContentPlace;
using shared::MulticastEntry;
using shared::RingEntry;
using LoadResult = shared::StagedContent::LoadResult;

namespace {

template <typename Envelope>
bool fits(std::int64_t bytes) {
    return bytes <= static_cast<std::int64_t>(Envelope::capacity);
}

std::span<const std::byte> bytes_at(const Transfer& added) {
    return {added.memory, static_cast<std::size_t>(added.bytes)};
}

}  // namespace

MemorySends::MemorySends(const mpi::CommState& state, const std::vector<const Transfer*>& sends,
                         const StagingLimits& longest, bool only_sends, SharedUse& use)
    : state_(state),
      longest_(longest),
      only_sends_(only_sends),
      shared_use_(use),
      context_(state.channel()->endpoint_table().context),
      bound_(sends.size()) {
    outboxes_.reserve(sends.size());
    for (const auto* const send : sends)
        outboxes_.push_back({MpiMessage(*send, state), state.endpoint(send->peer)});
    find_multicast_sends();
    place_messages();
    delayed_.reserve(outboxes_.size());
}

MemorySends::~MemorySends() {
    if (mpi::finalized()) return;
    for (auto& out : outboxes_)
        if (out.request != MPI_REQUEST_NULL) MPI_Request_free(&out.request);
}

void MemorySends::place_messages() {
    bool any_staged = false;
    for (auto& out : outboxes_) {
        out.staged = is_staged(out.transfer());
        any_staged = any_staged || out.staged;
    }
    // contents have lengths only if some message is staged, or was
    if (any_staged || shared_use_.bytes > 0) size_contents();
    for (const auto& multicast_send : multicast_sends_)
        multicast_send->used = prepare(*multicast_send);
}

/// Gives each content the length of its staged messages; 0 if none is staged.
void MemorySends::size_contents() {
    for (const auto& content : contents_) content->resize(0);
    for (auto& out : outboxes_)
        if (out.staged) stage(out);
    shared_use_.bytes = 0;
    const auto starts = starts_under_way();
    for (const auto& content : contents_) {
        const auto bytes = static_cast<std::int64_t>(content->bytes());
        if (!fits<MulticastEntry>(bytes)) content->allow(starts);
        shared_use_.bytes += bytes;
    }
}

bool MemorySends::is_staged(const Transfer& send) const {
    return send.pieces == nullptr && longest_.includes(send) && !fits<RingEntry>(send.bytes);
}

/// Messages of one content share a staging buffer.
void MemorySends::stage(Outbox& out) {
    const auto& send = out.transfer();
    CARPOOL_EXPECTS(send.content >= 0, send.peer, send.bytes);
    if (out.content == nullptr) {
        auto*& content = content_of_[send.content];
        if (content == nullptr)
            content =
                contents_
                    .emplace_back(std::make_unique<shared::StagedContent>(*mpi::shared_segment()))
                    .get();
        out.content = content;
        out.reader = content->add_reader(*out.endpoint);
    }
    out.content->resize(static_cast<std::size_t>(send.bytes));
}

/// How many starts of each content may be under way. A rank that receives nothing here may be
/// several starts ahead of its readers, so that ranks that share a core need not switch at every
/// second start.
std::size_t MemorySends::starts_under_way() const {
    constexpr std::int64_t most = 8;
    constexpr std::int64_t ample_bytes = std::int64_t{1} << 17;
    if (!only_sends_) return shared::StagedContent::usual_starts;
    std::int64_t bytes = 0;
    for (const auto& content : contents_) bytes += static_cast<std::int64_t>(content->bytes());
    return static_cast<std::size_t>(std::clamp<std::int64_t>(
        ample_bytes / std::max<std::int64_t>(1, bytes), shared::StagedContent::usual_starts, most));
}

/// The sends of a multicast send wait for each other, so nothing else may go to their endpoints. A
/// multicast may spare even a single message a staging buffer; but there is one multicast ring, so
/// single messages use it only where they are few.
void MemorySends::find_multicast_sends() {
    constexpr std::size_t few = 2;
    std::unordered_map<const shared::Endpoint*, int> messages;
    for (const auto& out : outboxes_) ++messages[out.endpoint];
    std::map<int, std::vector<std::size_t>> alike;
    for (std::size_t s = 0; s < outboxes_.size(); ++s) {
        const auto& send = outboxes_[s].transfer();
        if (!send.rendezvous && send.content >= 0 && messages[outboxes_[s].endpoint] == 1)
            alike[send.content].push_back(s);
    }
    for (auto& [content, sends] : alike)
        if (sends.size() > 1 || outboxes_.size() <= few) add_multicast_send(std::move(sends));
}

void MemorySends::add_multicast_send(std::vector<std::size_t> sends) {
    auto& multicast_send =
        multicast_sends_.emplace_back(std::make_unique<MulticastSend>(std::move(sends)));
    for (const auto send : multicast_send->sends)
        outboxes_[send].multicast_send = multicast_send.get();
}

/// Finds its readers and reader set; returns false if its messages leave one by one. A single
/// message leaves as a multicast if that spares a staging buffer, whose acks would have to be
/// checked each time.
bool MemorySends::prepare(MulticastSend& multicast_send) {
    const auto& sends = multicast_send.sends;
    const auto& first = outboxes_[sends.front()];  // all others have the same content
    const auto bytes = first.transfer().bytes;
    const bool spares_a_buffer = fits<MulticastEntry>(bytes) && !fits<RingEntry>(bytes);
    if ((sends.size() == 1 && !spares_a_buffer) || !fits_multicast(first)) return false;
    if (first.staged) {
        multicast_send.readers.clear();
        for (const auto send : sends) multicast_send.readers.push_back(outboxes_[send].reader);
    }
    auto* const multicast_ring = mpi::shared_segment()->multicast_ring();
    if (multicast_send.reader_set == nullptr && multicast_ring != nullptr) {
        std::vector<shared::Endpoint*> endpoints;
        for (const auto send : sends) endpoints.push_back(outboxes_[send].endpoint);
        multicast_send.reader_set = multicast_ring->reader_set(std::move(endpoints));
    }
    return multicast_send.reader_set != nullptr;
}

bool MemorySends::fits_multicast(const Outbox& out) const {
    const auto& t = out.transfer();
    return t.pieces == nullptr && (fits<RingEntry>(t.bytes) || out.staged);
}

shared::Address MemorySends::address_of(const Outbox& out) const {
    return {context_, out.message.tag_in(tag_)};
}

void MemorySends::begin(int tag) {
    tag_ = tag;
    for (const auto& multicast_send : multicast_sends_) multicast_send->launched = 0;
    for (const auto& out : outboxes_)
        if (!out.leaves_as_multicast()) out.endpoint->prefetch_entry();
    for (const auto& content : contents_) content->restart();
}

void MemorySends::launch(std::size_t send) {
    const auto& out = outboxes_[send];
    if (!out.leaves_as_multicast()) return launch_alone(send);
    auto& multicast_send = *out.multicast_send;
    if (++multicast_send.launched < multicast_send.sends.size() || post_multicast(multicast_send))
        return;
    for (const auto one : multicast_send.sends) launch_alone(one);
}

/// Returns false if a reader has not yet read what is on the multicast ring.
bool MemorySends::post_multicast(const MulticastSend& multicast_send) {
    const auto& first = outboxes_[multicast_send.sends.front()];
    const auto& t = first.transfer();
    auto& multicast_ring = *mpi::shared_segment()->multicast_ring();
    const auto load = [&](std::byte* to) { return t.payload->load_into(to); };
    if (fits<MulticastEntry>(t.bytes))
        return multicast_ring.write(*multicast_send.reader_set, address_of(first),
                                    ContentPlace::in_entry, load) != 0;
    return first.content->load(load) == LoadResult::yes &&
           first.content->notify_all(multicast_ring, *multicast_send.reader_set,
                                     multicast_send.readers, address_of(first));
}

void MemorySends::launch_alone(std::size_t send) {
    auto& out = outboxes_[send];
    out.address = address_of(out);
    delayed_.send(send, out.endpoint, [this](std::size_t one) { return try_to_send(one); });
}

void MemorySends::send(const Transfer& transfer, int tag) {
    const auto send = outboxes_.size();
    auto& out = outboxes_.emplace_back(
        Outbox{MpiMessage(added_.emplace_back(transfer), state_), state_.endpoint(transfer.peer)});
    out.address = {context_, tag};
    delayed_.send(send, out.endpoint, [this](std::size_t one) { return try_to_send(one); });
}

bool MemorySends::try_to_send(std::size_t send) {
    auto& out = outboxes_[send];
    const auto& t = out.transfer();
    if (!out.endpoint->has_free_entry()) return false;
    if (send >= bound_) return send_added(out);
    if (t.pieces == nullptr && fits<RingEntry>(t.bytes)) return send_in_entry(out);
    return out.staged ? send_staged(out) : send_by_mpi(out);
}

bool MemorySends::send_in_entry(Outbox& out) {
    const auto put = [&](std::byte* entry) { return out.transfer().payload->load_into(entry); };
    return out.endpoint->write(out.address, ContentPlace::in_entry, put) != 0;
}

/// Sends by MPI if there is no memory left: the readers of what fills the memory may have to wait
/// for this message.
bool MemorySends::send_staged(Outbox& out) {
    const auto put = [&](std::byte* to) { return out.transfer().payload->load_into(to); };
    switch (out.content->load(put)) {
        case LoadResult::yes:
            return out.content->notify(out.reader, out.address);
        case LoadResult::late:
            return false;
        case LoadResult::no_memory:
            break;
    }
    if (!send_by_mpi(out)) return false;
    ++shared_use_.without_memory;
    return true;
}

bool MemorySends::send_added(Outbox& out) {
    const auto& t = out.transfer();
    const auto bytes = bytes_at(t);
    if (fits<RingEntry>(t.bytes))
        return out.endpoint->send(out.address, ContentPlace::in_entry, t.bytes, bytes) != 0;
    auto& staging = mpi::shared_segment()->staging();
    const auto buffer = staging.take(bytes.size()).buffer;
    if (!buffer) return send_by_mpi(out);
    std::memcpy(staging.at(*buffer), bytes.data(), bytes.size());
    const auto number = out.endpoint->send_staged(out.address, t.bytes, (*buffer)->offset);
    (*buffer)->pending_reads.push_back({out.endpoint, number});
    staging.give_back(*buffer);
    return number != 0;
}

bool MemorySends::send_by_mpi(Outbox& out) {
    const auto& t = out.transfer();
    const auto bytes = t.payload != nullptr ? t.payload->load() : t.bytes;
    if (out.endpoint->send(out.address, ContentPlace::elsewhere, bytes, {}) == 0) return false;
    out.message.send(bytes, out.address.tag, out.request);
    ++by_mpi_;
    return true;
}

bool MemorySends::all_have_left() {
    if (!delayed_.empty()) return false;
    if (by_mpi_ == 0) return true;
    for (auto& out : outboxes_)
        if (out.request != MPI_REQUEST_NULL && mpi::test(&out.request)) --by_mpi_;
    return by_mpi_ == 0;
}

bool MemorySends::has_left(std::size_t send) const {
    bool left = outboxes_[send].request == MPI_REQUEST_NULL;
    delayed_.for_each([&](std::size_t one) { left = left && one != send; });
    return left;
}

void MemorySends::withdraw() {
    delayed_.clear();
    for (; outboxes_.size() > bound_; outboxes_.pop_back()) {
        auto& request = outboxes_.back().request;
        if (request == MPI_REQUEST_NULL) continue;
        MPI_Request_free(&request);
        --by_mpi_;
    }
    added_.clear();
}

}  // namespace carpool::engine
