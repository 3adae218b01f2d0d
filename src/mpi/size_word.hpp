#pragma once

#include "mpi/error.hpp"
#include "mpi/shape.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace carpool::mpi {

/// Ends what is said of sizes that differ: cells of a grid that ranks do not divide evenly, mostly.
constexpr const char* advice_on_uneven_sizes =
    "; uneven grids go by Carpool_Halo_init, or by a graph (MPI_Dist_graph_create_adjacent)";

/// A word that says which sizes of blocks a rank goes by, and that which one of its sources has
/// sent. Its address is bound: it must not move.
class SizeWord {
public:
    explicit SizeWord(std::uint64_t digest) : own_(digest | 1) {}  // never 0, which is none yet
    SizeWord(const SizeWord&) = delete;
    SizeWord& operator=(const SizeWord&) = delete;

    static constexpr std::int64_t bytes = sizeof(std::uint64_t);

    mpi::Block sent() { return block(own_); }
    mpi::Block heard() { return block(heard_); }

    void begin() { heard_ = 0; }

    /// Has another word come?
    bool differs() const { return heard_ != 0 && heard_ != own_; }

    /// Throws MPI_ERR_ARG then.
    void check() const {
        if (differs())
            throw Error(MPI_ERR_ARG,
                        std::string("sizes of blocks on one rank are not those on another, "
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
