#pragma once

#include "base/mutex.hpp"
#include "shared/memory.hpp"
#include "shared/reading.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <optional>
#include <vector>

namespace carpool::shared {

/// A piece of this process's memory in which a message lies until its readers have read it.
struct StagingBuffer {
    std::size_t offset;
    std::size_t bytes;
    std::vector<Reading> readings = {};  ///< of what lies there
    std::uint64_t uses = 0;              ///< how often it has been taken
    bool taken = true;                   ///< and not given back

    bool is_read() const;
};

/// The staging memory of this process. Whoever sends a message takes a buffer when the message
/// leaves and gives it back at once; it is taken again when it has been read. So all messages of
/// the process need as much memory as those that are under way. It leaves a sixteenth of the memory
/// to those who meet later. Any thread may call anything.
class StagingPool {
    using SizeClass = std::list<StagingBuffer>;

public:
    using Buffer = SizeClass::iterator;

    /// A use of a buffer that has been given back since.
    struct Use {
        Buffer buffer;
        std::uint64_t number;  ///< of the use
    };

    /// What take() finds.
    struct Taken {
        std::optional<Buffer> buffer;
        bool late = false;  ///< what the earlier use put there is not read yet
    };

    /// @param memory  outlives it
    explicit StagingPool(Memory& memory) : memory_(memory) {}

    /// A buffer of so many bytes or more that nobody reads any more: that of an earlier use if
    /// nobody has taken it meanwhile, or else one that has been there for long. None if there is no
    /// memory left, or while the earlier use is not read.
    Taken take(std::size_t bytes, const std::optional<Use>& earlier = std::nullopt);

    /// Gives a buffer back, to be taken again when its readings have ended.
    Use give_back(Buffer buffer);

    std::byte* at(const Buffer& buffer) const { return memory_.at(buffer->offset); }

private:
    static std::size_t class_of(std::size_t piece);
    static std::optional<Buffer> free_one(SizeClass& buffers, std::size_t first_many);
    std::optional<Buffer> find_anywhere(std::size_t size_class);
    std::optional<Buffer> find_or_take(std::size_t bytes);

    Memory& memory_;
    base::Mutex mutex_;  // of what follows
    /// By size, two classes per power of two; in each, buffers in the order in which they were last
    /// looked at.
    std::array<SizeClass, 2 * std::numeric_limits<std::size_t>::digits> classes_;
};

}  // namespace carpool::shared
