// SPDX-License-Identifier: MIT
#include "shared/multicast_ring.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <utility>

namespace carpool::shared {
namespace {

constexpr std::size_t word_bits = 64;
constexpr std::size_t words = MulticastEntries::most_readers / word_bits;

void set_bits(std::byte* memory, std::span<Endpoint* const> endpoints) {
    std::array<std::uint64_t, words> bits = {};
    for (const auto* endpoint : endpoints)
        bits[endpoint->mailbox() / word_bits] |= std::uint64_t{1}
                                                 << endpoint->mailbox() % word_bits;
    std::memcpy(memory, bits.data(), sizeof bits);
}

}  // namespace

std::unique_ptr<MulticastRing> MulticastRing::open(Memory& memory) {
    const auto offset = memory.take(sizeof(MulticastEntries));
    return offset ? std::unique_ptr<MulticastRing>(new MulticastRing(memory, *offset)) : nullptr;
}

/// The system has filled the memory with zeros.
MulticastRing::MulticastRing(Memory& memory, std::size_t offset)
    : memory_(memory),
      offset_(offset),
      multicast_ring_(*new (memory.at(offset)) MulticastEntries) {}

const MulticastRing::ReaderSet* MulticastRing::reader_set(std::vector<Endpoint*> endpoints) {
    std::ranges::sort(endpoints);
    const std::lock_guard lock(mutex_);
    if (const auto found = reader_sets_.find(endpoints); found != reader_sets_.end())
        return &found->second;
    if (reader_sets_.size() == MulticastEntries::most_reader_sets) return nullptr;
    const auto offset = memory_.take(words * sizeof(std::uint64_t));
    if (!offset) return nullptr;
    set_bits(memory_.at(*offset), endpoints);
    const auto number = static_cast<std::uint16_t>(reader_sets_.size());
    multicast_ring_.reader_sets[number].store(*offset, std::memory_order_release);
    return &reader_sets_.emplace(endpoints, ReaderSet{number, endpoints}).first->second;
}

std::uint64_t MulticastRing::write_staged(const ReaderSet& reader_set, const Address& to,
                                          std::int64_t bytes, std::size_t offset) {
    return write(reader_set, to, ContentPlace::staged, [&](std::byte* entry) {
        const auto staged_at = static_cast<std::uint64_t>(offset);
        std::memcpy(entry, &staged_at, sizeof staged_at);
        return bytes;
    });
}

/// Have all readers read the earlier multicast in the ring entry of that number?
bool MulticastRing::is_free(std::uint64_t number) const {
    const auto* const readers = readers_[number % Acks::entries];
    return readers == nullptr ||
           std::ranges::all_of(readers->endpoints, [&](const Endpoint* endpoint) {
               return endpoint->has_read_multicast(number - Acks::entries);
           });
}

/// Finds out how many ring entries from that number on are free. Returns false if none is.
bool MulticastRing::raise_head_limit(std::uint64_t number) {
    auto end = number;
    while (end < number + Acks::entries && is_free(end)) ++end;
    head_limit_ = std::max(head_limit_, end);
    return end > number;
}

void MulticastRing::publish(const ReaderSet& reader_set, std::uint64_t number) {
    head_ = number;
    readers_[number % Acks::entries] = &reader_set;
    for (auto* const endpoint : reader_set.endpoints) endpoint->note_multicast(number);
}

}  // namespace carpool::shared
