#pragma once

#include "base/mutex.hpp"
#include "shared/letter.hpp"
#include "shared/mate.hpp"
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

/// This process's board: where it writes to several mates at once. Any thread may call anything.
/// Nothing waits: where somebody has not read what the next cell holds, letters have to do.
class NoticeBoard {
public:
    /// Those who read a notice.
    struct Audience {
        std::uint16_t number;
        std::vector<Mate*> mates;
    };

    /// Null if there is no memory for it. @param memory  outlives it
    static std::unique_ptr<NoticeBoard> open(Memory& memory);

    std::size_t offset() const { return offset_; }

    /// Those mates as an audience, the same for all who ask; null where there are too many
    /// audiences, or no memory for one more. @pre each once
    const Audience* audience(std::vector<Mate*> mates);

    /// Returns the notice's number, or 0, and nothing done, if its cell is not free.
    /// @param put  writes the content, and returns its bytes. @pre it fits into a cell
    template <typename Put>
    std::uint64_t write(const Audience& audience, const Address& to, Place place, Put put) {
        const std::lock_guard lock(mutex_);
        const auto number = written_ + 1;
        if (number >= free_until_ && !looks_free(number)) return 0;
        auto& cell = board_.cells[number % Receipts::cells];
        cell.number.store(0, std::memory_order_relaxed);  // whom it was not for may look at it
        cell.audience.store(audience.number, std::memory_order_release);
        cell.context = to.context;
        cell.tag = to.tag;
        cell.place = place;
        cell.bytes = put(cell.content);
        cell.number.store(number, std::memory_order_release);
        keep(audience, number);
        return number;
    }

    /// The notice with its bytes at an offset of this process's memory.
    std::uint64_t write_staged(const Audience& audience, const Address& to, std::int64_t bytes,
                               std::size_t offset);

private:
    NoticeBoard(Memory& memory, std::size_t offset);

    bool is_free(std::uint64_t number) const;
    bool looks_free(std::uint64_t number);
    void keep(const Audience& audience, std::uint64_t number);

    Memory& memory_;
    std::size_t offset_;
    Board& board_;
    base::Mutex mutex_;  // of what follows
    std::uint64_t written_ = 0;
    std::uint64_t free_until_ = Receipts::cells + 1;             // as far as is known
    std::array<const Audience*, Receipts::cells> readers_ = {};  // of the latest in each cell
    std::map<std::vector<Mate*>, Audience> audiences_;
};

}  // namespace carpool::shared
