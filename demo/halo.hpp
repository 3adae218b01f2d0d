// SPDX-License-Identifier: MIT
#pragma once

#include "box.hpp"
#include "mpi.hpp"
#include "torus.hpp"

#include <cstddef>
#include <vector>

namespace demo {

/// The arrays in a buffer: one of each population behind the other, each with a layer of halo.
struct PopulationArrays {
    std::vector<int> cells;  // per dimension, without the halo
    int volume;              // cells of one array, with it
    int populations;
};

/// What alltoallw wants to know of a buffer: block i is counts[i] times a type at a displacement.
class Halo {
public:
    explicit Halo(PopulationArrays arrays) : arrays_(std::move(arrays)) {}

    const PopulationArrays& arrays() const { return arrays_; }

    int neighbors() const { return static_cast<int>(counts_.size()); }
    const int* counts() const { return counts_.data(); }
    const MPI_Aint* displacements() const { return displacements_.data(); }
    const MPI_Datatype* send_types() const { return send_types_.data(); }
    const MPI_Datatype* recv_types() const { return recv_types_.data(); }

    /// Bytes of all blocks together.
    std::int64_t bytes() const {
        std::int64_t sum = 0;
        for (const MPI_Datatype type : send_types_) {
            int size = 0;
            check(MPI_Type_size(type, &size));
            sum += size;
        }
        return sum;
    }

    void add_block(Datatype send, Datatype recv) {
        counts_.push_back(1);
        displacements_.push_back(0);
        send_types_.push_back(send.get());
        recv_types_.push_back(recv.get());
        owned_.push_back(std::move(send));
        owned_.push_back(std::move(recv));
    }

private:
    PopulationArrays arrays_;
    std::vector<int> counts_;
    std::vector<MPI_Aint> displacements_;
    std::vector<MPI_Datatype> send_types_, recv_types_;
    std::vector<Datatype> owned_;
};

/// A box of cells inside a larger, padded one, of one population.
template <int D>
Datatype cells_type(const Box<D>& box, const Vector<D>& count, const Vector<D>& first) {
    Vector<D> padded, start;
    for (int k = 0; k < D; ++k) {
        padded[k] = box.cells()[k] + 2;
        start[k] = first[k] + 1;
    }
    MPI_Datatype type;
    check(MPI_Type_create_subarray(D, padded.data(), count.data(), start.data(), MPI_ORDER_C,
                                   MPI_DOUBLE, &type));
    return Datatype(type);
}

/// The same cells of several populations, committed.
template <int D>
Datatype populations_type(const Box<D>& box, const std::vector<int>& populations, Datatype cells) {
    std::vector<MPI_Aint> starts;
    for (const int i : populations)
        starts.push_back(static_cast<MPI_Aint>(sizeof(double)) * i * box.volume());
    MPI_Datatype type;
    check(MPI_Type_create_hindexed_block(static_cast<int>(starts.size()), 1, starts.data(),
                                         cells.get(), &type));
    check(MPI_Type_commit(&type));
    return Datatype(type);
}

/// Only these populations enter the neighbor at an offset: 3 of 9 an edge in two dimensions, 9 of
/// 27 a face in three, one a corner. To send no others cuts the halo to about a third.
template <int Q, int D>
std::vector<int> populations_towards(const Vector<D>& offset) {
    std::vector<int> result;
    for (int i = 0; i < Q; ++i) {
        bool enters = true;
        for (int k = 0; k < D; ++k)
            enters = enters && (offset[k] == 0 || Lattice<D, Q>::velocities[i][k] == offset[k]);
        if (enters) result.push_back(i);
    }
    return result;
}

/// Block i of the exchange. It leaves the layer of cells next to the neighbor at the offset, and
/// fills the halo on the opposite side, where the same block of the opposite neighbor comes in:
///
///        +---+-------+---+
///        |   |       |   |      offset (0, 1): the layer s goes right,
///        | r |     s |   |      the halo r comes from the left.
///        |   |       |   |
///        +---+-------+---+
template <int Q, int D>
void add_block(Halo& halo, const Box<D>& box, const Vector<D>& offset) {
    Vector<D> count, from{}, into{};
    for (int k = 0; k < D; ++k) {
        count[k] = offset[k] == 0 ? box.cells()[k] : 1;
        if (offset[k] > 0) from[k] = box.cells()[k] - 1, into[k] = -1;
        if (offset[k] < 0) into[k] = box.cells()[k];
    }
    const std::vector<int> populations = populations_towards<Q, D>(offset);
    halo.add_block(populations_type(box, populations, cells_type(box, count, from)),
                   populations_type(box, populations, cells_type(box, count, into)));
}

/// Blocks for all neighbors, in the order of neighbor_offsets.
template <int Q, int D>
Halo make_halo(const Box<D>& box) {
    Halo halo({{box.cells().begin(), box.cells().end()}, box.volume(), Q});
    for (const Vector<D>& velocity : Lattice<D, Q>::velocities)
        if (velocity != Vector<D>{}) add_block<Q>(halo, box, velocity);
    return halo;
}

}  // namespace demo
