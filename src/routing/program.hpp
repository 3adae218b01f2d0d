// SPDX-License-Identifier: MIT
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::routing {

using Words = std::vector<int>;

/// Words sent to a rank, or received from it. Several messages may share their words.
struct SuperstepMessage {
    int peer;
    std::shared_ptr<const Words> words;
};

/// The few bits that a rank sets on the board of a superstep.
struct Marks {
    std::size_t words = 0;  ///< the length of the board in words of 64 bits; the same on all ranks
    std::vector<int> bits = {};
};

/// The bits that any rank has set.
using Board = std::vector<std::uint64_t>;

/// What a rank sends at the end of a superstep, or receives at the start of the next.
struct SuperstepMessages {
    std::vector<SuperstepMessage> messages;   ///< received ones are sorted by sender
    Marks marks = {};                         ///< sent
    std::shared_ptr<const Board> board = {};  ///< received; null if it has no words
};

/// One rank's messages between its program and the code that carries them to other ranks.
struct SuperstepExchange {
    SuperstepMessages said;
    SuperstepMessages heard;
    std::coroutine_handle<> waiting;  ///< the program; resumed when `heard` is filled
};

/// One rank's part in a bulk-synchronous computation, as a coroutine: it computes, sends its
/// messages and receives those of the other ranks in one line,
///
///     const SuperstepMessages heard = co_await superstep(std::move(mine));
///
/// and continues. (Name the messages first, and move them: g++ 12 destroys temporary objects inside
/// co_await twice.) Every rank makes the same number of supersteps, so what decides their number
/// must be on the board. The same program runs over MPI (call/supersteps.hpp) and over thousands of
/// ranks in one process (routing/simulation.hpp).
template <typename T>
class [[nodiscard]] Program {
public:
    struct promise_type;
    using Handle = std::coroutine_handle<promise_type>;

    /// Resumes, at the end of a program, the program that awaits it.
    struct Return {
        bool await_ready() const noexcept { return false; }
        std::coroutine_handle<> await_suspend(Handle ended) const noexcept {
            const auto caller = ended.promise().caller;
            return caller ? caller : std::noop_coroutine();
        }
        void await_resume() const noexcept {}
    };

    struct promise_type {
        Program get_return_object() { return Program(Handle::from_promise(*this)); }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        Return final_suspend() const noexcept { return {}; }
        void return_value(T value) { result = std::move(value); }
        void unhandled_exception() { error = std::current_exception(); }

        SuperstepExchange* exchange = nullptr;
        std::coroutine_handle<> caller;
        std::optional<T> result;
        std::exception_ptr error;
    };

    Program(Program&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Program& operator=(Program&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Program() {
        if (handle_) handle_.destroy();
    }

    /// Makes this program the one that the exchange resumes; the exchange must outlive it.
    void join(SuperstepExchange& exchange) {
        handle_.promise().exchange = &exchange;
        exchange.waiting = handle_;
    }

    bool ended() const { return handle_.done(); }

    /// The result of the program. @pre ended()
    T take() {
        if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
        return std::move(*handle_.promise().result);
    }

    /// The awaitable of a program that another program awaits.
    struct Call {
        Program& callee;
        bool await_ready() const noexcept { return false; }
        template <typename Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller) const {
            callee.handle_.promise().exchange = caller.promise().exchange;
            callee.handle_.promise().caller = caller;
            return callee.handle_;
        }
        T await_resume() const { return callee.take(); }
    };

    /// A program may await another one: `const auto matched = co_await match(...)`.
    Call operator co_await() && { return {*this}; }

private:
    explicit Program(Handle handle) : handle_(handle) {}

    Handle handle_;
};

/// Ends a superstep: `co_await superstep(said)` sends these messages and returns those received.
class Superstep {
public:
    explicit Superstep(SuperstepMessages said) : said_(std::move(said)) {}

    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    void await_suspend(std::coroutine_handle<Promise> program) {
        exchange_ = program.promise().exchange;
        exchange_->said = std::move(said_);
        exchange_->waiting = program;
    }
    SuperstepMessages await_resume() { return std::move(exchange_->heard); }

private:
    SuperstepMessages said_;
    SuperstepExchange* exchange_ = nullptr;
};

inline Superstep superstep(SuperstepMessages said) { return Superstep(std::move(said)); }

}  // namespace carpool::routing
