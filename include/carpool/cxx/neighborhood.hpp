// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/cxx/communicator.hpp>
#include <carpool/cxx/neighbors.hpp>
#include <carpool/cxx/stencil.hpp>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace carpool {

/// The sources and targets of a rank with their weights, in the order of the neighborhood.
/// MPI_PROC_NULL stands for a neighbor outside a mesh.
struct NeighborRanks {
    std::vector<int> sources, source_weights, targets, target_weights;
};

/// The source and the target of a shift. MPI_PROC_NULL stands for a rank outside a mesh.
struct Shift {
    int source;
    int target;
};

/// A torus or mesh of ranks with a neighborhood of relative offsets and its collectives. The
/// destructor frees the communicator.
class Neighborhood : public Neighbors {
public:
    /// The other arguments of Carpool_Cart_neighborhood_create.
    struct Options {
        std::span<const int> weights = {};  ///< one per offset, or none
        Settings settings = {};             ///< defaults of the operations on the communicator
        bool reorder = false;               ///< may give processes other ranks, to save messages
    };

    /// Makes a neighborhood by Carpool_Cart_neighborhood_create. dims and periods have one element
    /// per dimension of the stencil. @note Collective over comm.
    Neighborhood(MPI_Comm comm, std::span<const int> dims, std::span<const int> periods,
                 const Stencil& stencil, const Options& options)
        : Neighborhood(created(comm, dims, periods, stencil, options), stencil.size()) {}

    /// The same with default options. @note Collective over comm.
    Neighborhood(MPI_Comm comm, std::span<const int> dims, std::span<const int> periods,
                 const Stencil& stencil)
        : Neighborhood(comm, dims, periods, stencil, Options{}) {}

    /// Attaches a stencil to a torus or mesh of MPI_Cart_create, by
    /// Carpool_Iso_neighborhood_create.
    /// @note Collective over cartcomm.
    Neighborhood(MPI_Comm cartcomm, const Stencil& stencil)
        : Neighborhood(attached(cartcomm, stencil), stencil.size()) {}

    /// The number of neighbors, which includes those outside a mesh.
    int size() const {
        int t = 0;
        check(Carpool_Cart_neighbor_count(comm(), &t), "Carpool_Cart_neighbor_count");
        return t;
    }

    /// The rank at an offset from this one; MPI_PROC_NULL outside a mesh.
    int relative_rank(std::span<const int> offset) const {
        int rank = MPI_PROC_NULL;
        check(Carpool_Cart_relative_rank(comm(), offset.data(), &rank),
              "Carpool_Cart_relative_rank");
        return rank;
    }

    /// The source and the target of a shift by an offset.
    Shift relative_shift(std::span<const int> offset) const {
        Shift shift{};
        check(Carpool_Cart_relative_shift(comm(), offset.data(), &shift.source, &shift.target),
              "Carpool_Cart_relative_shift");
        return shift;
    }

    /// The offset from this rank to another; in a periodic dimension the shorter one.
    std::vector<int> relative_coord(int rank) const {
        std::vector<int> offset(static_cast<std::size_t>(dimensions()));
        check(Carpool_Cart_relative_coord(comm(), rank, offset.data()),
              "Carpool_Cart_relative_coord");
        return offset;
    }

    /// The sources and targets of this rank with their weights.
    NeighborRanks ranks_around() const {
        const int t = size();
        const std::vector<int> empty(static_cast<std::size_t>(t));
        NeighborRanks ranks{empty, empty, empty, empty};
        check(
            Carpool_Cart_neighbor_get(comm(), t, ranks.sources.data(), ranks.source_weights.data(),
                                      t, ranks.targets.data(), ranks.target_weights.data()),
            "Carpool_Cart_neighbor_get");
        return ranks;
    }

    /// The offsets as they were given at creation.
    Stencil stencil() const {
        const int t = size();
        const int d = dimensions();
        std::vector<int> offsets(static_cast<std::size_t>(t) * static_cast<std::size_t>(d));
        check(Carpool_Cart_neighbor_offsets(comm(), t, offsets.data()),
              "Carpool_Cart_neighbor_offsets");
        return {d, std::move(offsets)};
    }

private:
    using Comm = detail::Owned<detail::CommKind>;

    Neighborhood(Comm comm, int t) : Neighbors(comm.get(), {t, t}), owned_(std::move(comm)) {}

    static Comm created(MPI_Comm comm, std::span<const int> dims, std::span<const int> periods,
                        const Stencil& stencil, const Options& options) {
        Comm made;
        check(Carpool_Cart_neighborhood_create(
                  comm, static_cast<int>(dims.size()), dims.data(), periods.data(), stencil.size(),
                  stencil.coordinates().data(),
                  options.weights.empty() ? MPI_UNWEIGHTED : options.weights.data(),
                  options.settings.info().get(), options.reorder ? 1 : 0, made.address()),
              "Carpool_Cart_neighborhood_create");
        return detail::with_errors_returned(std::move(made));
    }

    static Comm attached(MPI_Comm cartcomm, const Stencil& stencil) {
        Comm made;
        check(Carpool_Iso_neighborhood_create(cartcomm, stencil.size(),
                                              stencil.coordinates().data(), made.address()),
              "Carpool_Iso_neighborhood_create");
        return detail::with_errors_returned(std::move(made));
    }

    int dimensions() const {
        int d = 0;
        check(MPI_Cartdim_get(comm(), &d), "MPI_Cartdim_get");
        return d;
    }

    Comm owned_;
};

}  // namespace carpool
