#pragma once

#include "engine/copy_list.hpp"
#include "mpi/shape.hpp"

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace carpool::engine {

/// Copies within this process, none of which reads what another one writes: from place to place,
/// or, where CopyList::copy() refuses, gathered into scratch memory and then scattered.
class LocalCopies {
public:
    void add(const mpi::Block& from, const mpi::Block& to);

    /// From contiguous bytes.
    void add(const std::byte* from, const mpi::Block& to) { second_.scatter(from, to); }

    /// Takes over those of another list, which then has none.
    void take(LocalCopies& other);

    /// Forgets all copies.
    void clear();

    void run() const {
        first_.run();
        second_.run();
    }

private:
    CopyList first_;
    CopyList second_;  // what has been gathered, and what goes straight
    std::vector<std::unique_ptr<std::byte[]>> scratch_;
};

/// What a rank does by itself between a receive and a send, or at the end: a copy, or a sum.
///
/// A sum is folded from its last summand to its first, so that an operator that does not commute
/// sees them in order. All summands have one shape.
class Work {
public:
    static Work copy(const mpi::Block& from, const mpi::Block& to);
    static Work sum(std::span<const mpi::Block> of, const mpi::Block& to, MPI_Op op);

    /// Makes it another copy, or another sum.
    void become_copy(const mpi::Block& from, const mpi::Block& to);
    void become_sum(std::span<const mpi::Block> of, const mpi::Block& to, MPI_Op op);

    /// Lets the caller do before what a sum begins with.
    void begin_in(LocalCopies& copies) { copies.take(first_); }

    void run() const;

private:
    LocalCopies first_;
    std::vector<std::byte*> added_;  // the last but one summand first
    mpi::Block result_;
    MPI_Op op_ = MPI_OP_NULL;
};

}  // namespace carpool::engine
