// SPDX-License-Identifier: MIT
// ranks: 1 2 4 5
// sanitize-ranks: 4
//
// Every collective of carpool.hpp in all its forms, compared with MPI's own blocking call where
// there is one.

#include <boost/test/unit_test.hpp>

#include <carpool/carpool.hpp>

#include "cxx_forms.hpp"
#include "world.hpp"

#include <numeric>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_cxx_forms)

namespace {

using namespace carpool::tests;
using carpool::in_place;

using Numbers = std::vector<int>;

/// Numbers that differ from rank to rank.
Numbers own(int length) {
    Numbers numbers(static_cast<std::size_t>(length));
    std::iota(numbers.begin(), numbers.end(), 1000 * (world_rank() + 1));
    return numbers;
}

Numbers untouched(int length) { return Numbers(static_cast<std::size_t>(length), -1); }

Numbers same(int length, int value) { return Numbers(static_cast<std::size_t>(length), value); }

/// 1, 2, 3...: sizes of blocks.
Numbers growing(int length) {
    Numbers numbers(static_cast<std::size_t>(length));
    std::iota(numbers.begin(), numbers.end(), 1);
    return numbers;
}

/// Displacements of contiguous blocks.
Numbers places(const Numbers& counts) {
    Numbers displs(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), displs.begin(), 0);
    return displs;
}

int total(const Numbers& counts) { return std::accumulate(counts.begin(), counts.end(), 0); }

constexpr int item = sizeof(int);

template <typename Blocks, typename Pointer>
Blocks typed(Pointer base, const Numbers& counts) {
    Blocks blocks(base);
    const auto displs = places(counts);
    for (std::size_t i = 0; i < counts.size(); ++i)
        blocks.add(counts[i], displs[i] * item, MPI_INT);
    return blocks;
}

/// The memory that a call changes, and the result of MPI's own call.
class Trial {
public:
    template <typename ByMpi>
    Trial(const char* name, Numbers initial, ByMpi by_mpi)
        : memory(initial), name_(name), initial_(std::move(initial)) {
        by_mpi(memory);
        wanted_ = memory;
    }

    /// Checks that all forms of an operation give the same result; requests are started twice.
    template <typename Forms, typename On, typename... Arguments>
    void check(const Forms& forms, const On& on, const Arguments&... arguments) {
        once("blocking", [&] { std::get<0>(forms)(on, arguments...); });
        once("nonblocking", [&] { std::get<1>(forms)(on, arguments...).wait(); });
        twice("persistent", std::get<2>(forms)(on, arguments...));
        if constexpr (std::tuple_size_v<Forms> > 3)
            twice("background", std::get<3>(forms)(on, arguments...));
    }

    Numbers memory;

private:
    template <typename Call>
    void once(const char* form, Call call) {
        std::copy(initial_.begin(), initial_.end(), memory.begin());
        call();
        BOOST_TEST(memory == wanted_, name_ << ", " << form);
    }

    void twice(const char* form, carpool::Request request) {
        once(form, [&] { request.run(); });
        once(form, [&] {
            request.start();
            request.wait();
        });
    }

    const char* name_;
    Numbers initial_;
    Numbers wanted_;
};

/// A graph whose ranks send to the next rank, to the previous one, and to the one after the next.
struct Ring {
    int p = world_size();
    int r = world_rank();
    Numbers sources{(r + p - 1) % p, (r + 1) % p, (r + 2 * p - 2) % p};
    Numbers targets{(r + 1) % p, (r + p - 1) % p, (r + 2) % p};
    carpool::Graph graph{MPI_COMM_WORLD, sources, targets};
    MPI_Comm comm = graph.comm();
};

}  // namespace

