#pragma once

#include "call/bound_call.hpp"
#include "engine/communication.hpp"
#include "mistakes/call_code.hpp"
#include "mistakes/patience.hpp"
#include "mistakes/refusals.hpp"
#include "mpi/comm_state.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace carpool::call {

/// An exchange on which the ranks have not agreed. It ends by an error where another rank does not
/// do its part, since it calls something else or has found a mistake: who waits for long looks for
/// the reason. What goes wrong here is told to all.
class Watched final : public engine::Communication {
public:
    Watched(std::unique_ptr<engine::Communication> exchange, mistakes::CallCode code,
            std::shared_ptr<mpi::CommState> state, std::shared_ptr<mistakes::Refusals> refusals)
        : exchange_(std::move(exchange)),
          code_(code),
          state_(std::move(state)),
          refusals_(std::move(refusals)) {}

    /// The call that it is of, which lives on where it is given up.
    void belongs_to(const std::shared_ptr<BoundCall>& call) {
        owner_ = call;
        word_ = call->word.get();
    }

    /// @param tag  the first of a call's
    void start(int tag) override;
    bool advance() override;
    void withdraw() override { exchange_->withdraw(); }
    bool forwards() const override { return exchange_->forwards(); }
    bool only_receives() const override { return exchange_->only_receives(); }

private:
    void check(bool ended);
    void look();
    void give_up();

    std::unique_ptr<engine::Communication> exchange_;
    mistakes::CallCode code_;
    std::shared_ptr<mpi::CommState> state_;
    std::shared_ptr<mistakes::Refusals> refusals_;
    std::weak_ptr<void> owner_;
    mistakes::SizeWord* word_ = nullptr;  ///< if its messages carry one
    std::int64_t call_ = 0;
    mistakes::Patience patience_;
    int looks_ = 0;
};

}  // namespace carpool::call
