// SPDX-License-Identifier: MIT
#pragma once

#include "handles.hpp"

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace carpool::tests {

/// A datatype of six ints, in some order at some places within 128 bytes from its lower bound.
struct SixInts {
    std::string name;
    std::function<MPI_Datatype()> make;
    bool only_sends = false;
};

namespace six_ints {

inline MPI_Datatype contiguous() {
    MPI_Datatype type;
    MPI_Type_contiguous(6, MPI_INT, &type);
    return type;
}

inline MPI_Datatype vector(int blocks, int length, int stride) {
    MPI_Datatype type;
    MPI_Type_vector(blocks, length, stride, MPI_INT, &type);
    return type;
}

inline MPI_Datatype indexed(std::vector<int> lengths, std::vector<int> displs) {
    MPI_Datatype type;
    MPI_Type_indexed(static_cast<int>(lengths.size()), lengths.data(), displs.data(), MPI_INT,
                     &type);
    return type;
}

inline MPI_Datatype indexed_block(std::vector<int> displs) {
    MPI_Datatype type;
    MPI_Type_create_indexed_block(6, 1, displs.data(), MPI_INT, &type);
    return type;
}

inline MPI_Datatype hvector(MPI_Aint stride) {
    MPI_Datatype type;
    MPI_Type_create_hvector(6, 1, stride, MPI_INT, &type);
    return type;
}

inline MPI_Datatype structure(std::vector<int> lengths, std::vector<MPI_Aint> displs) {
    std::vector<MPI_Datatype> types(lengths.size(), MPI_INT);
    MPI_Datatype type;
    MPI_Type_create_struct(static_cast<int>(lengths.size()), lengths.data(), displs.data(),
                           types.data(), &type);
    return type;
}

/// A subarray of 2 x 3 from a 3 x 5 array, starting at (1, 1).
inline MPI_Datatype subarray(int order) {
    const int sizes[] = {3, 5}, parts[] = {2, 3}, starts[] = {1, 1};
    MPI_Datatype type;
    MPI_Type_create_subarray(2, sizes, parts, starts, order, MPI_INT, &type);
    return type;
}

/// Rank 1's part of 18 ints that are dealt to 3 ranks in pairs.
inline MPI_Datatype darray() {
    const int sizes[] = {18}, dealing[] = {MPI_DISTRIBUTE_CYCLIC}, pairs[] = {2}, ranks[] = {3};
    MPI_Datatype type;
    MPI_Type_create_darray(3, 1, 1, sizes, dealing, pairs, ranks, MPI_ORDER_C, MPI_INT, &type);
    return type;
}

inline MPI_Datatype resized(MPI_Datatype inner, MPI_Aint lb, MPI_Aint extent) {
    const Type owned(inner);
    MPI_Datatype type;
    MPI_Type_create_resized(inner, lb, extent, &type);
    return type;
}

/// Three copies of (one int, a hole, one int), in descending order of addresses.
inline MPI_Datatype nested() {
    const Type pair(resized(vector(2, 1, 2), 0, 16));
    MPI_Datatype type;
    MPI_Type_create_hvector(3, 1, -16, pair, &type);
    return type;
}

inline MPI_Datatype duplicate() {
    const Type inner(vector(3, 2, 4));
    MPI_Datatype type;
    MPI_Type_dup(inner, &type);
    return type;
}

}  // namespace six_ints

/// All kinds of them. A device takes no datatype that only MPI can read.
inline std::vector<SixInts> kinds_of_six_ints() {
    using namespace six_ints;
    std::vector<SixInts> kinds{
        {"contiguous", contiguous},
        {"vector", [] { return vector(3, 2, 4); }},
        {"column", [] { return vector(6, 1, 5); }},
        {"vector of negative stride", [] { return vector(2, 3, -5); }},
        {"indexed, ascending", [] { return indexed({1, 2, 3}, {1, 4, 8}); }},
        {"indexed, descending", [] { return indexed({1, 2, 3}, {8, 4, 0}); }},
        {"indexed with an empty block", [] { return indexed({3, 0, 3}, {6, 50, 0}); }},
        {"indexed_block, reversed", [] { return indexed_block({5, 4, 3, 2, 1, 0}); }},
        {"indexed at negative places", [] { return indexed({3, 3}, {-3, -9}); }},
        {"hvector", [] { return hvector(12); }},
        {"struct, descending", [] { return structure({2, 4}, {32, 0}); }},
        {"subarray of C", [] { return subarray(MPI_ORDER_C); }},
        {"subarray of Fortran", [] { return subarray(MPI_ORDER_FORTRAN); }},
        {"darray", darray},
        {"resized, lb < 0", [] { return resized(contiguous(), -8, 64); }},
        {"resized, lb > 0", [] { return resized(vector(3, 2, 3), 4, 44); }},
        {"nested", nested},
        {"duplicate", duplicate},
        {"one int six times", [] { return hvector(0); }, true}};
    if (std::getenv("CARPOOL_TEST_DEVICE") != nullptr)
        std::erase_if(kinds, [](const auto& kind) { return kind.name == "darray"; });
    return kinds;
}

}  // namespace carpool::tests
