#pragma once

#include "shared/household.hpp"
#include "shared/mate.hpp"
#include "shared/staging_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace carpool::shared {

/// What one or several mates are to read, put together once per start in a staging buffer. Some
/// starts may be under way at a time, each in a buffer of its own. Of two:
///
///     start 0 ── letters to all readers ──▶ all have read it ─▶ start 2
///                start 1 ── letters …
class StagedContent {
public:
    static constexpr std::size_t fewest = 2;  ///< starts under way, at most

    /// @param home  outlives it
    explicit StagedContent(Household& home) : home_(home), uses_(fewest) {}

    StagedContent(const StagedContent&) = delete;
    StagedContent& operator=(const StagedContent&) = delete;
    ~StagedContent() { release(); }

    /// Returns the reader's number. One mate may be several readers.
    std::size_t add_reader(Mate& mate);

    /// Says how many bytes it has at most from now on.
    void resize(std::size_t bytes) { size_ = bytes; }

    /// Lets so many starts be under way, or more.
    void allow(std::size_t starts) {
        if (starts > uses_.size()) uses_.resize(starts);
    }

    /// What is put together now is old: the next start begins.
    void turn();

    enum class Loaded {
        yes,
        late,       ///< too many starts are under way
        no_memory,  ///< for one more buffer
    };

    /// Lets `put` write to a buffer, unless that has been since turn(), and return its length.
    template <typename Put>
    Loaded load(Put put) {
        if (loaded_) return Loaded::yes;
        const auto taken = home_.staging().take(size_, uses_[current_]);
        if (!taken.buffer) return taken.late ? Loaded::late : Loaded::no_memory;
        buffer_ = taken.buffer;
        told_ = 0;
        bytes_ = put(home_.staging().at(*buffer_));
        loaded_ = true;
        return Loaded::yes;
    }

    /// Tells a reader of it; false if there is no cell for the letter. @pre loaded, and it has not
    /// been told
    bool tell(std::size_t reader, const Address& to);

    /// Tells some at once, who are that audience; false if there is no cell for the notice.
    /// @pre loaded, and they have not been told
    bool post(NoticeBoard& board, const NoticeBoard::Audience& audience,
              std::span<const std::size_t> readers, const Address& to);

    std::size_t bytes() const { return size_; }

private:
    void told(const Reading& reading);
    void release();

    Household& home_;
    std::size_t size_ = 0;
    std::vector<Mate*> readers_;
    std::vector<std::optional<StagingPool::Use>> uses_;  // of the latest starts
    std::size_t current_ = 0;                            // among them
    std::optional<StagingPool::Buffer> buffer_;          // until all have been told
    std::size_t told_ = 0;
    bool loaded_ = false;
    std::int64_t bytes_ = 0;  // of what is loaded
};

}  // namespace carpool::shared