BOOST_AUTO_TEST_CASE(one_to_all_and_all_to_one) {
    const auto ranks = carpool::Communicator::duplicate_of(MPI_COMM_WORLD);
    const int p = world_size(), root = p - 1;
    const bool is_root = world_rank() == root;
    const auto comm = ranks.comm();
    const auto mine = own(2);
    const auto parcels = own(2 * p);

    Trial bcast("bcast", own(5), [&](Numbers& m) { MPI_Bcast(m.data(), 5, MPI_INT, root, comm); });
    bcast.check(of_ranks::bcast, ranks, carpool::Buffer(bcast.memory), root);

    Trial gather("gather", untouched(is_root ? 2 * p : 0), [&](Numbers& m) {
        MPI_Gather(mine.data(), 2, MPI_INT, m.data(), 2, MPI_INT, root, comm);
    });
    gather.check(of_ranks::gather, ranks, mine, carpool::Buffer(gather.memory), root);

    Trial scatter("scatter", untouched(2), [&](Numbers& m) {
        MPI_Scatter(parcels.data(), 2, MPI_INT, m.data(), 2, MPI_INT, root, comm);
    });
    scatter.check(of_ranks::scatter, ranks,
                  is_root ? carpool::ConstBuffer(parcels) : carpool::ConstBuffer(),
                  carpool::Buffer(scatter.memory), root);

    Trial reduce("reduce", untouched(2), [&](Numbers& m) {
        MPI_Reduce(mine.data(), m.data(), 2, MPI_INT, MPI_SUM, root, comm);
    });
    reduce.check(of_ranks::reduce, ranks, mine,
                 is_root ? carpool::Buffer(reduce.memory) : carpool::Buffer(), MPI_SUM, root);
}

BOOST_AUTO_TEST_CASE(one_to_all_and_all_to_one_by_blocks_of_several_sizes) {
    const carpool::Ranks ranks(MPI_COMM_WORLD);
    const int p = world_size(), root = p - 1;
    const auto counts = growing(p), displs = places(counts);
    const auto mine = own(world_rank() + 1);
    const auto parcels = own(total(counts));

    Trial gatherv("gatherv", untouched(total(counts)), [&](Numbers& m) {
        MPI_Gatherv(mine.data(), world_rank() + 1, MPI_INT, m.data(), counts.data(), displs.data(),
                    MPI_INT, root, MPI_COMM_WORLD);
    });
    gatherv.check(of_ranks::gatherv, ranks, mine, carpool::Blocks(gatherv.memory, counts), root);

    Trial scatterv("scatterv", untouched(world_rank() + 1), [&](Numbers& m) {
        MPI_Scatterv(parcels.data(), counts.data(), displs.data(), MPI_INT, m.data(),
                     world_rank() + 1, MPI_INT, root, MPI_COMM_WORLD);
    });
    scatterv.check(of_ranks::scatterv, ranks, carpool::ConstBlocks(parcels, counts),
                   carpool::Buffer(scatterv.memory), root);
}

BOOST_AUTO_TEST_CASE(all_to_all) {
    const carpool::Ranks ranks(MPI_COMM_WORLD);
    const int p = world_size();
    const auto mine = own(2);
    const auto parcels = own(2 * p);
    const auto twos = same(p, 2), displs = places(twos);
    const auto sizes = growing(p);

    Trial allgather("allgather", untouched(2 * p), [&](Numbers& m) {
        MPI_Allgather(mine.data(), 2, MPI_INT, m.data(), 2, MPI_INT, MPI_COMM_WORLD);
    });
    allgather.check(of_ranks::allgather, ranks, mine, carpool::Buffer(allgather.memory));

    const auto grown = own(world_rank() + 1);
    Trial allgatherv("allgatherv", untouched(total(sizes)), [&](Numbers& m) {
        MPI_Allgatherv(grown.data(), world_rank() + 1, MPI_INT, m.data(), sizes.data(),
                       places(sizes).data(), MPI_INT, MPI_COMM_WORLD);
    });
    allgatherv.check(of_ranks::allgatherv, ranks, grown, carpool::Blocks(allgatherv.memory, sizes));

    Trial alltoall("alltoall", untouched(2 * p), [&](Numbers& m) {
        MPI_Alltoall(parcels.data(), 2, MPI_INT, m.data(), 2, MPI_INT, MPI_COMM_WORLD);
    });
    alltoall.check(of_ranks::alltoall, ranks, parcels, carpool::Buffer(alltoall.memory));
    alltoall.check(of_ranks::alltoallv, ranks, carpool::ConstBlocks(parcels, twos, displs),
                   carpool::Blocks(alltoall.memory, twos, displs));
    alltoall.check(of_ranks::alltoallw, ranks,
                   typed<carpool::ConstTypedBlocks>(parcels.data(), twos),
                   typed<carpool::TypedBlocks>(alltoall.memory.data(), twos));
    ranks.barrier();
    ranks.ibarrier().wait();
    ranks.barrier_init().run();
    ranks.ibarrier_init().run();
}

