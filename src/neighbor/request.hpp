#pragma once

#include "engine/activity.hpp"
#include "mpi/agreement.hpp"
#include "neighbor/intent.hpp"
#include "neighbor/learning.hpp"
#include "neighbor/prepared.hpp"
#include "neighbor/topology.hpp"

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace carpool::neighbor {

/// One exchange of the user's: made by an _init and started often, or one call that ends once.
class Request : public engine::Activity {
public:
    /// Agrees, plans and binds. @note Collective. Throws alike on all ranks.
    static std::unique_ptr<Request> persistent(MPI_Comm comm, Intent intent);

    /// Agreed upon and planned by the caller, all but its tag. @note Collective.
    static std::unique_ptr<Request> planned(
        MPI_Comm comm, std::shared_ptr<Topology> topology,
        const std::function<std::shared_ptr<Prepared>(int tag)>& prepare);

    /// Under way at once; planning follows when all ranks have agreed. Throws from test() or
    /// wait(), alike on all ranks.
    static std::unique_ptr<Request> once(MPI_Comm comm, Intent intent);

    ~Request() override;

    void start();

    bool is_persistent() const { return persistent_tag_.has_value(); }
    MPI_Comm comm() const;
    Summary summary() const;

private:
    Request(MPI_Comm comm, Intent intent);

    void begin() override;
    bool advance() override;
    void finish() override;
    bool planned_before() const;
    void plan(Agreed agreed);
    bool learnt();
    void bind();
    Agreed take_agreement();
    [[noreturn]] void refuse_sizes() const;
    int tag() const { return persistent_tag_.value_or(call_tag_); }

    MPI_Comm comm_;
    Intent intent_;
    std::int64_t number_ = -1;                   // of a call that ends once
    std::unique_ptr<mpi::Agreement> agreement_;  // until all have agreed
    std::optional<int> persistent_tag_;
    int call_tag_ = 0;
    Agreed agreed_;
    std::optional<Planned> planned_;      // until it is bound
    std::unique_ptr<Learning> learning_;  // of sizes, where the plan needs them
    std::shared_ptr<Prepared> prepared_;
};

}  // namespace carpool::neighbor
