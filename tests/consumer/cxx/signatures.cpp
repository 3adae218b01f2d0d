// Compiled only: collectives.h, included alone, has the signatures of MPI-4, but for its request.
// An MPI without persistent collectives has nothing to compare with; Open MPI 5 has some, and none
// with large counts.
#include <carpool/collectives.h>

#include <type_traits>

#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)

template <typename Argument>
struct Ported {
    using Type = Argument;
};
template <>
struct Ported<MPI_Request*> {
    using Type = Carpool_Request*;
};

template <typename>
struct Signature;
template <typename... Arguments>
struct Signature<int(Arguments...)> {
    using Type = int(typename Ported<Arguments>::Type...);
};

template <typename Theirs, typename... Ours>
constexpr bool mirrored = (std::is_same_v<typename Signature<Theirs>::Type, Ours> && ...);

#define CHECK_INIT(theirs, ours)                                                             \
    static_assert(mirrored<decltype(MPI_##theirs##_init), decltype(Carpool_##theirs##_init), \
                           decltype(Carpool_##ours##_init)>)

// The large form too, where MPI has it.
#if MPI_VERSION >= 4
#define CHECK_BOTH(theirs, ours)                                                                 \
    CHECK_INIT(theirs, ours);                                                                    \
    static_assert(mirrored<decltype(MPI_##theirs##_init_c), decltype(Carpool_##theirs##_init_c), \
                           decltype(Carpool_##ours##_init_c)>)
#else
#define CHECK_BOTH CHECK_INIT
#endif

CHECK_INIT(Barrier, Ibarrier);
CHECK_BOTH(Bcast, Ibcast);
CHECK_BOTH(Gather, Igather);
CHECK_BOTH(Gatherv, Igatherv);
CHECK_BOTH(Scatter, Iscatter);
CHECK_BOTH(Scatterv, Iscatterv);
CHECK_BOTH(Allgather, Iallgather);
CHECK_BOTH(Allgatherv, Iallgatherv);
CHECK_BOTH(Alltoall, Ialltoall);
CHECK_BOTH(Alltoallv, Ialltoallv);
CHECK_BOTH(Alltoallw, Ialltoallw);
CHECK_BOTH(Reduce, Ireduce);
CHECK_BOTH(Allreduce, Iallreduce);
CHECK_BOTH(Reduce_scatter_block, Ireduce_scatter_block);
CHECK_BOTH(Reduce_scatter, Ireduce_scatter);
CHECK_BOTH(Scan, Iscan);
CHECK_BOTH(Exscan, Iexscan);

#endif
