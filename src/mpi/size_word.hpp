#pragma once

#include "mpi/error.hpp"
#include "mpi/shape.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace carpool::mpi {

/// Ends error texts about sizes that differ, mostly because ranks do not divide a grid evenly.
constexpr const char* advice_on_uneven_sizes =
    "; for uneven grids use Carpool_Halo_init or a graph communicator "
    "(MPI_Dist_graph_create_adjacent)";

/// A word that identifies the sizes of the blocks that a rank uses, and the word that one of its
/// sources has sent. The object must not move, because the words' addresses are bound.
class SizeWord {
public:
    explicit SizeWord(std::uint64_t digest) : own_(digest | 1) {}  // never 0, which means none yet
    SizeWord(const SizeWord&) = delete;
    SizeWord& operator=(const SizeWord&) = delete;

    static constexpr std::int64_t bytes = sizeof(std::uint64_t);

    mpi::Block sent() { return block(own_); }
    mpi::Block heard() { return block(heard_); }

    void begin() { heard_ = 0; }

    /// Has a different word arrived?
    bool differs() const { return heard_ != 0 && heard_ != own_; }

    /// Throws MPI_ERR_ARG if a different word has arrived.
    void check() const {
        if (differs())
            throw Error(MPI_ERR_ARG, std::string("block sizes differ between ranks, "
                                                 "expected the same on all ranks") +
                                         advice_on_uneven_sizes);
    }

private:
    static mpi::Block block(std::uint64_t& word) {
        return {reinterpret_cast<std::byte*>(&word), mpi::Shape(1, MPI_UINT64_T)};
    }

    std::uint64_t own_;
    std::uint64_t heard_ = 0;
};

}  // namespace carpool::mpi
