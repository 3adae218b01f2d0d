#pragma once

#include <carpool/cxx/communicator.hpp>
#include <carpool/cxx/neighbors.hpp>
#include <carpool/cxx/stencil.hpp>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace carpool {

/// Ranks on both sides with their weights, in the order of the neighborhood; MPI_PROC_NULL where a
/// mesh ends.
struct NeighborRanks {
    std::vector<int> sources, source_weights, targets, target_weights;
};

/// The ranks that a shift comes from and goes to.
struct Shift {
    int source;
    int target;
};

/// A torus or mesh of ranks with a neighborhood of relative offsets, and its communicator.
class Neighborhood : public Neighbors {
public:
    /// What else Carpool_Cart_neighborhood_create takes.
    struct Options {
        std::span<const int> weights = {};  ///< one per offset, or none
        Settings settings = {};
        bool reorder = false;
    };

    /// As Carpool_Cart_neighborhood_create. @note Collective over comm.
    Neighborhood(MPI_Comm comm, std::span<const int> dims, std::span<const int> periods,
                 const Stencil& stencil, const Options& options)
        : Neighborhood(created(comm, dims, periods, stencil, options), stencil.size()) {}

    Neighborhood(MPI_Comm comm, std::span<const int> dims, std::span<const int> periods,
                 const Stencil& stencil)
        : Neighborhood(comm, dims, periods, stencil, Options{}) {}

    /// On the torus or mesh of MPI_Cart_create, as Carpool_Iso_neighborhood_create.
    /// @note Collective over cartcomm.
    Neighborhood(MPI_Comm cartcomm, const Stencil& stencil)
        : Neighborhood(attached(cartcomm, stencil), stencil.size()) {}

    int size() const {
        int t = 0;
        check(Carpool_Cart_neighbor_count(comm(), &t), "Carpool_Cart_neighbor_count");
        return t;
    }

    int relative_rank(std::span<const int> offset) const {
        int rank = MPI_PROC_NULL;
        check(Carpool_Cart_relative_rank(comm(), offset.data(), &rank),
              "Carpool_Cart_relative_rank");
        return rank;
    }

    Shift relative_shift(std::span<const int> offset) const {
        Shift shift{};
        check(Carpool_Cart_relative_shift(comm(), offset.data(), &shift.source, &shift.target),
              "Carpool_Cart_relative_shift");
        return shift;
    }

    std::vector<int> relative_coord(int rank) const {
        std::vector<int> offset(static_cast<std::size_t>(dimensions()));
        check(Carpool_Cart_relative_coord(comm(), rank, offset.data()),
              "Carpool_Cart_relative_coord");
        return offset;
    }

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
