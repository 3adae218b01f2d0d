#pragma once

#include "call/family.hpp"
#include "neighbor/call.hpp"
#include "neighbor/candidate.hpp"
#include "neighbor/edge_ends.hpp"
#include "neighbor/settings.hpp"
#include "neighbor/topology.hpp"
#include "schedule/operation.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::neighbor {

/// What all ranks have agreed upon before they plan a call.
struct Agreed {
    /// Per send block of a declared neighborhood; else one size, the largest.
    std::vector<std::int64_t> block_bytes;

    bool sized = true;        ///< these are the sizes of all blocks, whichever rank sends them
    std::int64_t entry = -1;  ///< the number of this call, where sizes differ from edge to edge

    std::vector<std::int64_t> numbers() const;

    /// Of what numbers() said.
    static std::int64_t entry_of(const std::vector<std::int64_t>& numbers) { return numbers[1]; }
};

/// The neighborhood collectives ([1], [2], [3]) as a family: candidates are the rules that route on
/// the grid or the graph of the communicator.
class Collective final : public call::Family {
public:
    /// What was given, or what is wrong with it.
    struct Given {
        std::shared_ptr<Topology> topology;  ///< its state is open
        Settings settings;
        schedule::Operation operation = schedule::Operation::alltoall;
        std::optional<mpi::Error> mistake = {};
        std::shared_ptr<Call> call = {};                ///< unless there is a mistake
        std::shared_ptr<call::BoundCall> earlier = {};  ///< bound for the same arguments
        call::Signature signature = {};                 ///< for these to come; may be empty
    };

    explicit Collective(Given given) : given_(std::move(given)) {}

    /// At the first call of its kind on a communicator all ranks plan together, once they know that
    /// all have come for the same. An init does so when it has agreed, other calls before.
    /// @note Collective over comm then.
    void plan_first(MPI_Comm comm);

    bool asks() const override { return !given_.settings.assert_matching; }
    call::Statement statement() const override;

    void agree(const std::vector<mpi::Claim>& claims, const mpi::Tally& tally,
               const call::Ticket& ticket) override;
    void take_own_word() override;
    bool same_plan(const call::BoundCall& earlier) const override;

    std::vector<choose::Candidate> candidates() override;
    choose::Machine machine() const override { return given_.settings.model; }
    bool measures() const override { return given_.settings.measure; }

    call::Written write(std::size_t candidate) override;
    schedule::SlotBytes own_sizes() const override;

    engine::Buffers buffers(std::size_t candidate, schedule::Schedule& schedule,
                            call::BoundCall& bound) const override;
    engine::Manner manner(const engine::Summary& summary, std::optional<int> tag) const override {
        return given_.settings.manner(summary, tag);
    }
    engine::Summary summary(std::size_t candidate, const choose::Load& load) const override;
    void keep(call::BoundCall& bound) const override;
    call::Signature signature() const override { return given_.signature; }

private:
    bool sizes_by_edge() const;
    EdgeEnds ends() const;
    std::vector<mpi::Claim> claims() const;
    mpi::Tally own_tally() const;
    Agreed agreed_by_edge(const mpi::Tally& tally, std::int64_t number) const;
    Agreed agreed_by_position(std::vector<std::int64_t> block_bytes) const;
    [[noreturn]] void refuse_sizes(const call::Ticket& ticket) const;
    call::Written write_in_order(const Candidate& candidate) const;

    Given given_;
    Agreed agreed_;
    std::vector<Candidate> candidates_;
};

}  // namespace carpool::neighbor
