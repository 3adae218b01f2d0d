#pragma once

#include "shared/common_memory.hpp"
#include "shared/mate.hpp"
#include "shared/memory.hpp"
#include "shared/notice_board.hpp"
#include "shared/staging_pool.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace carpool::shared {

/// What a process tells the others, for them to find its memory.
struct Presence {
    std::uint64_t node = 0;     ///< alike in the processes that may share memory
    std::uint64_t process = 0;  ///< drawn at random; 0 if it shares no memory
    std::int64_t number = 0;    ///< the system's, of the process
    std::int64_t descriptor = 0;
};

/// That of this process, as in its presence.
std::uint64_t this_node();

/// The memory that this process shares with others, and those with which it does: the same mates
/// for all communicators, until the process ends. Any thread may call anything.
class Household {
public:
    /// Shares so many bytes at most. Null where no memory can be shared.
    static std::unique_ptr<Household> create(std::size_t most = usual_most,
                                             MayTake may_take = nullptr);

    static constexpr std::size_t usual_most = std::size_t{1} << 28;

    const Presence& presence() const { return presence_; }

    /// Opens the memory of another process of this node, and a drawer for it; false if that cannot
    /// be done. Once both have met each other, they can be mates.
    bool meet(const Presence& other);

    /// @pre each has met the other
    Mate& mate(const Presence& other);

    /// The processes that are mates by now, and this one, in ascending order of their numbers.
    std::vector<std::uint64_t> processes();

    /// Null if there was no memory for it.
    NoticeBoard* board() const { return board_.get(); }

    /// Memory for messages.
    StagingPool& staging() { return staging_; }

    std::byte* at(std::size_t offset) const { return memory_->at(offset); }

    /// For others to write to, too; null if there is none.
    std::unique_ptr<CommonMemory> make_common(std::size_t bytes) const {
        return memory_->lets_take() ? CommonMemory::create(bytes) : nullptr;
    }

    std::size_t in_use() const { return memory_->in_use(); }

private:
    /// Where a drawer is, and for whom.
    struct Label {
        std::atomic<std::uint64_t> process;
        std::uint64_t drawer;
    };

    /// At the beginning of the memory.
    struct Directory {
        std::uint64_t process;  ///< whose it is
        std::uint64_t board;    ///< where that is; 0 for none
        Label labels[Board::most_readers];
    };

    struct Acquaintance {
        std::unique_ptr<Window> window;
        std::size_t number = 0;  ///< of its label
        std::size_t drawer = 0;  ///< own, for it
        std::unique_ptr<Mate> mate;
    };

    explicit Household(std::unique_ptr<Memory> memory);
    Directory& directory() const { return *reinterpret_cast<Directory*>(memory_->at(0)); }

    std::unique_ptr<Memory> memory_;
    StagingPool staging_;
    std::unique_ptr<NoticeBoard> board_;
    Presence presence_;
    std::mutex mutex_;  // of what follows
    std::unordered_map<std::uint64_t, Acquaintance> acquaintances_;
};

}  // namespace carpool::shared
