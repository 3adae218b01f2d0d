#pragma once

#include "mpi/shape.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace carpool::call {

/// One side of a call as the user describes it: a buffer and, per block, count, place and type.
struct Side {
    const char* buffer_name;
    const char* count_name;
    const char* type_name;
    std::byte* buffer;
    std::vector<std::pair<const char*, const void*>> arrays;  ///< must not be null
    bool varying_counts;                                      ///< else block 0 stands for all
    bool varying_types;
    std::function<MPI_Count(int)> count;
    std::function<MPI_Datatype(int)> type;
    std::function<std::int64_t(int)> displacement;  ///< in extents, or bytes if types vary
};

/// The argument that says the count of block i, for error texts: "sendcounts[i]".
std::string count_name(const Side& side, int i);

/// Throws MPI_ERR_TYPE unless the type is committed. @param comm  returns its errors
void check_type(const std::string& name, MPI_Datatype type, MPI_Comm comm);

/// Throws MPI_ERR_COUNT if block i has less than no elements.
void check_count(const Side& side, int i);

/// Throws MPI_ERR_BUFFER if the buffer is null and block i of it has bytes: unless it is
/// MPI_BOTTOM, which is null too, and types or displacements are absolute addresses.
void check_buffer(const Side& side, int i, const mpi::Block& block);

/// Throws MPI_ERR_ARG if a side of that many blocks lacks an array.
void check_arrays(const Side& side, int blocks);

/// Reads the blocks of one side; equal shapes are read once.
class BlockReader {
public:
    /// @param side  lives as long as the reader
    /// @param comm  returns its errors
    BlockReader(const Side& side, MPI_Comm comm) : side_(side), comm_(comm) {}

    /// Throws an Error that names the argument. The user's type is not needed afterwards.
    /// @pre check_arrays
    mpi::Block read(int i);

private:
    std::shared_ptr<const mpi::Shape> shape(MPI_Count count, MPI_Datatype type);

    const Side& side_;
    MPI_Comm comm_;
    std::optional<MPI_Datatype> last_type_;
    std::int64_t extent_ = 0;
    std::int64_t element_ = 1;  ///< bytes of memory that one may take
    std::map<std::pair<MPI_Datatype, MPI_Count>, std::shared_ptr<const mpi::Shape>> shapes_;
};

}  // namespace carpool::call
