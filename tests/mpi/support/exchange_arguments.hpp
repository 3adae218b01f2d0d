// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace carpool::tests {

enum class Operation { alltoall, alltoallv, alltoallw, allgather, allgatherv, allgatherw };

inline constexpr Operation operations[] = {Operation::alltoall,   Operation::alltoallv,
                                           Operation::alltoallw,  Operation::allgather,
                                           Operation::allgatherv, Operation::allgatherw};

inline const char* name_of(Operation operation) {
    const char* names[] = {"alltoall",  "alltoallv",  "alltoallw",
                           "allgather", "allgatherv", "allgatherw"};
    return names[static_cast<int>(operation)];
}

inline bool is_allgather(Operation operation) { return operation >= Operation::allgather; }

/// How the arguments of one side describe its blocks, as in MPI.
enum class Shape {
    one,      ///< one block: counts[0], types[0]
    uniform,  ///< t blocks in a row: counts[0], types[0]
    v,        ///< counts[i], displs[i] in extents, types[0]
    w         ///< counts[i], displs[i] in bytes, types[i]
};

/// The arguments of one side of an operation.
struct Side {
    void* buffer = nullptr;
    std::vector<MPI_Count> counts;
    std::vector<MPI_Aint> displs;
    std::vector<MPI_Datatype> types;
};

struct ExchangeArguments {
    Operation operation;
    Side send;
    Side recv;

    Shape send_shape() const {
        return is_allgather(operation) ? Shape::one : shape_of(static_cast<int>(operation));
    }
    Shape recv_shape() const { return shape_of(static_cast<int>(operation) % 3); }

private:
    static Shape shape_of(int letter) {
        const Shape shapes[] = {Shape::uniform, Shape::v, Shape::w};
        return shapes[letter];
    }
};

/// One block, as MPI_Isend or MPI_Irecv takes it.
struct Block {
    void* address;
    MPI_Count count;
    MPI_Datatype type;
};

inline MPI_Aint extent_of(MPI_Datatype type) {
    MPI_Aint lb, extent;
    MPI_Type_get_extent(type, &lb, &extent);
    return extent;
}

/// Reduces every form to w: returns the block of each of the t positions.
inline std::vector<Block> blocks_of(const Side& side, Shape shape, int t) {
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < static_cast<std::size_t>(t); ++i) {
        const bool listed = shape == Shape::v || shape == Shape::w;
        const auto count = side.counts[listed ? i : 0];
        const auto type = side.types[shape == Shape::w ? i : 0];
        MPI_Aint shift = 0;
        if (shape == Shape::uniform) shift = static_cast<MPI_Aint>(i) * count * extent_of(type);
        if (shape == Shape::v) shift = side.displs[i] * extent_of(type);
        if (shape == Shape::w) shift = side.displs[i];
        const auto address = MPI_Aint_add(reinterpret_cast<MPI_Aint>(side.buffer), shift);
        blocks.push_back({reinterpret_cast<void*>(address), count, type});
    }
    return blocks;
}

}  // namespace carpool::tests
