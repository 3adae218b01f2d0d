// SPDX-License-Identifier: MIT
#pragma once

#include "base/digest.hpp"
#include "mpi/types/derived_type.hpp"
#include "mpi/types/element.hpp"
#include "mpi/types/known_types.hpp"
#include "mpi/types/shape.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace carpool::arguments {

/// Names of the arguments of one side, for error texts; null if the function has no such argument.
struct Names {
    const char* buffer = nullptr;
    const char* count = nullptr;
    const char* displacement = nullptr;
    const char* type = nullptr;
};

/// A number per block: one for all blocks, or the user's array.
class Numbers {
public:
    Numbers(std::int64_t same = 0) : same_(same) {}
    Numbers(const int* each) : each_(each), width_(sizeof(int)) {}
    Numbers(const MPI_Count* each) : each_(each), width_(sizeof(MPI_Count)) {}
    template <typename Large>  // MPI_Aint, where that is not MPI_Count
    Numbers(const Large* each) : each_(each), width_(sizeof(Large)) {
        static_assert(sizeof(Large) == sizeof(std::int64_t));
    }

    bool varies() const { return width_ != 0; }
    const void* array() const { return each_; }

    /// The bytes of the numbers of that many blocks in the user's array; none if there is no array.
    std::span<const std::byte> bytes(int blocks) const {
        return {static_cast<const std::byte*>(each_), width_ * static_cast<std::size_t>(blocks)};
    }

    /// Whether both are one number, the same, or both arrays of numbers of the same width.
    bool resembles(const Numbers& other) const {
        return width_ == other.width_ && (varies() || same_ == other.same_);
    }

    std::int64_t operator[](int i) const {
        if (width_ == 0) return same_;
        return width_ == sizeof(int) ? static_cast<const int*>(each_)[i]
                                     : static_cast<const std::int64_t*>(each_)[i];
    }

private:
    std::int64_t same_ = 0;
    const void* each_ = nullptr;
    std::size_t width_ = 0;  // bytes of a number in the array; 0 if there is none
};

/// Where the blocks of a side lie in its buffer.
enum class BlockOrder {
    at_start,   ///< all at the start of the buffer
    behind,     ///< each behind the one before
    displaced,  ///< each at its own displacement
};

/// One side of a call as the user describes it: a buffer and, per block, count, displacement and
/// datatype. A side is plain values, made for each call.
struct Side {
    Names names = {};
    std::byte* buffer = nullptr;
    Numbers counts = {};
    BlockOrder order = BlockOrder::at_start;
    Numbers displacements = {};                 ///< in extents, or bytes if types vary
    const MPI_Datatype* types = nullptr;        ///< per block, where they vary
    MPI_Datatype one_type = MPI_DATATYPE_NULL;  ///< the type of all blocks, where it is the same
    bool varying_types = false;
    bool takes_device_memory = true;  ///< blocks may lie in memory of a GPU

    bool varying_counts() const { return counts.varies(); }
    MPI_Count count(int i) const { return counts[i]; }
    MPI_Datatype type(int i) const { return varying_types ? types[i] : one_type; }

    /// The user's arrays with their names; the name is null if there is no such array.
    std::array<std::pair<const char*, const void*>, 3> arrays() const;
};

/// The same side, whose blocks may not lie in memory of a GPU.
inline Side on_host(Side side) {
    side.takes_device_memory = false;
    return side;
}

/// The letter at the end of MPI's function: w with a datatype per block, v with a count per block,
/// none otherwise.
std::string_view function_suffix(const Side& send, const Side& recv);

/// The name of the argument with the count of block i, for error texts: "sendcounts[i]".
std::string count_name(const Side& side, int i);

/// The error text for a block of one side and one of the other that must be equally long but
/// differ.
std::string differing_sizes(const Side& side, int i, std::int64_t bytes, const Side& other, int j,
                            std::int64_t other_bytes);

/// Throws MPI_ERR_TYPE unless the type is committed.
/// @param comm  a communicator with the error handler MPI_ERRORS_RETURN
void check_type(std::string_view name, MPI_Datatype type, MPI_Comm comm);

/// Throws MPI_ERR_COUNT if the count of block i is negative.
void check_count(const Side& side, int i);

/// Checks count and datatype of a block that nobody sends.
void check_unused(const Side& side, int i);

/// Throws MPI_ERR_BUFFER if the buffer is null and block i has bytes, unless the buffer is
/// MPI_BOTTOM, which is null too, and types or displacements contain absolute addresses.
void check_buffer(const Side& side, int i, const mpi::Block& block);

/// The device on which a block of a side lies; null for the host. Throws MPI_ERR_BUFFER if the side
/// takes no memory of a device, and MPI_ERR_TYPE if the device cannot read the shape.
/// @pre the shape has bytes
device::Device* device_of(const Side& side, const std::byte* address, const mpi::Shape& shape);

/// Throws MPI_ERR_ARG if a side of that many blocks lacks an array.
void check_arrays(const Side& side, int blocks);

/// Whether an array that a side of this number of blocks needs is a null pointer.
inline bool lacks_array(const Side& side, int blocks) {
    const auto lacks = [](const Numbers& numbers) {
        return numbers.varies() && numbers.array() == nullptr;
    };
    return blocks > 0 && (lacks(side.counts) || lacks(side.displacements) ||
                          (side.varying_types && side.types == nullptr));
}

/// Adds what a side says of so many blocks; nothing of them if it lacks an array.
void add(base::Digest& digest, const Side& side, int blocks);

/// Reads the blocks of one side, into the memory of blocks that were read before: what is the same
/// as there is not read again.
class BlockReader {
public:
    /// @param side  lives as long as the reader
    /// @param types  shared with other readers; null to share none
    explicit BlockReader(const Side& side, mpi::KnownTypes* types = nullptr)
        : side_(side), types_(types) {}
    BlockReader(const BlockReader&) = delete;
    BlockReader& operator=(const BlockReader&) = delete;

    /// Reads block i. Throws an Error that names the argument. The user may free the datatype
    /// afterwards. @pre check_arrays() has not thrown
    void read(int i, mpi::Block& block);

    /// Reads the first blocks, all of the side. @pre as for read()
    void read_all(int count, std::vector<mpi::Block>& blocks);

    /// Notes on which device the blocks lie that have been read: all that the side has. Throws
    /// MPI_ERR_BUFFER if they lie in several places, and MPI_ERR_TYPE if the device cannot read
    /// them.
    void note_device(std::span<mpi::Block> blocks) {
        if (device::Driver::known() == nullptr) return;
        if (device_ != nullptr || mpi::device_of(blocks) != nullptr || side_.varying_types)
            set_device(blocks);
    }

private:
    std::int64_t displacement(int i);
    void take_type(int i);
    void take_derived_type(int i);
    void find_device(const mpi::Block& block, const std::byte* address, bool is_known);
    void set_device(std::span<mpi::Block> blocks) const;

    const Side& side_;
    int next_ = 0;          // the block behind those whose counts are summed
    std::int64_t end_ = 0;  // their sum
    std::optional<MPI_Datatype> last_type_;
    const mpi::Element* predefined_ = nullptr;         // of last_type_, if it is predefined
    std::shared_ptr<const mpi::DerivedType> derived_;  // of last_type_, if it is derived
    std::int64_t unit_ = 1;                            // bytes by which displacements count
    std::int64_t element_size_ = 1;                    // bytes that one element occupies
    bool is_placed_ = false;            // the device of the first block that has bytes is known
    device::Device* device_ = nullptr;  // where it lies
    mpi::KnownTypes* types_;
};

}  // namespace carpool::arguments