BOOST_AUTO_TEST_CASE(sums) {
    const carpool::Ranks ranks(MPI_COMM_WORLD);
    const int p = world_size();
    const auto mine = own(3);
    const auto many = own(2 * p);

    Trial allreduce("allreduce", untouched(3), [&](Numbers& m) {
        MPI_Allreduce(mine.data(), m.data(), 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    });
    allreduce.check(of_ranks::allreduce, ranks, mine, carpool::Buffer(allreduce.memory), MPI_SUM);

    Trial inside("allreduce in place", own(3), [&](Numbers& m) {
        MPI_Allreduce(MPI_IN_PLACE, m.data(), 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    });
    inside.check(of_ranks::allreduce, ranks, in_place, carpool::Buffer(inside.memory), MPI_MAX);

    Trial block("reduce_scatter_block", untouched(2), [&](Numbers& m) {
        MPI_Reduce_scatter_block(many.data(), m.data(), 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    });
    block.check(of_ranks::reduce_scatter_block, ranks, many, carpool::Buffer(block.memory),
                MPI_SUM);

    const std::vector<MPI_Count> twos(static_cast<std::size_t>(p), 2);
    block.check(of_ranks::reduce_scatter, ranks, many, carpool::Buffer(block.memory), twos,
                MPI_SUM);

    Trial scan("scan", untouched(3), [&](Numbers& m) {
        MPI_Scan(mine.data(), m.data(), 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    });
    scan.check(of_ranks::scan, ranks, mine, carpool::Buffer(scan.memory), MPI_SUM);

    Trial exscan("exscan", untouched(3), [&](Numbers& m) {
        MPI_Exscan(mine.data(), m.data(), 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    });
    exscan.check(of_ranks::exscan, ranks, mine, carpool::Buffer(exscan.memory), MPI_SUM);
}

BOOST_AUTO_TEST_CASE(neighbors) {
    const Ring ring;
    const auto mine = own(2);
    const auto parcels = own(6);
    const auto twos = same(3, 2), displs = places(twos);

    Trial alltoall("alltoall", untouched(6), [&](Numbers& m) {
        MPI_Neighbor_alltoall(parcels.data(), 2, MPI_INT, m.data(), 2, MPI_INT, ring.comm);
    });
    alltoall.check(of_neighbors::alltoall, ring.graph, parcels, carpool::Buffer(alltoall.memory));
    alltoall.check(of_neighbors::alltoallv, ring.graph, carpool::ConstBlocks(parcels, twos),
                   carpool::Blocks(alltoall.memory, twos, displs));
    alltoall.check(of_neighbors::alltoallw, ring.graph,
                   typed<carpool::ConstTypedBlocks>(parcels.data(), twos),
                   typed<carpool::TypedBlocks>(alltoall.memory.data(), twos));
    alltoall.check(of_ranks::sparse_alltoallv, ring.graph.ranks(), ring.targets,
                   carpool::ConstBlocks(parcels, twos), ring.sources,
                   carpool::Blocks(alltoall.memory, twos));

    Trial allgather("allgather", untouched(6), [&](Numbers& m) {
        MPI_Neighbor_allgather(mine.data(), 2, MPI_INT, m.data(), 2, MPI_INT, ring.comm);
    });
    allgather.check(of_neighbors::allgather, ring.graph, mine, carpool::Buffer(allgather.memory));
    allgather.check(of_neighbors::allgatherv, ring.graph, mine,
                    carpool::Blocks(allgather.memory, twos));
    allgather.check(of_neighbors::allgatherw, ring.graph, mine,
                    typed<carpool::TypedBlocks>(allgather.memory.data(), twos));
}

BOOST_AUTO_TEST_CASE(sums_over_neighbors) {
    const Ring ring;
    const auto mine = own(2);
    const auto parcels = own(6);
    const auto summed = [](const Numbers& come, Numbers& m) {
        for (std::size_t i = 0; i < 2; ++i) m[i] = come[i] + come[i + 2] + come[i + 4];
    };
    Numbers come(6);

    Trial reduce("reduce", untouched(2), [&](Numbers& m) {
        MPI_Neighbor_allgather(mine.data(), 2, MPI_INT, come.data(), 2, MPI_INT, ring.comm);
        summed(come, m);
    });
    reduce.check(of_neighbors::reduce, ring.graph, mine, carpool::Buffer(reduce.memory), MPI_SUM);

    Trial block("reduce_scatter_block", untouched(2), [&](Numbers& m) {
        MPI_Neighbor_alltoall(parcels.data(), 2, MPI_INT, come.data(), 2, MPI_INT, ring.comm);
        summed(come, m);
    });
    block.check(of_neighbors::reduce_scatter_block, ring.graph, parcels,
                carpool::Buffer(block.memory), MPI_SUM);
}

BOOST_AUTO_TEST_SUITE_END()
