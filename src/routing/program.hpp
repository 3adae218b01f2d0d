#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::routing {

using Words = std::vector<int>;

/// Words for a rank, or from it. Several messages may share their words.
struct SuperstepMessage {
    int peer;
    std::shared_ptr<const Words> words;
};

/// What a rank says at the end of a superstep, or hears at the start of the next.
struct SuperstepMessages {
    std::vector<SuperstepMessage> messages;  ///< heard by ascending sender
    std::vector<std::uint64_t> board = {};   /**< bits that this rank, or any, has set; of the same
                                                  length on all ranks */
};

/// A rank's side of the mail, between a program and who carries its messages.
struct Conversation {
    SuperstepMessages said;
    SuperstepMessages heard;
    std::coroutine_handle<> waiting;  ///< goes on when `heard` is there
};

/// What one rank does in a bulk-synchronous computation, as a coroutine: it computes, says
///
///     const SuperstepMessages heard = co_await superstep(std::move(mine));
///
/// and goes on with what all ranks have said. (Name the mail first, and move it: g++ 12 destroys
/// temporary objects inside co_await twice.) Every rank makes the same number of supersteps, so
/// what decides their number must be on the board. The same program runs over MPI
/// (call/supersteps.hpp) and over thousands of ranks in one process (routing/simulation.hpp).
template <typename T>
class [[nodiscard]] Program {
public:
    struct promise_type;
    using Handle = std::coroutine_handle<promise_type>;

    /// At its end a program goes on with the one that awaits it.
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

        Conversation* conversation = nullptr;
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

    /// Makes it the next to go on in a conversation, which must outlive it.
    void join(Conversation& conversation) {
        handle_.promise().conversation = &conversation;
        conversation.waiting = handle_;
    }

    bool ended() const { return handle_.done(); }

    /// What it has computed. @pre ended
    T take() {
        if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
        return std::move(*handle_.promise().result);
    }

    /// What a program that awaits another one waits for.
    struct Call {
        Program& callee;
        bool await_ready() const noexcept { return false; }
        template <typename Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller) const {
            callee.handle_.promise().conversation = caller.promise().conversation;
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

/// Ends a superstep: `co_await superstep(said)` is what all ranks have said.
class Superstep {
public:
    explicit Superstep(SuperstepMessages said) : said_(std::move(said)) {}

    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    void await_suspend(std::coroutine_handle<Promise> program) {
        conversation_ = program.promise().conversation;
        conversation_->said = std::move(said_);
        conversation_->waiting = program;
    }
    SuperstepMessages await_resume() { return std::move(conversation_->heard); }

private:
    SuperstepMessages said_;
    Conversation* conversation_ = nullptr;
};

inline Superstep superstep(SuperstepMessages said) { return Superstep(std::move(said)); }

}  // namespace carpool::routing
