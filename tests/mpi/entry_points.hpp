#pragma once

#include <carpool/carpool.h>

#include <tuple>

namespace carpool::tests {

/// The 36 entry points: per operation its blocking, nonblocking and persistent form.
struct Narrow {
    using Count = int;
    using Displ = int;
    static constexpr auto alltoall = std::make_tuple(
        Carpool_Neighbor_alltoall, Carpool_Ineighbor_alltoall, Carpool_Neighbor_alltoall_init);
    static constexpr auto alltoallv = std::make_tuple(
        Carpool_Neighbor_alltoallv, Carpool_Ineighbor_alltoallv, Carpool_Neighbor_alltoallv_init);
    static constexpr auto alltoallw = std::make_tuple(
        Carpool_Neighbor_alltoallw, Carpool_Ineighbor_alltoallw, Carpool_Neighbor_alltoallw_init);
    static constexpr auto allgather = std::make_tuple(
        Carpool_Neighbor_allgather, Carpool_Ineighbor_allgather, Carpool_Neighbor_allgather_init);
    static constexpr auto allgatherv =
        std::make_tuple(Carpool_Neighbor_allgatherv, Carpool_Ineighbor_allgatherv,
                        Carpool_Neighbor_allgatherv_init);
    static constexpr auto allgatherw =
        std::make_tuple(Carpool_Neighbor_allgatherw, Carpool_Ineighbor_allgatherw,
                        Carpool_Neighbor_allgatherw_init);
};

struct Large {
    using Count = MPI_Count;
    using Displ = MPI_Aint;
    static constexpr auto alltoall =
        std::make_tuple(Carpool_Neighbor_alltoall_c, Carpool_Ineighbor_alltoall_c,
                        Carpool_Neighbor_alltoall_init_c);
    static constexpr auto alltoallv =
        std::make_tuple(Carpool_Neighbor_alltoallv_c, Carpool_Ineighbor_alltoallv_c,
                        Carpool_Neighbor_alltoallv_init_c);
    static constexpr auto alltoallw =
        std::make_tuple(Carpool_Neighbor_alltoallw_c, Carpool_Ineighbor_alltoallw_c,
                        Carpool_Neighbor_alltoallw_init_c);
    static constexpr auto allgather =
        std::make_tuple(Carpool_Neighbor_allgather_c, Carpool_Ineighbor_allgather_c,
                        Carpool_Neighbor_allgather_init_c);
    static constexpr auto allgatherv =
        std::make_tuple(Carpool_Neighbor_allgatherv_c, Carpool_Ineighbor_allgatherv_c,
                        Carpool_Neighbor_allgatherv_init_c);
    static constexpr auto allgatherw =
        std::make_tuple(Carpool_Neighbor_allgatherw_c, Carpool_Ineighbor_allgatherw_c,
                        Carpool_Neighbor_allgatherw_init_c);
};

}  // namespace carpool::tests
