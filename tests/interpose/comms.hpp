// SPDX-License-Identifier: MIT
#pragma once

#include "checks.hpp"

#include <mpi.h>

#include <vector>

namespace interposed {

/// A communicator with a topology, and the neighbors of this rank as MPI orders them.
struct Neighbors {
    MPI_Comm comm;
    int rank;
    std::vector<int> sources, targets;

    int in() const { return int(sources.size()); }
    int out() const { return int(targets.size()); }
};

/// Communicators of all kinds.
class Comms {
public:
    explicit Comms(Random& random) { make(random); }
    ~Comms() { free_all(); }
    Comms(const Comms&) = delete;
    Comms& operator=(const Comms&) = delete;

    void renew(Random& random) {
        free_all();
        make(random);
    }

    MPI_Comm any(Random& random) const {
        return plain_[std::size_t(random.below(int(plain_.size())))];
    }
    const Neighbors& with_neighbors(Random& random) const {
        return neighbors_[std::size_t(random.below(int(neighbors_.size())))];
    }

private:
    void make(Random& random) {
        int rank = 0, ranks = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        MPI_Comm made = MPI_COMM_NULL;
        plain_ = {MPI_COMM_WORLD};
        MPI_Comm_dup(MPI_COMM_WORLD, &made);
        plain_.push_back(made);
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &made);
        plain_.push_back(made);
        for (int d = 1; d <= 3; ++d) add_grid(random, d, ranks);
        for (int i = 0; i < 3; ++i) add_graph(random, rank, ranks);
    }

    void add_grid(Random& random, int d, int ranks) {
        int dims[3] = {0, 0, 0}, periods[3];
        MPI_Dims_create(ranks, d, dims);
        // where both neighbors are one rank, hosts give other blocks than MPI says
        for (int k = 0; k < d; ++k) periods[k] = random.below(2) == 0 && dims[k] > 2 ? 1 : 0;
        Neighbors one{MPI_COMM_NULL, 0, {}, {}};
        MPI_Cart_create(MPI_COMM_WORLD, d, dims, periods, 0, &one.comm);
        MPI_Comm_rank(one.comm, &one.rank);
        for (int k = 0; k < d; ++k) {
            int below = 0, above = 0;
            MPI_Cart_shift(one.comm, k, 1, &below, &above);
            for (const int peer : {below, above}) {
                one.sources.push_back(peer);
                one.targets.push_back(peer);
            }
        }
        neighbors_.push_back(std::move(one));
    }

    void add_graph(Random& random, int rank, int ranks) {
        Neighbors one{MPI_COMM_NULL, rank, {}, {}};
        const int sparse = 1 + random.below(4);
        for (int from = 0; from < ranks; ++from)
            for (int to = 0; to < ranks; ++to) {
                if (random.below(sparse) != 0) continue;
                if (from == rank) one.targets.push_back(to);
                if (to == rank) one.sources.push_back(from);
            }
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, one.in(), one.sources.data(), MPI_UNWEIGHTED,
                                       one.out(), one.targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL,
                                       0, &one.comm);
        neighbors_.push_back(std::move(one));
    }

    void free_all() {
        for (auto& comm : plain_)
            if (comm != MPI_COMM_WORLD) MPI_Comm_free(&comm);
        for (auto& one : neighbors_) MPI_Comm_free(&one.comm);
        plain_.clear();
        neighbors_.clear();
    }

    std::vector<MPI_Comm> plain_;
    std::vector<Neighbors> neighbors_;
};

}  // namespace interposed
