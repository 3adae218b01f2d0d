#pragma once

#include <carpool/cxx/communicator.hpp>
#include <carpool/cxx/neighbors.hpp>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace carpool {

/// A distributed graph of ranks, and its communicator.
class Graph : public Neighbors {
public:
    /// What else Carpool_Dist_graph_create_adjacent takes.
    struct Options {
        std::span<const int> source_weights = {};  ///< one per source, or none on any rank
        std::span<const int> destination_weights = {};
        Settings settings = {};
        bool reorder = false;
    };

    /// As Carpool_Dist_graph_create_adjacent. @note Collective over comm.
    Graph(MPI_Comm comm, std::span<const int> sources, std::span<const int> destinations,
          const Options& options)
        : Graph(created(comm, sources, destinations, options)) {}

    Graph(MPI_Comm comm, std::span<const int> sources, std::span<const int> destinations)
        : Graph(comm, sources, destinations, Options{}) {}

    /// Takes over a communicator with a topology of MPI. Its error handler becomes
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

    /// -1 where there are not as many weights, of which all ranks hear.
    static int degree(std::span<const int> ranks, std::span<const int> given) {
        const bool fits = given.empty() || given.size() == ranks.size();
        return fits ? static_cast<int>(ranks.size()) : -1;
    }

    /// Nobody asks a rank without edges for weights.
    static const int* weights(std::span<const int> given) {
        return given.empty() ? MPI_UNWEIGHTED : given.data();
    }

    Comm owned_;
};

}  // namespace carpool
