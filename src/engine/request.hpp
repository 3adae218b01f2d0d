#pragma once

#include "engine/activity.hpp"
#include "engine/inside.hpp"
#include "engine/preparation.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/kept_op.hpp"

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace carpool::engine {

/// What a user waits for: made by an _init and started often, or one call that ends once.
class Request final : public Activity, private base::TurnWindow::Waiter {
public:
    /// Prepared when it returns. @note Collective. Throws alike on all ranks.
    static std::unique_ptr<Request> persistent(MPI_Comm comm, mpi::CommState::Tag tag,
                                               std::unique_ptr<Preparation> preparation);

    /// Returns at once; whoever progresses anything prepares it meanwhile, and what has been
    /// started before begins then. If the preparation fails, every start throws the error, or its
    /// test() or wait() if it is not known by then.
    static std::unique_ptr<Request> persistent_in_background(
        MPI_Comm comm, mpi::CommState::Tag tag, std::unique_ptr<Preparation> preparation);

    /// Under way at once, or when its turn begins. Throws from test() or wait(), alike on all
    /// ranks.
    /// @param needs_comm  until the preparation has ended; else it looks after that itself
    static std::unique_ptr<Request> once(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                         mpi::CommState::HeldTurn turn,
                                         std::unique_ptr<Preparation> preparation,
                                         bool needs_comm = true);

    /// The same with what is ready.
    static std::unique_ptr<Request> again(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                          mpi::CommState::HeldTurn turn,
                                          std::shared_ptr<Prepared> ready);

    /// Under way at once, whatever else is: by MPI's own collective.
    static std::unique_ptr<Request> at_host(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                            std::shared_ptr<Prepared> ready);

    /// Frees one that is not active. Local: where it is still being prepared, it lives until that
    /// has ended, at the latest in MPI_Finalize.
    static void free(std::unique_ptr<Request> request);

    /// Hands an active one that ends once to MPI: it ends by itself.
    /// @param maker  the function whose arguments its errors are about
    static MPI_Request entrust(const char* maker, std::unique_ptr<Request> request);

    /// An MPI_Request for what has been started; until that has completed, nothing may be done
    /// with this. @pre persistent, active, and not lent
    MPI_Request lend(const char* maker);

    bool lent() const { return lent_; }

    /// Keeps an operator that it applies as long as it lives.
    void keep(std::shared_ptr<const mpi::KeptOp> op) { ops_.push_back(std::move(op)); }

    /// What the other one keeps, too.
    void keep_ops_of(const Request& other) {
        ops_.insert(ops_.end(), other.ops_.begin(), other.ops_.end());
    }

    ~Request() override;

    /// Others' blocks are forwarded from now on, whatever the user does.
    void start();

    /// The user's; MPI_COMM_SELF once that has been freed.
    MPI_Comm comm() const { return state_->attached() ? comm_ : MPI_COMM_SELF; }

    int ranks() const { return state_->size(); }

    /// Of nothing while it is being prepared.
    Summary summary() const;

    /// What it starts; null while it is being prepared. Throws if it has been refused.
    std::shared_ptr<Prepared> prepared() const;

private:
    /// Being prepared. Counted, since each step of progress looks at all of them.
    class Preparing {
    public:
        Preparing(const std::shared_ptr<mpi::CommState>& state,
                  std::unique_ptr<Preparation> preparation, bool needs_comm);
        Preparing(const Preparing&) = delete;
        Preparing& operator=(const Preparing&) = delete;
        ~Preparing() { --count_; }

        std::shared_ptr<Prepared> advance() { return preparation_->advance(); }
        std::vector<int> awaited() { return preparation_->awaited(); }
        std::unique_ptr<Preparation> take() { return std::move(preparation_); }

        static int count() { return count_; }  ///< in this process

    private:
        static std::atomic<int> count_;

        std::optional<mpi::CommState::Pending> pending_;
        std::unique_ptr<Preparation> preparation_;
    };

    /// The preparation has thrown: so does every start.
    struct Refused {
        std::exception_ptr error;
    };

    using Ready = std::shared_ptr<Prepared>;
    using Phase = std::variant<Preparing, Refused, Ready>;

    template <typename... State>
    Request(MPI_Comm comm, std::shared_ptr<mpi::CommState> state, int tag, State&&... phase)
        : comm_(comm), state_(std::move(state)), tag_(tag), phase_(std::forward<State>(phase)...) {}

    void begin() override;
    bool stands_in_line() override;
    void left() override;
    void begin_turn() override { begin_in_line(); }
    bool advance() override;
    bool waits_for_one() const override;
    Unfinished unfinished() override;
    void break_off() noexcept override;
    std::vector<int> awaited();
    bool prepare();
    void start_ready(Prepared& what);
    void start_if_ready();
    void throw_if_refused() const;

    const char* function_ = Inside::function();  ///< that made it
    MPI_Comm comm_;
    std::shared_ptr<mpi::CommState> state_;
    std::optional<mpi::CommState::Tag> persistent_tag_;
    int tag_;
    std::optional<mpi::CommState::HeldTurn> turn_;  // until its end, of a call that ends once
    bool forwards_ = true;  // if started now, for all one knows: others prepare with this one
    bool lent_ = false;
    std::vector<std::shared_ptr<const mpi::KeptOp>> ops_;
    Phase phase_;
};

}  // namespace carpool::engine
