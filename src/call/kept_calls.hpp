// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"
#include "call/bound_call.hpp"
#include "call/candidates_by_size.hpp"
#include "mpi/attribute.hpp"
#include "mpi/comm/comm_state.hpp"
#include "mpi/error.hpp"
#include "mpi/types/shape.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace carpool::call {

/// What calls have in common that one bound call can be filled for: all that decides what a rank
/// does, but not which bytes it sends.
struct CallForm {
    std::int64_t function;  ///< MPI's function, and what it does in place
    std::int64_t root = 0;
    std::int64_t op = 0;
    friend bool operator==(const CallForm&, const CallForm&) = default;
};

/// The class of sizes of a call with these blocks.
inline SizeClass with_place(SizeClass of_sizes, const std::vector<mpi::Block>& send,
                            const std::vector<mpi::Block>& recv) {
    if (device::Driver::known() == nullptr) return of_sizes;
    const bool is_on_device = mpi::device_of(send) != nullptr || mpi::device_of(recv) != nullptr;
    return is_on_device ? of_sizes | on_device : of_sizes;
}

/// The blocking and nonblocking calls of a family that were bound on a communicator, to be filled
/// with the arguments of later ones. Purely local: a call that is filled sends the same messages as
/// one that is bound anew.
///
/// The thread that makes the calls finds and fills them; keep() may be called by another one, which
/// progresses an earlier call.
template <typename Arguments>
class KeptCalls {
public:
    /// The calls of one form.
    struct KeptForm {
        CallForm form;
        Arguments arguments = {};  ///< read anew in each call, into the same memory
        CandidatesBySize candidates = {};
        std::vector<std::shared_ptr<BoundCall>> calls = {};
    };

    explicit KeptCalls(std::shared_ptr<mpi::CommState> state) : state_(std::move(state)) {}

    /// The kept calls of a communicator, with a place for calls of this form. It takes the place of
    /// another form if there are very many.
    /// @param state  of the communicator
    /// @param arguments  returns what the first call of a form has read
    template <typename FirstArguments>
    static std::shared_ptr<KeptCalls> with(const CallForm& form, MPI_Comm comm,
                                           const std::shared_ptr<mpi::CommState>& state,
                                           const FirstArguments& arguments) {
        auto kept = mpi::Attribute<KeptCalls>::of(comm, state);
        if (!kept->has(form)) kept->add(std::make_unique<KeptForm>(form, arguments()));
        return kept;
    }

    /// A call that was kept on a communicator; null if there is none, also if comm is no valid
    /// communicator or an argument is wrong.
    /// @param form  returns the form of the call
    /// @param use   returns one of these kept calls, made ready for the call's arguments; or null
    template <typename FormOf, typename Use>
    static std::shared_ptr<BoundCall> found(MPI_Comm comm, const FormOf& form, const Use& use) {
        auto* const all = mpi::Attribute<KeptCalls>::peek(comm);
        if (all == nullptr) return nullptr;
        std::shared_ptr<BoundCall> result;
        const auto mistake = mpi::mistake_in([&] {
            if (auto* const kept = all->find(form())) result = use(*all, *kept);
        });
        return mistake ? nullptr : result;
    }

    const mpi::CommState& state() const { return *state_; }

    /// A call for blocks of this class of sizes that no request uses, filled with the arguments;
    /// null if there is none.
    /// @param is_bound  returns whether a call is bound to just these arguments
    /// @param fill  fills a call; returns false, and changes nothing, if the arguments need other
    ///              messages
    /// Both are called without the lock, since they may call MPI.
    template <typename IsBound, typename Fill>
    std::shared_ptr<BoundCall> filled(KeptForm& kept, SizeClass size_class, const IsBound& is_bound,
                                      const Fill& fill) {
        std::shared_ptr<BoundCall> first;
        for (std::size_t next = 0; auto call = next_free(kept, size_class, next);) {
            if (is_bound(*call)) return call;
            if (!first) first = std::move(call);
        }
        if (!first || fill(*first)) return first;
        for (std::size_t next = 0; auto call = next_free(kept, size_class, next);)
            if (fill(*call)) return call;  // never the first, which is held
        return nullptr;
    }

    /// A call that no request uses and that is known to be bound to the arguments; null if there is
    /// none.
    /// @param class_if_noted  returns the class of sizes of the arguments, if a call is known to be
    ///                        bound to them. Called under the lock
    template <typename ClassIfNoted>
    std::shared_ptr<BoundCall> repeated(KeptForm& kept, const ClassIfNoted& class_if_noted) {
        const std::lock_guard lock(mutex_);
        for (const auto& call : kept.calls) {
            if (!is_unused(call)) continue;
            const auto size_class = class_if_noted(*call);
            if (size_class && kept.candidates.find(*size_class) == call->candidate) return call;
        }
        return nullptr;
    }

