// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/cxx/communicator.hpp>
#include <carpool/cxx/neighbors.hpp>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace carpool {

/// A distributed graph of ranks with its neighborhood collectives. The destructor frees the
/// communicator.
class Graph : public Neighbors {
public:
    /// The other arguments of Carpool_Dist_graph_create_adjacent.
    struct Options {
        std::span<const int> source_weights = {};       ///< one per source, or none on all ranks
        std::span<const int> destination_weights = {};  ///< one per destination, likewise
        Settings settings = {};  ///< defaults of the operations on the communicator
        bool reorder = false;    ///< may give processes other ranks, to save messages
    };

    /// Makes a graph by Carpool_Dist_graph_create_adjacent: this rank receives from sources and
    /// sends to destinations. @note Collective over comm.
    Graph(MPI_Comm comm, std::span<const int> sources, std::span<const int> destinations,
          const Options& options)
        : Graph(created(comm, sources, destinations, options)) {}

    /// The same with default options. @note Collective over comm.
    Graph(MPI_Comm comm, std::span<const int> sources, std::span<const int> destinations)
        : Graph(comm, sources, destinations, Options{}) {}

    /// Takes over the ownership of a communicator with a topology of MPI. Its error handler becomes
    /// MPI_ERRORS_RETURN.
    explicit Graph(MPI_Comm comm) : Graph(detail::with_errors_returned(Comm(comm))) {}

private:
    using Comm = detail::Owned<detail::CommKind>;

    explicit Graph(Comm comm) : Neighbors(comm.get()), owned_(std::move(comm)) {}

    static Comm created(MPI_Comm comm, std::span<const int> sources,
                        std::span<const int> destinations, const Options& options) {
        Comm made;
        check(
            Carpool_Dist_graph_create_adjacent(
                comm, degree(sources, options.source_weights), sources.data(),
                weights(options.source_weights), degree(destinations, options.destination_weights),
                destinations.data(), weights(options.destination_weights),
                options.settings.info().get(), options.reorder ? 1 : 0, made.address()),
            "Carpool_Dist_graph_create_adjacent");
        return detail::with_errors_returned(std::move(made));
    }

    /// The number of ranks. If the number of weights differs from it, -1, which the call refuses on
    /// all ranks.
    static int degree(std::span<const int> ranks, std::span<const int> given) {
        const bool fits = given.empty() || given.size() == ranks.size();
        return fits ? static_cast<int>(ranks.size()) : -1;
    }

    /// A rank without edges needs no weights.
    static const int* weights(std::span<const int> given) {
        return given.empty() ? MPI_UNWEIGHTED : given.data();
    }

    Comm owned_;
};

}  // namespace carpool
