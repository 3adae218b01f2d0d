// SPDX-License-Identifier: MIT
#pragma once

#include "base/rank_visitor.hpp"
#include "engine/activity.hpp"
#include "engine/call_scope.hpp"
#include "engine/preparation.hpp"
#include "mpi/comm/comm_state.hpp"
#include "mpi/comm/kept_op.hpp"
#include "mpi/use.hpp"

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

/// What a user waits for: a persistent request, made by an _init function and started often, or one
/// blocking or nonblocking call.
class Request final : public Activity, private base::CallWindow::Waiter {
public:
    /// Makes a persistent request and prepares it before it returns.
    /// @note Collective. Throws the same error on all ranks.
    static std::unique_ptr<Request> persistent(MPI_Comm comm, mpi::CommState::Tag tag,
                                               std::unique_ptr<Preparation> preparation);

    /// Makes a persistent request and returns at once. The request is prepared by whatever
    /// progresses activities; what is started before then begins once it is prepared. If the
    /// preparation fails, every start throws the error, or its test() or wait() does if the error
    /// is not known by then.
    static std::unique_ptr<Request> persistent_in_background(
        MPI_Comm comm, mpi::CommState::Tag tag, std::unique_ptr<Preparation> preparation);

    /// Makes a blocking or nonblocking call that is under way at once, or when those before it
    /// leave room. Its test() or wait() throws errors, the same on all ranks.
    /// @param needs_comm  the preparation uses the communicator until it has ended; if false, it
    ///                    keeps the communicator alive itself while it must
    static std::unique_ptr<Request> once(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                         mpi::CommState::CallInWindow call,
                                         std::unique_ptr<Preparation> preparation,
                                         bool needs_comm = true);

    /// The same for a call that is prepared already.
    static std::unique_ptr<Request> again(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                          mpi::CommState::CallInWindow call,
                                          std::shared_ptr<ReadyCommunication> ready);

    /// Makes a call by the host MPI's own nonblocking collective, under way at once, whatever other
    /// calls are. It ends only after earlier ones on the communicator.
    static std::unique_ptr<Request> at_host(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                            std::shared_ptr<ReadyCommunication> ready);

    /// Frees a request that is not active. Local: one that is still being prepared lives until the
    /// preparation has ended, at the latest in MPI_Finalize.
    static void free(std::unique_ptr<Request> request);

    /// Hands an active nonblocking call to MPI: it ends by itself.
    /// @param maker  the function that its errors name
    static MPI_Request entrust(const char* maker, std::unique_ptr<Request> request);

    /// An MPI_Request for the current start. Until that has completed, this object must not be
    /// used. @pre persistent, active, and not lent
    MPI_Request lend(const char* maker);

    bool lent() const { return lent_; }

    /// Keeps an operator that it applies alive as long as it lives.
    void keep(std::shared_ptr<const mpi::KeptOp> op) { ops_.push_back(std::move(op)); }

    /// Keeps the operators of another request, too.
    void keep_ops_of(const Request& other) {
        ops_.insert(ops_.end(), other.ops_.begin(), other.ops_.end());
    }

    ~Request() override;

    /// Starts it. Blocks of other ranks are forwarded from now on, whatever the user does.
    void start();

    /// Sets the stream of buffers that lie on a GPU, for later starts. @pre not active
    void set_stream(device::Stream stream);

    /// The user's communicator; the process's own once that has been freed.
    MPI_Comm comm() const { return state_->attached() ? comm_ : mpi::Use::own_comm(); }

    const mpi::CommState& state() const { return *state_; }

    int ranks() const { return state_->size(); }

    /// The summary of what it does; empty while it is being prepared.
    Summary summary() const;

    /// Whether its preparation has failed before it sent a message, as far as is known.
    bool refused() const;

    /// What it starts; null while it is being prepared. Throws if the preparation has failed.
    std::shared_ptr<ReadyCommunication> prepared() const;

private:
    /// The phase in which it is being prepared. Such requests are counted, since each step of
    /// progress visits all of them.
    class PreparationPhase {
    public:
        PreparationPhase(const std::shared_ptr<mpi::CommState>& state, MPI_Comm comm,
                         std::unique_ptr<Preparation> preparation, bool needs_comm);
        PreparationPhase(const PreparationPhase&) = delete;
        PreparationPhase& operator=(const PreparationPhase&) = delete;
        ~PreparationPhase() { --count_; }

        std::shared_ptr<ReadyCommunication> advance() { return preparation_->advance(); }
        void visit_awaited(const base::RankVisitor& visit) { preparation_->visit_awaited(visit); }
        std::unique_ptr<Preparation> take() { return std::move(preparation_); }

        static int count() { return count_; }  ///< how many there are in this process

    private:
        static std::atomic<int> count_;

        std::optional<mpi::CommState::PendingOperation> pending_;
        std::unique_ptr<Preparation> preparation_;
    };

    /// The phase after the preparation has thrown: every start throws the same error.
    struct RefusalPhase {
        std::exception_ptr error;
    };

    using Ready = std::shared_ptr<ReadyCommunication>;
    using Phase = std::variant<PreparationPhase, RefusalPhase, Ready>;

    template <typename... State>
    Request(MPI_Comm comm, std::shared_ptr<mpi::CommState> state, int tag, State&&... phase)
        : comm_(comm), state_(std::move(state)), tag_(tag), phase_(std::forward<State>(phase)...) {}

    void begin() override;
    bool stands_in_line() override;
    void left() override;
    void begin_call() override { begin_in_line(); }
    bool advance() override;
    bool waits_for_one() const override;
    UnfinishedCall unfinished() override;
    void break_off() noexcept override;
    void visit_awaited(const base::RankVisitor& visit);
    bool prepare();
    void start_ready(ReadyCommunication& what);
    void start_if_ready();
    void throw_if_refused() const;

    const char* function_ = CallScope::function();  ///< the function that made it
    MPI_Comm comm_;
    std::shared_ptr<mpi::CommState> state_;
    std::optional<mpi::CommState::Tag> persistent_tag_;
    int tag_;
    /// Held by a nonpersistent call until its end.
    std::optional<mpi::CommState::CallInWindow> in_window_;
    std::shared_ptr<Chain> chain_;  // of a call at the host, until its end
    bool forwards_ = true;  // of the current start; true until prepared: all ranks prepare together
    bool lent_ = false;
    std::optional<device::Stream> stream_;  // set before it was prepared
    std::vector<std::shared_ptr<const mpi::KeptOp>> ops_;
    Phase phase_;
};

}  // namespace carpool::engine
