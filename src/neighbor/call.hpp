#pragma once

#include "engine/bind.hpp"
#include "mpi/agreement.hpp"
#include "neighbor/topology.hpp"
#include "schedule/operation.hpp"

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace carpool::neighbor {

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

/// A collective call as the user makes it.
struct Arguments {
    schedule::Operation operation;
    Side send;
    Side recv;
    MPI_Op op = MPI_OP_NULL;  ///< of reductions
};

/// A collective call with all its arguments read and checked, as far as one rank can.
struct Call {
    schedule::Operation operation;
    engine::Buffers buffers;
    mpi::Claim block_bytes;  ///< per send block; of a reduction the one size of all
    bool in_order = false;   ///< a reduction whose operator does not commute
    std::shared_ptr<const mpi::Shape> summand = {};  ///< what a reduction adds
};

/// Throws MPI_ERR_TYPE unless the type is committed. @param comm  returns its errors
void check_type(const std::string& name, MPI_Datatype type, MPI_Comm comm);

/// Throws an Error if a pointer cannot be what the user meant.
void check_pointers(const Topology& topology, const Arguments& arguments);

/// Throws an Error that names the argument. The user's arrays are not needed afterwards.
/// @pre check_pointers
Call read_call(const Topology& topology, const Arguments& arguments);

/// Numbers that are the same for calls with the same arguments; none where a derived datatype could
/// be another one under the same handle next time.
/// @pre check_pointers
std::vector<std::int64_t> signature_of(const Topology& topology, const Arguments& arguments);

}  // namespace carpool::neighbor
