// SPDX-License-Identifier: MIT
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
#include <span>
#include <unordered_map>
#include <vector>

namespace carpool::shared {

/// What a process sends to others so that they can map its memory.
struct ProcessAddress {
    std::uint64_t node = 0;     ///< equal on processes that may share memory
    std::uint64_t process = 0;  ///< drawn at random; 0 if it shares no memory
    std::int64_t number = 0;    ///< the process id
    std::int64_t descriptor = 0;
};

/// The node of this process, as in its ProcessAddress.
std::uint64_t this_node();

/// The memory that this process shares with others, and the endpoints with which it does so. They
/// are the same for all communicators, until the process ends. Any thread may call any function.
class SharedSegment {
public:
    /// Shares at most that many bytes. Null if no memory can be shared.
    static std::unique_ptr<SharedSegment> create(std::size_t most = usual_most,
                                                 MayTake may_take = nullptr);

    static constexpr std::size_t usual_most = std::size_t{1} << 28;

    const ProcessAddress& presence() const { return presence_; }

    /// Opens the memory of another process of this node and makes a mailbox for it; false if that
    /// fails. Once both processes have attached each other, they can be endpoints.
    bool attach(const ProcessAddress& other);

    /// @pre Each process has attached the other
    Endpoint& endpoint(const ProcessAddress& other);

    /// The numbers of the processes that are endpoints by now, and of this one, in ascending order.
    std::vector<std::uint64_t> processes();

    /// Null if there was no memory for it.
    MulticastRing* multicast_ring() const { return multicast_ring_.get(); }

    /// Memory for the content of messages.
    StagingPool& staging() { return staging_; }

    std::byte* at(std::size_t offset) const { return memory_->at(offset); }

    /// Makes memory that other processes may write to, too; null if there is none left.
    std::unique_ptr<CommonMemory> make_common(std::size_t bytes) const {
        return memory_->lets_take() ? CommonMemory::create(bytes) : nullptr;
    }

    std::span<const std::byte> whole() const { return memory_->whole(); }

    std::size_t in_use() const { return memory_->in_use(); }

private:
    /// Where a mailbox is, and which process reads it.
    struct Label {
        std::atomic<std::uint64_t> process;
        std::uint64_t mailbox;
    };

    /// The beginning of the memory.
    struct Directory {
        std::uint64_t process;         ///< the process to which the memory belongs
        std::uint64_t multicast_ring;  ///< its offset; 0 if there is none
        Label labels[MulticastEntries::most_readers];
    };

    struct OtherProcess {
        std::unique_ptr<Window> window;
        std::size_t number = 0;   ///< the number of its label
        std::size_t mailbox = 0;  ///< this process's mailbox for it
        std::unique_ptr<Endpoint> endpoint;
    };

    explicit SharedSegment(std::unique_ptr<Memory> memory);
    Directory& directory() const { return *reinterpret_cast<Directory*>(memory_->at(0)); }

    std::unique_ptr<Memory> memory_;
    StagingPool staging_;
    std::unique_ptr<MulticastRing> multicast_ring_;
    ProcessAddress presence_;
    std::mutex mutex_;  // guards what follows
    std::unordered_map<std::uint64_t, OtherProcess> others_;
};

}  // namespace carpool::shared
