// SPDX-License-Identifier: MIT
#pragma once

#include "shared/endpoint.hpp"
#include "shared/shared_segment.hpp"
#include "shared/staging_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace carpool::shared {

/// Content that one or several endpoints read, put together once per start in a staging buffer.
/// Several starts may be under way at a time, each in a buffer of its own. With two buffers:
///
///     start 0 ── messages to all readers ──▶ all have read it ─▶ start 2
///                start 1 ── messages …
class StagedContent {
public:
    static constexpr std::size_t usual_starts =
        2;  ///< under way at a time, unless allow() allows more

    /// @param home  must outlive this object
    explicit StagedContent(SharedSegment& home) : home_(home), uses_(usual_starts) {}

    StagedContent(const StagedContent&) = delete;
    StagedContent& operator=(const StagedContent&) = delete;
    ~StagedContent() { release(); }

    /// Returns the reader's number. One endpoint may be several readers.
    std::size_t add_reader(Endpoint& endpoint);

    /// Sets the largest size of the content from now on, in bytes.
    void resize(std::size_t bytes) { size_ = bytes; }

    /// Allows at least that many starts to be under way at a time.
    void allow(std::size_t starts) {
        if (starts > uses_.size()) uses_.resize(starts);
    }

    /// Begins the next start: the content of the current one is outdated.
    void restart();

    enum class LoadResult {
        yes,
        late,       ///< too many starts are under way
        no_memory,  ///< for another buffer; this does not change before the next restart()
    };

    /// Lets `put` write to a buffer and return its length, unless that has been done since
    /// restart().
    template <typename Put>
    LoadResult load(Put put) {
        if (loaded_) return LoadResult::yes;
        if (no_memory_) return LoadResult::no_memory;
        const auto taken = home_.staging().take(size_, uses_[current_]);
        no_memory_ = !taken.buffer && !taken.late;
        if (!taken.buffer) return taken.late ? LoadResult::late : LoadResult::no_memory;
        buffer_ = taken.buffer;
        notified_ = 0;
        bytes_ = put(home_.staging().at(*buffer_));
        loaded_ = true;
        return LoadResult::yes;
    }

    /// Notifies a reader, by a message that says where the content is; false if no ring entry is
    /// free. @pre The content is loaded, and this reader has not been notified
    bool notify(std::size_t reader, const Address& to);

    /// Notifies several readers, which are that reader set, by one multicast; false if no ring
    /// entry is free.
    /// @pre The content is loaded, and these readers have not been notified
    bool notify_all(MulticastRing& multicast_ring, const MulticastRing::ReaderSet& reader_set,
                    std::span<const std::size_t> readers, const Address& to);

    std::size_t bytes() const { return size_; }

private:
    void add_pending_read(const PendingRead& read);
    void release();

    SharedSegment& home_;
    std::size_t size_ = 0;
    std::vector<Endpoint*> readers_;
    std::vector<std::optional<StagingPool::Use>> uses_;  // of the latest starts
    std::size_t current_ = 0;                            // index of the current start among them
    std::optional<StagingPool::Buffer> buffer_;          // until all readers have been notified
    std::size_t notified_ = 0;
    bool loaded_ = false;
    bool no_memory_ = false;
    std::int64_t bytes_ = 0;  // of what is loaded
};

}  // namespace carpool::shared
