// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"
#include "shared/endpoint.hpp"
#include "shared/envelope.hpp"
#include "shared/memory.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace carpool::shared {

/// This process's multicast ring, in which it writes messages for several endpoints at once. Any
/// thread may call any function. No function waits: if an endpoint has not read the content of the
/// next ring entry yet, the caller has to send separate messages.
class MulticastRing {
public:
    /// The endpoints that read a multicast.
    struct ReaderSet {
        std::uint16_t number;
        std::vector<Endpoint*> endpoints;
    };

    /// Null if there is no memory for it. @param memory  must outlive the ring
    static std::unique_ptr<MulticastRing> open(Memory& memory);

    std::size_t offset() const { return offset_; }

    /// Returns the reader set of those endpoints, the same for all callers; null if there are too
    /// many reader sets, or no memory for one more. @pre Each endpoint is named once
    const ReaderSet* reader_set(std::vector<Endpoint*> endpoints);

    /// Returns the multicast's number, or 0 if its ring entry is not free and nothing has been
    /// written.
    /// @param put  writes the content and returns its size in bytes. @pre It fits into a ring entry
    template <typename Put>
    std::uint64_t write(const ReaderSet& reader_set, const Address& to, ContentPlace place,
                        Put put) {
        const std::lock_guard lock(mutex_);
        const auto number = head_ + 1;
        if (number >= head_limit_ && !raise_head_limit(number)) return 0;
        auto& entry = multicast_ring_.entries[number % Acks::entries];
        entry.number.store(0, std::memory_order_relaxed);  // other endpoints may be looking at it
        entry.reader_set.store(reader_set.number, std::memory_order_release);
        entry.context = to.context;
        entry.tag = to.tag;
        entry.place = place;
        entry.bytes = put(entry.content);
        entry.number.store(number, std::memory_order_release);
        publish(reader_set, number);
        return number;
    }

    /// Writes a multicast whose bytes lie at an offset of this process's memory.
    std::uint64_t write_staged(const ReaderSet& reader_set, const Address& to, std::int64_t bytes,
                               std::size_t offset);

private:
    MulticastRing(Memory& memory, std::size_t offset);

    bool is_free(std::uint64_t number) const;
    bool raise_head_limit(std::uint64_t number);
    void publish(const ReaderSet& reader_set, std::uint64_t number);

    Memory& memory_;
    std::size_t offset_;
    MulticastEntries& multicast_ring_;
    base::Mutex mutex_;  // guards what follows
    std::uint64_t head_ = 0;
    std::uint64_t head_limit_ = Acks::entries + 1;              // lower ones are known to be free
    std::array<const ReaderSet*, Acks::entries> readers_ = {};  // per ring entry, of the latest
    std::map<std::vector<Endpoint*>, ReaderSet> reader_sets_;
};

}  // namespace carpool::shared
