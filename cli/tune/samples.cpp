// SPDX-License-Identifier: MIT
#include "samples.hpp"

#include "comm.hpp"

#include <carpool/collectives.h>

#include <algorithm>

namespace tune {
namespace {

/// Blocks of so many bytes to the next ranks on a ring: directly in one phase, or from rank to rank
/// in as many phases as there are neighbors.
class RingSample final : public Sample {
public:
    RingSample(const Level& level, const std::string& rule, int neighbors, int bytes)
        : Sample(level, "neighborhoods") {
        std::vector<int> offsets(static_cast<std::size_t>(neighbors));
        for (int i = 0; i < neighbors; ++i) offsets[static_cast<std::size_t>(i)] = i + 1;
        const int dims = size_of(level.comm);
        const int periods = 1;
        MPI_Comm ring = MPI_COMM_NULL;
        check(Carpool_Cart_neighborhood_create(level.comm, 1, &dims, &periods, neighbors,
                                               offsets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                               &ring),
              "Carpool_Cart_neighborhood_create");
        send_.resize(offsets.size() * static_cast<std::size_t>(bytes));
        recv_.resize(send_.size());
        const Info info(level.transport, rule);
        check(Carpool_Neighbor_alltoall_init(send_.data(), bytes, MPI_BYTE, recv_.data(), bytes,
                                             MPI_BYTE, ring, info.get(), &request_),
              "Carpool_Neighbor_alltoall_init");
        MPI_Comm_free(&ring);
    }

    /// All ranks have the same counts.
    Equation counted(const Carpool_Plan& plan) const override {
        return {static_cast<double>(plan.messages), static_cast<double>(plan.bytes),
                static_cast<double>(plan.phases), 0};
    }
};

/// Blocks of so many bytes between all ranks.
class AllgatherSample final : public Sample {
public:
    AllgatherSample(const Level& level, const std::string& algorithm, int bytes)
        : Sample(level, "collectives") {
        send_.resize(static_cast<std::size_t>(bytes));
        recv_.resize(send_.size() * static_cast<std::size_t>(size_of(level.comm)));
        const Info info(level.transport, algorithm);
        check(Carpool_Allgather_init(send_.data(), bytes, MPI_BYTE, recv_.data(), bytes, MPI_BYTE,
                                     level.comm, info.get(), &request_),
              "Carpool_Allgather_init");
    }

    /// The counts of the busiest rank or, if they are larger, of all ranks on a core.
    Equation counted(const Carpool_Plan& plan) const override {
        const auto comm = level().comm;
        const auto messages = static_cast<double>(plan.messages);
        const double busiest = most(messages, comm);
        const double per_core = summed(messages, comm) / size_of(comm) * level().ranks_per_core;
        const double bytes = most(static_cast<double>(plan.bytes), comm);
        const double carried = std::max(1.0, per_core / busiest);
        return {busiest * carried, bytes * carried, static_cast<double>(plan.phases), 0};
    }
};

void add_samples(const Level& level, std::vector<std::unique_ptr<Sample>>& samples) {
    const int ranks = level.comm == MPI_COMM_NULL ? 0 : size_of(level.comm);
    const auto add = [&](auto make) { samples.push_back(ranks > 0 ? make() : nullptr); };
    for (const int bytes : {8, 128, 1024, 8192}) {
        for (const int share : {1, 2})
            for (const char* rule : {"direct", "torus"})
                add([&]() -> std::unique_ptr<Sample> {
                    const int neighbors = std::max(1, (ranks - 1) / share);
                    return std::make_unique<RingSample>(level, rule, neighbors, bytes);
                });
        for (const char* algorithm : {"spread", "ring", "bruck", "star"})
            add([&]() -> std::unique_ptr<Sample> {
                return std::make_unique<AllgatherSample>(level, algorithm, bytes);
            });
    }
}

}  // namespace

Equation Sample::equation() const {
    auto result = counted(plan());
    result.seconds = seconds();
    return result;
}

std::vector<std::unique_ptr<Sample>> samples_of(const std::vector<Level>& levels) {
    std::vector<std::unique_ptr<Sample>> samples;
    for (const auto& level : levels) add_samples(level, samples);
    return samples;
}

}  // namespace tune
