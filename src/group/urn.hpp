#pragma once

#include "engine/preparation.hpp"
#include "group/call.hpp"
#include "mpi/lane.hpp"
#include "mpi/urn.hpp"

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace carpool::group {

/// An allreduce of our own, which costs half of the host's and less. Each call has a tag, so the
/// order in which ranks come to it does not matter; it begins when the channel is there. Bound
/// once, for one agreement after another.
class TaggedUrn final : public mpi::Urn {
public:
    explicit TaggedUrn(std::shared_ptr<mpi::Lane> lane) : lane_(std::move(lane)) {}

    /// @param tag  used until the next agreement has ended
    void prepare_for(int tag) { tag_ = tag; }

    void post(std::byte* ballot, MPI_Datatype type, MPI_Op op) override;
    bool test() override;

    bool idle() const { return ballot_ == nullptr; }

private:
    void shape(MPI_Datatype type, MPI_Op op);
    bool begun();

    std::shared_ptr<mpi::Lane> lane_;
    int tag_ = 0;
    std::shared_ptr<Call> call_;
    std::unique_ptr<std::byte[]> result_;
    std::shared_ptr<engine::Prepared> prepared_;
    std::byte* ballot_ = nullptr;  ///< of the agreement that uses it
    bool started_ = false;
};

/// The urns of a communicator, whose attribute they are: as many as have been in use at once.
class Urns {
public:
    /// An urn that comes back here at its end. @param urns  of a communicator, lane its own
    static std::shared_ptr<mpi::Urn> lend(const std::shared_ptr<Urns>& urns,
                                          const std::shared_ptr<mpi::Lane>& lane, int tag);

    static std::shared_ptr<Urns> on_dup(const std::shared_ptr<Urns>&) { return nullptr; }
    void on_free() {}

private:
    std::unique_ptr<TaggedUrn> taken(const std::shared_ptr<mpi::Lane>& lane);
    void take_back(TaggedUrn* used);

    std::mutex mutex_;  // any thread may progress an agreement to its end
    std::vector<std::unique_ptr<TaggedUrn>> idle_;  // with room for all
    std::size_t made_ = 0;
};

}  // namespace carpool::group
