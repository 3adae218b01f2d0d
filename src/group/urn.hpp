#pragma once

#include "engine/preparation.hpp"
#include "group/call.hpp"
#include "mpi/lane.hpp"
#include "mpi/urn.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::group {

/// An allreduce of our own, which costs half of the host's and less. Each call has a tag, so the
/// order in which ranks come to it does not matter; it begins when the channel is there.
class Urn final : public mpi::Urn {
public:
    /// @param tag  used only until it has ended
    Urn(std::shared_ptr<mpi::Lane> lane, int tag) : lane_(std::move(lane)), tag_(tag) {}

    void post(std::byte* ballot, MPI_Datatype type, MPI_Op op) override;
    bool test() override;

private:
    bool begun();

    std::shared_ptr<mpi::Lane> lane_;
    int tag_;
    std::shared_ptr<Call> call_;
    std::shared_ptr<engine::Prepared> prepared_;
};

}  // namespace carpool::group
