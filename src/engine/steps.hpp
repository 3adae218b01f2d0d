// SPDX-License-Identifier: MIT
#pragma once

#include "base/rank_visitor.hpp"
#include "engine/preparation.hpp"

#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace carpool::engine {

/// What a coroutine of steps waits for. (Trivially destructible, since g++ 12 would destroy it
/// twice.)
struct Awaitable {
    void* object = nullptr;
    bool (*test)(void*) = nullptr;
    void (*withdraw)(void*) = nullptr;
    void (*visit_awaited)(void*, const base::RankVisitor&) = nullptr;
};

/// The state of steps that wait.
struct WaitState {
    Awaitable awaitable;
    std::exception_ptr failure;  ///< thrown by the test; rethrown where the steps wait

    bool over() {
        if (awaitable.object == nullptr) return true;  // not begun
        try {
            return awaitable.test(awaitable.object);
        } catch (...) {
            failure = std::current_exception();
            return true;
        }
    }
};

/// The awaiter of `co_await until(object)`.
struct UntilAwaiter {
    Awaitable awaitable;
    WaitState* waiting = nullptr;

    bool await_ready() const { return awaitable.test(awaitable.object); }
    template <typename Promise>
    void await_suspend(std::coroutine_handle<Promise> steps) noexcept {
        waiting = &steps.promise();
        waiting->awaitable = awaitable;
    }
    void await_resume() const {
        if (waiting != nullptr && waiting->failure)
            std::rethrow_exception(std::exchange(waiting->failure, nullptr));
    }
};

/// Waits until object.test() is true. An object that can be given up has withdraw(); an object that
/// knows the ranks whose messages are missing has visit_awaited(). @pre it outlives the step
template <typename T>
UntilAwaiter until(T& object) {
    const auto test = [](void* o) { return static_cast<T*>(o)->test(); };
    const auto withdraw = [](void* o) {
        if constexpr (requires(T& t) { t.withdraw(); }) static_cast<T*>(o)->withdraw();
    };
    const auto visit_awaited = [](void* o, [[maybe_unused]] const base::RankVisitor& visit) {
        if constexpr (requires(T& t) { t.visit_awaited(visit); })
            static_cast<T*>(o)->visit_awaited(visit);
    };
    return {{&object, test, withdraw, visit_awaited}, nullptr};
}

/// The result of steps.
template <typename T>
struct StepResult {
    std::optional<T> value;
    void return_value(T made) { value = std::move(made); }
    T take() { return std::move(*value); }
};

template <>
struct StepResult<void> {
    void return_void() {}
    void take() {}
};

/// A task of several steps, none of which blocks, as a coroutine that names what it waits for, an
/// object or other steps:
///
///     mpi::Agreement agreement(comm, claims);
///     co_await until(agreement);
///     const auto chosen = co_await fastest(plans);
///     co_return chosen;
template <typename T>
class [[nodiscard]] Steps {
public:
    struct promise_type;
    using Handle = std::coroutine_handle<promise_type>;

    struct promise_type : StepResult<T>, WaitState {
        Steps get_return_object() { return Steps(Handle::from_promise(*this)); }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        std::suspend_always final_suspend() const noexcept { return {}; }
        void unhandled_exception() { error = std::current_exception(); }

        std::exception_ptr error;
    };

    Steps(Steps&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    ~Steps() {
        if (handle_) handle_.destroy();
    }

    /// Goes on as far as it can; returns true at the end. Throws the error that has ended the
    /// steps.
    bool test() {
        while (!handle_.done()) {
            if (!handle_.promise().over()) return false;
            handle_.resume();
        }
        if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
        return true;
    }

    /// Gives up what the steps wait for, which lives on with them. They take no more steps.
    void withdraw() {
        const auto& awaitable = handle_.promise().awaitable;
        if (!handle_.done() && awaitable.object != nullptr) awaitable.withdraw(awaitable.object);
    }

    /// Visits the ranks whose messages are missing, as far as the awaited object knows.
    /// @pre begun, not ended
    void visit_awaited(const base::RankVisitor& visit) {
        const auto& awaitable = handle_.promise().awaitable;
        if (!handle_.done() && awaitable.object != nullptr)
            awaitable.visit_awaited(awaitable.object, visit);
    }

    /// The result. @pre ended
    T take() { return handle_.promise().take(); }

    /// The awaiter of other steps, which live as long as the expression that awaits them.
    struct StepsAwaiter : UntilAwaiter {
        Steps& steps;
        T await_resume() const {
            UntilAwaiter::await_resume();
            return steps.take();
        }
    };

    StepsAwaiter operator co_await() && { return {until(*this), *this}; }

private:
    explicit Steps(Handle handle) : handle_(handle) {}

    Handle handle_;
};

/// A preparation made of steps, begun up to their first awaitable.
class PreparationSteps final : public Preparation {
public:
    explicit PreparationSteps(Steps<std::shared_ptr<ReadyCommunication>> steps)
        : steps_(std::move(steps)) {
        try {
            ended_ = steps_.test();
        } catch (...) {
            error_ = std::current_exception();
        }
    }

    std::shared_ptr<ReadyCommunication> advance() override {
        if (error_) std::rethrow_exception(error_);
        if (!ended_ && !steps_.test()) return nullptr;
        return steps_.take();
    }

    void withdraw() override { steps_.withdraw(); }
    void visit_awaited(const base::RankVisitor& visit) override { steps_.visit_awaited(visit); }

private:
    Steps<std::shared_ptr<ReadyCommunication>> steps_;
    bool ended_ = false;
    std::exception_ptr error_;
};

}  // namespace carpool::engine
