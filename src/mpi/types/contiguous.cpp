// SPDX-License-Identifier: MIT
#include "mpi/types/contiguous.hpp"

#include "mpi/error.hpp"
#include "mpi/types/extent.hpp"

#include <array>

namespace carpool::mpi {
namespace {

constexpr std::int64_t chunk = std::int64_t{1} << 30;

Datatype small(std::int64_t count, MPI_Datatype type) {
    Datatype result;
    check(MPI_Type_contiguous(static_cast<int>(count), type, result.out()), "MPI_Type_contiguous");
    return result;
}

/// Chunks of 2^30 elements, then what is left.
Datatype large(std::int64_t count, MPI_Datatype type) {
    const auto one_chunk = small(chunk, type);
    const auto chunks = contiguous(count / chunk, one_chunk.get());
    const auto rest = small(count % chunk, type);
    const std::array<int, 2> lengths{1, 1};
    const std::array<MPI_Aint, 2> displacements{
        0, static_cast<MPI_Aint>(count / chunk * chunk * extent_of(type))};
    const std::array<MPI_Datatype, 2> types{chunks.get(), rest.get()};
    Datatype result;
    check(
        MPI_Type_create_struct(2, lengths.data(), displacements.data(), types.data(), result.out()),
        "MPI_Type_create_struct");
    return result;
}

}  // namespace

Datatype contiguous(std::int64_t count, MPI_Datatype type) {
    auto result = count <= chunk ? small(count, type) : large(count, type);
    check(MPI_Type_commit(result.out()), "MPI_Type_commit");
    return result;
}

}  // namespace carpool::mpi
