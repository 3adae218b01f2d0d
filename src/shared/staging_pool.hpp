// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"
#include "shared/memory.hpp"
#include "shared/pending_read.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <optional>
#include <vector>

namespace carpool::shared {

/// A piece of this process's memory that holds a message until its readers have read it.
struct StagingBuffer {
    std::size_t offset;
    std::size_t bytes;
    /// The reads of its content that have not ended.
    std::vector<PendingRead> pending_reads = {};
    std::uint64_t uses = 0;  ///< how often it has been taken
    bool taken = true;       ///< and not returned to the pool

    bool is_read() const;
};

/// The staging buffers of this process. A sender takes a buffer when its message leaves and returns
/// it at once; the buffer can be taken again when the message has been read. So the pool only needs
/// memory for the messages that are under way. It leaves a sixteenth of the memory for processes
/// that attach later. Any thread may call any function.
class StagingPool {
    using SizeClass = std::list<StagingBuffer>;

public:
    using Buffer = SizeClass::iterator;

    /// An earlier use of a buffer that has been returned to the pool.
    struct Use {
        Buffer buffer;
        std::uint64_t number;  ///< the number of the use
    };

    /// The result of take().
    struct TakeResult {
        std::optional<Buffer> buffer;
        bool late = false;  ///< the content of the earlier use has not been read yet
    };

    /// @param memory  must outlive the pool
    explicit StagingPool(Memory& memory) : memory_(memory) {}

    /// Takes a buffer of at least that many bytes that no endpoint reads any more: that of an
    /// earlier use, unless it has been taken again, or else any free or new one. Takes none if
    /// there is no memory left, or while the content of the earlier use has not been read.
    TakeResult take(std::size_t bytes, const std::optional<Use>& earlier = std::nullopt);

    /// Returns a buffer to the pool. It can be taken again when its pending reads have ended.
    Use give_back(Buffer buffer);

    std::byte* at(const Buffer& buffer) const { return memory_.at(buffer->offset); }

private:
    static std::size_t class_of(std::size_t piece);
    static std::optional<Buffer> free_one(SizeClass& buffers, std::size_t first_many);
    std::optional<Buffer> find_anywhere(std::size_t size_class);
    std::optional<Buffer> find_or_take(std::size_t bytes);

    Memory& memory_;
    base::Mutex mutex_;  // guards what follows
    /// The buffers by size, two classes per power of two; those of each class in the order in which
    /// take() last looked at them.
    std::array<SizeClass, 2 * std::numeric_limits<std::size_t>::digits> classes_;
};

}  // namespace carpool::shared
