// SPDX-License-Identifier: MIT
#include "call/host_nonblocking_call.hpp"

#include "engine/activity.hpp"
#include "engine/mirrored_communication.hpp"
#include "mpi/error.hpp"
#include "mpi/library.hpp"
#include "mpi/tests.hpp"
#include "mpi/types/contiguous.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace carpool::call {
namespace {

/// One side of an MPI_Ialltoallw: at most one message for each rank.
class RankTypes {
public:
    explicit RankTypes(int ranks)
        : counts_(static_cast<std::size_t>(ranks)),
          places_(counts_.size()),
          types_(counts_.size(), MPI_BYTE) {}

    /// @param base  the side's own address: Open MPI takes two sides with the same base for
    /// MPI_IN_PLACE
    void add(std::span<const HostBlock> blocks, const void* base) {
        std::vector<HostBlock> ordered;
        for (const auto& one : blocks)
            if (one.block.shape && one.block.shape.bytes() > 0) ordered.push_back(one);
        std::ranges::stable_sort(ordered, {}, &HostBlock::edge);
        for (auto first = ordered.begin(); first != ordered.end();) {
            const auto peer = first->edge.peer;
            const auto behind = std::find_if(
                first, ordered.end(), [peer](const auto& one) { return one.edge.peer != peer; });
            set(static_cast<std::size_t>(peer), {first, behind}, base);
            first = behind;
        }
    }

    const int* counts() const { return counts_.data(); }
    const int* places() const { return places_.data(); }
    const MPI_Datatype* types() const { return types_.data(); }

private:
    /// Makes one element of all blocks of a message.
    void set(std::size_t peer, std::span<const HostBlock> blocks, const void* base) {
        MPI_Aint origin = 0;
        mpi::check(MPI_Get_address(base, &origin), "MPI_Get_address");
        std::vector<mpi::Datatype> wholes;
        std::vector<MPI_Datatype> types;
        std::vector<MPI_Aint> places;
        for (const auto& [edge, block] : blocks) {
            MPI_Aint address = 0;
            mpi::check(MPI_Get_address(block.address, &address), "MPI_Get_address");
            wholes.push_back(mpi::contiguous(block.shape.count(), block.shape.type()));
            types.push_back(wholes.back().get());
            places.push_back(MPI_Aint_diff(address, origin));
        }
        const std::vector<int> ones(types.size(), 1);
        auto& message = messages_.emplace_back();
        mpi::check(MPI_Type_create_struct(static_cast<int>(types.size()), ones.data(),
                                          places.data(), types.data(), message.out()),
                   "MPI_Type_create_struct");
        mpi::check(MPI_Type_commit(message.out()), "MPI_Type_commit");
        counts_[peer] = 1;
        types_[peer] = message.get();
    }

    std::vector<int> counts_;
    std::vector<int> places_;
    std::vector<MPI_Datatype> types_;
    std::vector<mpi::Datatype> messages_;
};

struct Sides {
    explicit Sides(int ranks) : sent(ranks), received(ranks) {}
    RankTypes sent, received;
    char bases[2] = {};
};

}  // namespace

bool must_begin_at_host(MPI_Comm comm) {
    if (!mpi::is_open_mpi()) return false;
    auto* const known = mpi::Attribute<mpi::CommState>::peek(comm);
    return !(known != nullptr ? *known : *mpi::CommState::unopened(comm)).ready();
}

HostNonblockingCall::HostNonblockingCall(MPI_Comm comm, Begin begin,
                                         std::vector<engine::Work> before,
                                         std::vector<engine::Work> after)
    : begin_(std::move(begin)),
      before_(std::move(before)),
      after_(std::move(after)),
      comm_(comm),
      state_(mpi::CommState::unopened(comm)) {}

void HostNonblockingCall::start(int) {
    for (const auto& work : before_) work.run();
    if (begin_) mpi::check(begin_(&request_), "MPI's own collective");
    pending_.emplace(state_, comm_, &engine::Activity::progress);
}

bool HostNonblockingCall::advance() {
    try {
        if (!mpi::test(&request_)) return false;
        for (const auto& work : after_) work.run();
    } catch (...) {
        pending_.reset();
        throw;
    }
    pending_.reset();
    return true;
}

HostNonblockingCall::Begin exchange_at_host(MPI_Comm comm, std::span<const HostBlock> sent,
                                            std::span<const HostBlock> received) {
    int ranks = 0;
    mpi::check(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    const auto sides = std::make_shared<Sides>(ranks);
    sides->sent.add(sent, &sides->bases[0]);
    sides->received.add(received, &sides->bases[1]);
    return [sides, comm](MPI_Request* request) {
        const auto& s = sides->sent;
        const auto& r = sides->received;
        return MPI_Ialltoallw(&sides->bases[0], s.counts(), s.places(), s.types(), &sides->bases[1],
                              r.counts(), r.places(), r.types(), comm, request);
    };
}

std::unique_ptr<engine::Mirror> mirror_of(engine::Buffers& buffers, bool reads_recv) {
    if (!engine::Mirror::is_needed(buffers)) return nullptr;
    auto mirror = std::make_unique<engine::Mirror>(
        schedule::SlotUse(buffers.send.size(), buffers.recv.size(), reads_recv), buffers,
        engine::Mirror::BlockForm::typed);
    buffers = mirror->buffers();
    return mirror;
}

std::unique_ptr<engine::Communication> mirrored(MPI_Comm comm,
                                                std::unique_ptr<engine::Mirror> mirror,
                                                std::unique_ptr<engine::Communication> what) {
    if (!mirror) return what;
    using engine::MirroredCommunication;
    return std::make_unique<MirroredCommunication>(std::move(mirror), std::move(what),
                                                   mpi::CommState::unopened(comm)->stream(),
                                                   MirroredCommunication::Begins::at_start);
}

std::unique_ptr<engine::Request> begun_at_host(MPI_Comm comm, std::shared_ptr<BoundCall> call) {
    call->state = mpi::CommState::unopened(comm);
    call->summary.algorithm = engine::host;
    auto state = call->state;
    return engine::Request::at_host(comm, std::move(state), std::move(call));
}

}  // namespace carpool::call
