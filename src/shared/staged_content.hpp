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

/// What one or several endpoints are to read, put together once per start in a staging buffer. Some
/// starts may be under way at a time, each in a buffer of its own. Of two:
///
///     start 0 ── messages to all readers ──▶ all have read it ─▶ start 2
///                start 1 ── messages …
class StagedContent {
public:
    static constexpr std::size_t usual_starts =
        2;  ///< that may be under way, unless more are allowed

    /// @param home  outlives it
    explicit StagedContent(SharedSegment& home) : home_(home), uses_(usual_starts) {}

    StagedContent(const StagedContent&) = delete;
    StagedContent& operator=(const StagedContent&) = delete;
    ~StagedContent() { release(); }

    /// Returns the reader's number. One endpoint may be several readers.
    std::size_t add_reader(Endpoint& endpoint);

    /// Sets the most bytes that it has from now on.
    void resize(std::size_t bytes) { size_ = bytes; }

    /// Lets at least so many starts be under way.
    void allow(std::size_t starts) {
        if (starts > uses_.size()) uses_.resize(starts);
    }

    /// What is put together now is old: the next start begins.
    void turn();

    enum class Loaded {
        yes,
        late,       ///< too many starts are under way
        no_memory,  ///< for one more buffer; so it stays until turn()
    };

    /// Lets `put` write to a buffer, unless that has been since turn(), and return its length.
    template <typename Put>
    Loaded load(Put put) {
        if (loaded_) return Loaded::yes;
        if (no_memory_) return Loaded::no_memory;
        const auto taken = home_.staging().take(size_, uses_[current_]);
        no_memory_ = !taken.buffer && !taken.late;
        if (!taken.buffer) return taken.late ? Loaded::late : Loaded::no_memory;
        buffer_ = taken.buffer;
        told_ = 0;
        bytes_ = put(home_.staging().at(*buffer_));
        loaded_ = true;
        return Loaded::yes;
    }

    /// Tells a reader of it; false if there is no ring entry for the message. @pre loaded, and it
    /// has not been told
    bool tell(std::size_t reader, const Address& to);

    /// Tells some at once, who are that reader set; false if there is no ring entry for the
    /// multicast.
    /// @pre loaded, and they have not been told
    bool post(MulticastRing& multicast_ring, const MulticastRing::ReaderSet& reader_set,
              std::span<const std::size_t> readers, const Address& to);

    std::size_t bytes() const { return size_; }

private:
    void add_reading(const Reading& reading);
    void release();

    SharedSegment& home_;
    std::size_t size_ = 0;
    std::vector<Endpoint*> readers_;
    std::vector<std::optional<StagingPool::Use>> uses_;  // of the latest starts
    std::size_t current_ = 0;                            // among them
    std::optional<StagingPool::Buffer> buffer_;          // until all have been told
    std::size_t told_ = 0;
    bool loaded_ = false;
    bool no_memory_ = false;
    std::int64_t bytes_ = 0;  // of what is loaded
};

}  // namespace carpool::shared
