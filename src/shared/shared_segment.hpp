#pragma once

#include "shared/common_memory.hpp"
#include "shared/endpoint.hpp"
#include "shared/memory.hpp"
#include "shared/multicast_ring.hpp"
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
struct ProcessAddress {
    std::uint64_t node = 0;     ///< alike in the processes that may share memory
    std::uint64_t process = 0;  ///< drawn at random; 0 if it shares no memory
    std::int64_t number = 0;    ///< the system's, of the process
    std::int64_t descriptor = 0;
};

/// That of this process, as in its presence.
std::uint64_t this_node();

/// The memory that this process shares with others, and those with which it does: the same
/// endpoints for all communicators, until the process ends. Any thread may call anything.
class SharedSegment {
public:
    /// Shares so many bytes at most. Null where no memory can be shared.
    static std::unique_ptr<SharedSegment> create(std::size_t most = usual_most,
                                                 MayTake may_take = nullptr);

    static constexpr std::size_t usual_most = std::size_t{1} << 28;

    const ProcessAddress& presence() const { return presence_; }

    /// Opens the memory of another process of this node, and a mailbox for it; false if that cannot
    /// be done. Once both have met each other, they can be endpoints.
    bool attach(const ProcessAddress& other);

    /// @pre each has met the other
    Endpoint& endpoint(const ProcessAddress& other);

    /// The processes that are endpoints by now, and this one, in ascending order of their numbers.
    std::vector<std::uint64_t> processes();

    /// Null if there was no memory for it.
    MulticastRing* multicast_ring() const { return multicast_ring_.get(); }

    /// Memory for messages.
    StagingPool& staging() { return staging_; }

    std::byte* at(std::size_t offset) const { return memory_->at(offset); }

    /// For others to write to, too; null if there is none.
    std::unique_ptr<CommonMemory> make_common(std::size_t bytes) const {
        return memory_->lets_take() ? CommonMemory::create(bytes) : nullptr;
    }

    std::size_t in_use() const { return memory_->in_use(); }

private:
    /// Where a mailbox is, and for whom.
    struct Label {
        std::atomic<std::uint64_t> process;
        std::uint64_t mailbox;
    };

    /// At the beginning of the memory.
    struct Directory {
        std::uint64_t process;         ///< whose it is
        std::uint64_t multicast_ring;  ///< where that is; 0 for none
        Label labels[MulticastSlots::most_readers];
    };

    struct OtherProcess {
        std::unique_ptr<Window> window;
        std::size_t number = 0;   ///< of its label
        std::size_t mailbox = 0;  ///< own, for it
        std::unique_ptr<Endpoint> endpoint;
    };

    explicit SharedSegment(std::unique_ptr<Memory> memory);
    Directory& directory() const { return *reinterpret_cast<Directory*>(memory_->at(0)); }

    std::unique_ptr<Memory> memory_;
    StagingPool staging_;
    std::unique_ptr<MulticastRing> multicast_ring_;
    ProcessAddress presence_;
    std::mutex mutex_;  // of what follows
    std::unordered_map<std::uint64_t, OtherProcess> others_;
};

}  // namespace carpool::shared
