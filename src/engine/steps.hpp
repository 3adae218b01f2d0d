#pragma once

#include "engine/preparation.hpp"

#include <coroutine>
#include <exception>
#include <memory>
#include <utility>

namespace carpool::engine {

/// What a coroutine of steps waits for. (Nothing to destroy: g++ 12 would do so twice.)
struct Obstacle {
    void* object = nullptr;
    bool (*test)(void*) = nullptr;
};

/// A preparation as a coroutine, which says what it waits for:
///
///     mpi::Agreement agreement(comm, claims);
///     co_await until(agreement);
///     ...
///     co_return prepared;
///
/// begun() runs it up to its first obstacle.
class [[nodiscard]] Steps final : public Preparation {
public:
    struct promise_type;
    using Handle = std::coroutine_handle<promise_type>;

    struct promise_type {
        Steps get_return_object() { return Steps(Handle::from_promise(*this)); }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        std::suspend_always final_suspend() const noexcept { return {}; }
        void return_value(std::shared_ptr<Prepared> value) { prepared = std::move(value); }
        void unhandled_exception() { error = std::current_exception(); }

        Obstacle obstacle;
        std::shared_ptr<Prepared> prepared;
        std::exception_ptr error;
    };

    struct Until {
        Obstacle obstacle;
        bool await_ready() const { return obstacle.test(obstacle.object); }
        void await_suspend(Handle steps) const noexcept { steps.promise().obstacle = obstacle; }
        void await_resume() const noexcept {}
    };

    Steps(Steps&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    ~Steps() override {
        if (handle_) handle_.destroy();
    }

    static std::unique_ptr<Preparation> begun(Steps steps) {
        steps.handle_.resume();
        return std::make_unique<Steps>(std::move(steps));
    }

    std::shared_ptr<Prepared> advance() override {
        while (!handle_.done()) {
            const auto& [object, test] = handle_.promise().obstacle;
            if (!test(object)) return nullptr;
            handle_.resume();
        }
        return taken();
    }

private:
    explicit Steps(Handle handle) : handle_(handle) {}

    std::shared_ptr<Prepared> taken() {
        auto& promise = handle_.promise();
        if (promise.error) std::rethrow_exception(promise.error);
        return std::move(promise.prepared);
    }

    Handle handle_;
};

/// Until object.test(). @pre the object outlives the step
template <typename T>
Steps::Until until(T& object) {
    return {{&object, [](void* o) { return static_cast<T*>(o)->test(); }}};
}

}  // namespace carpool::engine
