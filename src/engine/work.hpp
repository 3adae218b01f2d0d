// SPDX-License-Identifier: MIT
#pragma once

#include "engine/copy_list.hpp"
#include "mpi/types/shape.hpp"

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace carpool::engine {

/// Copies within this process, none of which reads what another one writes. They go from block to
/// block or, where CopyList::copy() refuses, through scratch memory.
class LocalCopies {
public:
    void add(const mpi::Block& from, const mpi::Block& to);

    /// Adds a copy from contiguous bytes.
    void add(const std::byte* from, const mpi::Block& to) { second_.scatter(from, to); }

    /// Stores them so that they are read fast. To be called when all have been added.
    void compact() {
        first_.compact();
        second_.compact();
    }

    /// Takes over the copies of another list, which then has none.
    void take(LocalCopies& other);

    /// Forgets all copies.
    void clear();

    void run() const {
        first_.run();
        second_.run();
    }

private:
    CopyList first_;
    CopyList second_;  // from scratch memory, and from block to block
    std::vector<std::unique_ptr<std::byte[]>> scratch_;
};

/// Local work of a rank between a receive and a send, or at the end: a copy or a sum.
///
/// A sum is folded from its last summand to its first, so that an operator that does not commute is
/// applied in order. All summands have one shape.
class Work {
public:
    static Work copy(const mpi::Block& from, const mpi::Block& to);
    static Work sum(std::span<const mpi::Block> of, const mpi::Block& to, MPI_Op op);

    /// Turns this into another copy or another sum.
    void become_copy(const mpi::Block& from, const mpi::Block& to);
    void become_sum(std::span<const mpi::Block* const> of, const mpi::Block& to, MPI_Op op);

    /// Hands the copy with which a sum begins over to the caller, to be run earlier.
    void begin_in(LocalCopies& copies) { copies.take(first_); }

    void run() const;

private:
    LocalCopies first_;
    std::vector<std::byte*> added_;  // summands, the last but one first
    mpi::Block result_;
    MPI_Op op_ = MPI_OP_NULL;
};

}  // namespace carpool::engine
