#pragma once

#include <carpool/collectives.h>
#include <mpi.h>

#include <array>

namespace carpool::tests {

/// The entry points: per collective its init, and the one that returns at once.
struct NarrowInits {
    using Count = int;
    using Displ = int;
    static constexpr std::array barrier{Carpool_Barrier_init, Carpool_Ibarrier_init};
    static constexpr std::array bcast{Carpool_Bcast_init, Carpool_Ibcast_init};
    static constexpr std::array gather{Carpool_Gather_init, Carpool_Igather_init};
    static constexpr std::array gatherv{Carpool_Gatherv_init, Carpool_Igatherv_init};
    static constexpr std::array scatter{Carpool_Scatter_init, Carpool_Iscatter_init};
    static constexpr std::array scatterv{Carpool_Scatterv_init, Carpool_Iscatterv_init};
    static constexpr std::array allgather{Carpool_Allgather_init, Carpool_Iallgather_init};
    static constexpr std::array allgatherv{Carpool_Allgatherv_init, Carpool_Iallgatherv_init};
    static constexpr std::array alltoall{Carpool_Alltoall_init, Carpool_Ialltoall_init};
    static constexpr std::array alltoallv{Carpool_Alltoallv_init, Carpool_Ialltoallv_init};
    static constexpr std::array alltoallw{Carpool_Alltoallw_init, Carpool_Ialltoallw_init};
    static constexpr std::array reduce{Carpool_Reduce_init, Carpool_Ireduce_init};
    static constexpr std::array allreduce{Carpool_Allreduce_init, Carpool_Iallreduce_init};
    static constexpr std::array reduce_scatter_block{Carpool_Reduce_scatter_block_init,
                                                     Carpool_Ireduce_scatter_block_init};
    static constexpr std::array reduce_scatter{Carpool_Reduce_scatter_init,
                                               Carpool_Ireduce_scatter_init};
    static constexpr std::array scan{Carpool_Scan_init, Carpool_Iscan_init};
    static constexpr std::array exscan{Carpool_Exscan_init, Carpool_Iexscan_init};
};

struct LargeInits {
    using Count = MPI_Count;
    using Displ = MPI_Aint;
    static constexpr std::array barrier{Carpool_Barrier_init, Carpool_Ibarrier_init};
    static constexpr std::array bcast{Carpool_Bcast_init_c, Carpool_Ibcast_init_c};
    static constexpr std::array gather{Carpool_Gather_init_c, Carpool_Igather_init_c};
    static constexpr std::array gatherv{Carpool_Gatherv_init_c, Carpool_Igatherv_init_c};
    static constexpr std::array scatter{Carpool_Scatter_init_c, Carpool_Iscatter_init_c};
    static constexpr std::array scatterv{Carpool_Scatterv_init_c, Carpool_Iscatterv_init_c};
    static constexpr std::array allgather{Carpool_Allgather_init_c, Carpool_Iallgather_init_c};
    static constexpr std::array allgatherv{Carpool_Allgatherv_init_c, Carpool_Iallgatherv_init_c};
    static constexpr std::array alltoall{Carpool_Alltoall_init_c, Carpool_Ialltoall_init_c};
    static constexpr std::array alltoallv{Carpool_Alltoallv_init_c, Carpool_Ialltoallv_init_c};
    static constexpr std::array alltoallw{Carpool_Alltoallw_init_c, Carpool_Ialltoallw_init_c};
    static constexpr std::array reduce{Carpool_Reduce_init_c, Carpool_Ireduce_init_c};
    static constexpr std::array allreduce{Carpool_Allreduce_init_c, Carpool_Iallreduce_init_c};
    static constexpr std::array reduce_scatter_block{Carpool_Reduce_scatter_block_init_c,
                                                     Carpool_Ireduce_scatter_block_init_c};
    static constexpr std::array reduce_scatter{Carpool_Reduce_scatter_init_c,
                                               Carpool_Ireduce_scatter_init_c};
    static constexpr std::array scan{Carpool_Scan_init_c, Carpool_Iscan_init_c};
    static constexpr std::array exscan{Carpool_Exscan_init_c, Carpool_Iexscan_init_c};
};

/// The host's blocking calls.
struct Host {
    using Count = int;
    using Displ = int;
    static constexpr auto barrier = MPI_Barrier;
    static constexpr auto bcast = MPI_Bcast;
    static constexpr auto gather = MPI_Gather;
    static constexpr auto gatherv = MPI_Gatherv;
    static constexpr auto scatter = MPI_Scatter;
    static constexpr auto scatterv = MPI_Scatterv;
    static constexpr auto allgather = MPI_Allgather;
    static constexpr auto allgatherv = MPI_Allgatherv;
    static constexpr auto alltoall = MPI_Alltoall;
    static constexpr auto alltoallv = MPI_Alltoallv;
    static constexpr auto alltoallw = MPI_Alltoallw;
    static constexpr auto reduce = MPI_Reduce;
    static constexpr auto allreduce = MPI_Allreduce;
    static constexpr auto reduce_scatter_block = MPI_Reduce_scatter_block;
    static constexpr auto reduce_scatter = MPI_Reduce_scatter;
    static constexpr auto scan = MPI_Scan;
    static constexpr auto exscan = MPI_Exscan;
};

}  // namespace carpool::tests