    /// Whether another call of this form may be kept beside those that there are. Then arguments
    /// that take long to fill in get a call of their own, to which the program may come back.
    bool has_few(const KeptForm& kept) {
        const std::lock_guard lock(mutex_);
        return std::ssize(kept.calls) < most_unused;
    }

    /// Keeps a call, unless it is the first of its class of sizes and a free call by the same
    /// candidate can be filled in its place. Drops the oldest free calls by that candidate beyond a
    /// few, since this call could not use them.
    void keep(const CallForm& form, SizeClass size_class, std::shared_ptr<BoundCall> call) {
        // freed outside the lock, since they own MPI handles
        std::vector<std::shared_ptr<BoundCall>> old;
        const std::lock_guard lock(mutex_);
        auto* const kept = place_of(form);
        if (kept == nullptr) return;
        const bool is_new_class = !kept->candidates.find(size_class);
        if (is_new_class) kept->candidates.keep(size_class, call->candidate);
        if (is_new_class && has_free(*kept, call->candidate)) return;
        old = surplus_of(*kept, call->candidate);
        if (kept->calls.size() < most_calls) kept->calls.push_back(std::move(call));
    }

    void on_free() {
        std::vector<std::unique_ptr<KeptForm>> old;
        const std::lock_guard lock(mutex_);
        old.swap(forms_);
        state_.reset();
    }

private:
    static constexpr std::size_t most_forms = 64;
    static constexpr std::size_t most_calls = 64;  ///< so many calls of a form may be under way
    static constexpr std::ptrdiff_t most_unused = 4;

    /// Whether it is by that candidate and no request uses it.
    static bool is_free(const std::shared_ptr<BoundCall>& call, std::size_t candidate) {
        return call->candidate == candidate && is_unused(call);
    }

    /// The calls of this form; null if there is none. Valid until the next call is made.
    KeptForm* find(const CallForm& form) {
        const std::lock_guard lock(mutex_);
        auto* const kept = place_of(form);
        return kept != nullptr && !kept->calls.empty() ? kept : nullptr;
    }

    bool has(const CallForm& form) {
        const std::lock_guard lock(mutex_);
        return place_of(form) != nullptr;
    }

    void add(std::unique_ptr<KeptForm> kept) {
        const std::lock_guard lock(mutex_);
        if (forms_.size() < most_forms)
            forms_.push_back(std::move(kept));
        else
            forms_.back().swap(kept);
    }

    /// Forms that are used often come to the front.
    KeptForm* place_of(const CallForm& form) {
        for (std::size_t i = 0; i < forms_.size(); ++i) {
            if (forms_[i]->form != form) continue;
            if (i > 0) forms_[i].swap(forms_[i - 1]);
            return forms_[i > 0 ? i - 1 : 0].get();
        }
        return nullptr;
    }

    /// The first free call with that candidate from `next` on, which is moved behind it.
    std::shared_ptr<BoundCall> next_free(KeptForm& kept, SizeClass size_class, std::size_t& next) {
        const std::lock_guard lock(mutex_);
        if (next == kept.calls.size()) return nullptr;
        const auto candidate = kept.candidates.find(size_class);
        if (!candidate) return nullptr;
        while (next < kept.calls.size()) {
            const auto& call = kept.calls[next++];
            if (is_free(call, *candidate)) return call;
        }
        return nullptr;
    }

    static bool has_free(const KeptForm& kept, std::size_t candidate) {
        return std::ranges::any_of(
            kept.calls, [candidate](const auto& call) { return is_free(call, candidate); });
    }

    /// Takes out the oldest free calls of a candidate, so that with one more there are not too
    /// many.
    static std::vector<std::shared_ptr<BoundCall>> surplus_of(KeptForm& kept,
                                                              std::size_t candidate) {
        std::vector<std::shared_ptr<BoundCall>> surplus;
        auto left = std::ranges::count_if(
            kept.calls, [candidate](const auto& call) { return is_free(call, candidate); });
        for (auto& call : kept.calls) {
            if (left < most_unused) break;
            if (!is_free(call, candidate)) continue;
            surplus.push_back(std::move(call));
            --left;
        }
        std::erase(kept.calls, nullptr);
        return surplus;
    }

    base::Mutex mutex_;
    std::shared_ptr<mpi::CommState> state_;
    std::vector<std::unique_ptr<KeptForm>> forms_;
};

}  // namespace carpool::call
