// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace bench {

/// Which ranks take part in one side (send or receive) of a collective.
enum class Where { nowhere, everywhere, at_root, elsewhere };

/// What one side of a collective consists of: one block, or one per rank.
struct Side {
    Where where = Where::nowhere;
    bool per_rank = false;

    bool is_on(bool root) const {
        return where == Where::everywhere || where == (root ? Where::at_root : Where::elsewhere);
    }
};

/// The buffers of one rank, and all arrays that the forms of a collective take. The root is rank 0.
class GroupBlocks {
public:
    struct Shape {
        Side send, receive;
        bool reduces = false;
        bool varies = false;    // block sizes alternate: half of the size, the size, one and a half
        bool pairwise = false;  // a block for each pair of ranks
    };

    GroupBlocks(Shape shape, int bytes, MPI_Comm comm) : shape_(shape) {
        check(MPI_Comm_rank(comm, &rank));
        check(MPI_Comm_size(comm, &ranks));
        const bool doubles = shape.reduces && bytes % 8 == 0;
        unit_ = doubles ? 8 : 1;
        type = doubles ? MPI_DOUBLE : shape.reduces ? MPI_UINT8_T : MPI_BYTE;
        lay_out(bytes / unit_);
        send.resize(size_of(shape.send));
        receive.resize(size_of(shape.receive));
        fill();
    }

    /// The buffer of a bcast: the send buffer on the root, the receive buffer elsewhere.
    std::byte* shared() { return rank == 0 ? send.data() : receive.data(); }

    int rank = 0;
    int ranks = 0;
    MPI_Datatype type = MPI_BYTE;
    int count = 0;  // elements in a side's single block
    std::vector<int> counts, displacements, byte_displacements;
    std::vector<MPI_Datatype> types;
    std::vector<std::byte> send, receive;

private:
    void lay_out(int elements) {
        for (int i = 0; i < ranks; ++i) {
            const int turn = (shape_.pairwise ? rank + i : i) % 3 - 1;
            counts.push_back(elements + (shape_.varies ? turn * (elements / 2) : 0));
            displacements.push_back(elements_);
            byte_displacements.push_back(elements_ * unit_);
            types.push_back(type);
            elements_ += counts.back();
        }
        count = counts[static_cast<std::size_t>(rank)];
    }

    std::size_t size_of(Side side) const {
        if (!side.is_on(rank == 0)) return 0;
        return static_cast<std::size_t>((side.per_rank ? elements_ : count) * unit_);
    }

    /// Whole numbers so small that every order of addition gives the same sum, even in a byte.
    void fill() {
        for (std::size_t i = 0; i < send.size() / static_cast<std::size_t>(unit_); ++i) {
            const auto number = (i * 3 + static_cast<std::size_t>(rank) * 5) % 8;
            const auto real = static_cast<double>(number);
            const auto small = static_cast<unsigned char>(number);
            std::byte* const to = &send[i * static_cast<std::size_t>(unit_)];
            unit_ == 8 ? std::memcpy(to, &real, 8) : std::memcpy(to, &small, 1);
        }
    }

    Shape shape_;
    int unit_ = 1;
    int elements_ = 0;
};

}  // namespace bench
