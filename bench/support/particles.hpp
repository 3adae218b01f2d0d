// SPDX-License-Identifier: MIT
#pragma once

#include "changing_calls.hpp"
#include "check.hpp"
#include "edges.hpp"
#include "handle.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench::changing {

/// The displacement of each part, and the end of the last one.
inline std::vector<int> displacements_of(const std::vector<int>& counts) {
    std::vector<int> places(counts.size() + 1);
    std::partial_sum(counts.begin(), counts.end(), places.begin() + 1);
    return places;
}

/// Particles that move between neighbors at random; all ranks know the moves of every rank in each
/// step.
class Particles {
public:
    Particles(int dimensions, int mean)
        : edges_(edges_of("moore:" + std::to_string(dimensions) + ":1", 0)),
          graph_(graph_of(edges_)),
          mean_(mean) {
        check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_));
    }

    void step(const Calls& calls) {
        ++step_;
        const auto t = edges_.targets.size();
        std::vector<int> leaving(t), coming(t);
        for (std::size_t i = 0; i < t; ++i) leaving[i] = how_many(rank_, i);
        check(calls.alltoall(leaving.data(), 1, MPI_INT, coming.data(), graph_.get()));
        const auto from = displacements_of(leaving), to = displacements_of(coming);
        const std::vector<Particle> sent(static_cast<std::size_t>(from.back()) + 1, {1.0 * rank_});
        std::vector<Particle> come(static_cast<std::size_t>(to.back()) + 1);
        check(calls.alltoallv(sent.data(), leaving.data(), from.data(), come.data(), coming.data(),
                              to.data(), particle(), graph_.get()));
        for (std::size_t i = 0; i < t; ++i) {
            const int source = edges_.sources[i];
            if (coming[i] != how_many(source, i))
                throw std::runtime_error("wrong counts have come");
            for (int k = to[i]; k < to[i + 1]; ++k)
                if (come[static_cast<std::size_t>(k)].values[0] != source)
                    throw std::runtime_error("a wrong particle has come");
        }
    }

private:
    struct Particle {
        double values[6];
    };

    static MPI_Datatype particle() {
        static const MPI_Datatype type = [] {
            MPI_Datatype six = MPI_DATATYPE_NULL;
            check(MPI_Type_contiguous(6, MPI_DOUBLE, &six));
            check(MPI_Type_commit(&six));
            return six;
        }();
        return type;
    }

    /// How many particles a rank sends to one neighbor in this step. The number is a hash, so all
    /// ranks know it.
    int how_many(int rank, std::size_t neighbor) const {
        constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
        auto bits =
            (static_cast<std::uint64_t>(step_) << 32 | static_cast<unsigned>(rank) << 8) + neighbor;
        for (int i = 0; i < 2; ++i) bits = (bits ^ bits >> 29) * golden;
        return static_cast<int>((bits >> 32) % static_cast<unsigned>(2 * mean_ + 1));
    }

    Edges edges_;
    Communicator graph_;
    int mean_;
    int rank_ = 0;
    std::int64_t step_ = 0;
};

}  // namespace bench::changing
