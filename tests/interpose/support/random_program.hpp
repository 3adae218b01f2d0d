// SPDX-License-Identifier: MIT
#pragma once

#include "../checks.hpp"
#include "checked_calls.hpp"
#include "comm_view.hpp"
#include "creation.hpp"
#include "current_step.hpp"
#include "host_refusals.hpp"
#include "make_collective.hpp"
#include "mistake.hpp"
#include "program_profile.hpp"
#include "variant.hpp"
#include "world.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace interposed {

struct Options {
    bool bare = false;
    int calls = 0;
    unsigned seconds = long_enough;
};

/// One random program. All ranks draw the same calls; which rank makes which mistakes before a call
/// follows from the call's draws.
class RandomProgram {
public:
    RandomProgram(int seed, const Options& options, const Layouts& layouts)
        : seed_(seed),
          options_(options),
          layouts_(layouts),
          random_(seed),
          own_(seed * 64 + rank_in_world()),
          profile_(ProgramProfile::drawn(random_)) {
        if (options.calls > 0) profile_.calls = options.calls;
        for (int i = 0; i < profile_.comms; ++i) add(any_creation(random_));
        if (!any_fits()) add(any_topology(random_));
    }

    ~RandomProgram() {
        complete();
        while (!kept_.empty()) free_kept();
        for (auto& view : comms_) MPI_Comm_free(&view->comm);
    }
    RandomProgram(const RandomProgram&) = delete;
    RandomProgram& operator=(const RandomProgram&) = delete;

    void run() {
        for (step_ = 0; step_ < profile_.calls; ++step_) {
            if (profile_.renews && random_.below(30) == 0) renew_comm();
            if (!kept_.empty() && random_.below(6) == 0)
                start_again(kept_[std::size_t(random_.below(int(kept_.size())))]);
            make_call();
        }
    }

private:
    /// A request that is under way, or a persistent one.
    struct Begun {
        MPI_Request request;
        std::unique_ptr<CheckedCall> checked;
        std::string text;
    };

    /// A duplicate of a place, or a new one, in the place of another if there are many.
    void renew_comm() {
        const auto& old = *comms_[std::size_t(random_.below(int(comms_.size())))];
        const int way = random_.below(4);
        if (way == 0)
            add(any_creation(random_));
        else if (way == 1 && old.is_grid)
            add(whole_of(old));
        else
            add(duplicate(old));
        if (comms_.size() <= 4) return;
        complete();
        while (!kept_.empty()) free_kept();
        MPI_Comm_free(&comms_.front()->comm);
        comms_.erase(comms_.begin());
        if (!any_fits()) add(any_topology(random_));
    }

    // Calls, and what precedes them.

    std::string text_of(const std::string& what) const {
        return "seed " + std::to_string(seed_) + ", step " + std::to_string(step_) + ": " + what;
    }
    void note(const std::string& what) {
        current_ = text_of(what);
        note_step(current_, options_.seconds);
    }
    void fail(const std::string& why) const {
        interposed::check(false, (current_ + ": " + why).c_str(), __FILE__, __LINE__);
    }

    /// Ends the program: after a right call that was refused, the ranks do not agree any more.
    void give_up(int code) const {
        fail("refused: class " + std::to_string(class_of(code)));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    /// How many mistakes this rank makes before a call.
    int mistakes_before(const Draws& draws) const {
        const int all = draws.of(draw::mistakes, profile_.one_in);
        if (all != 0) return 0;
        const int ranks = ranks_of_world(), rank = rank_in_world();
        const bool several = draws.of(draw::mistakes, 1, 0, 4) == 0;
        const bool mine = several ? draws.of(draw::mistakes, 2, rank, 2) == 0
                                  : draws.of(draw::mistakes, 3, 0, ranks) == rank;
        return mine ? 1 + draws.of(draw::mistakes, 4, rank, 3) : 0;
    }

    /// Makes a wrong call by the host's own function, then by MPI's name, which must do the same.
    template <typename Make>
    void make_wrong(const std::string& mistake, Make make) {
        const auto before = current_;
        note(mistake);
        const int expected = make(Library::host), got = make(Library::by_name);
        if (expected == MPI_SUCCESS) fail("the host accepts it");
        if (class_of(got) != class_of(expected))
            fail("class " + std::to_string(class_of(got)) + ", the host's is " +
                 std::to_string(class_of(expected)));
        current_ = before;
    }

    void add(const Creation& creation) {
        const Draws draws(random_.bits());
        for (int i = mistakes_before(draws); i > 0; --i) {
            const auto& wrong = creation.wrong[std::size_t(own_.below(int(creation.wrong.size())))];
            make_wrong(creation.name + " with " + wrong.what, [&](Library library) {
                MPI_Comm made = MPI_COMM_NULL;
                return wrong.make(Creators::of(library), &made);
            });
        }
        note(creation.name);
        auto view = std::make_unique<CommView>(creation.view);
        const int code = creation.right(Creators::of(Library::by_name), &view->comm);
        if (code != MPI_SUCCESS) give_up(code);
        MPI_Comm_set_errhandler(view->comm, MPI_ERRORS_RETURN);
        comms_.push_back(std::move(view));
    }

    bool any_fits() const {
        return std::any_of(profile_.kinds.begin(), profile_.kinds.end(), [this](Collective what) {
            return std::any_of(comms_.begin(), comms_.end(),
                               [what](const auto& view) { return fits(what, *view); });
        });
    }

    void make_call() {
        const auto& view = *comms_[std::size_t(random_.below(int(comms_.size())))];
        const auto what = profile_.kinds[std::size_t(random_.below(int(profile_.kinds.size())))];
        const auto form = profile_.forms[std::size_t(random_.below(int(profile_.forms.size())))];
        const Draws draws(random_.bits());
        if (fits(what, view)) make_call(what, form, view, draws);
        if (begun_.size() > 5 || random_.below(3) == 0) complete();
    }

    void make_call(Collective what, Form form, const CommView& view, const Draws& draws) {
        auto checked = checked_call(what, form, view, draws, layouts_);
        const auto name = std::string(name_of(form)) + " " + name_of(what);
        for (int i = mistakes_before(draws); i > 0; --i) make_mistake(name, checked->call(), view);
        note(name + make_equivalent(checked->call(), view, draws));
        MPI_Request request = MPI_REQUEST_NULL;
        const int code = make(checked->call(), &request);
        if (code != MPI_SUCCESS) give_up(code);
        if (form == Form::blocking) return check(*checked, current_);
        if (form == Form::persistent) start(request);
        begun_.push_back({request, std::move(checked), current_});
    }

    void make_mistake(const std::string& name, const CollectiveCall& right, const CommView& view) {
        for (int attempt = 0; attempt < 20; ++attempt) {
            const auto mistake = all_mistakes[std::size_t(own_.below(int(all_mistakes.size())))];
            const Draws draws(own_.bits());
            auto call = right;
            if (!host_refuses(mistake, call) || !Spoiler(call, view, draws).make(mistake)) continue;
            return make_wrong(name + " with " + name_of(mistake), [&](Library library) {
                MPI_Request request = MPI_REQUEST_NULL;
                return make(call, mistake == Mistake::null_request ? nullptr : &request, library);
            });
        }
    }

    /// Gives the call's arguments in an unusual way on some ranks; returns a text that says how.
    static std::string make_equivalent(CollectiveCall& call, const CommView& view,
                                       const Draws& draws) {
        std::string text;
        for (const auto variant : all_variants)
            if (draws.of(draw::variant, view.rank, int(variant), 4) == 0 &&
                EquivalentCall(call, view).apply(variant))
                text += std::string(" with ") + name_of(variant);
        return text;
    }

    void check(const CheckedCall& checked, const std::string& text) {
        current_ = text;
        if (const auto fault = checked.fault(); !fault.empty()) fail(fault);
    }

    // Requests.

    void start(MPI_Request& request) {
        if (const int code = MPI_Start(&request); code != MPI_SUCCESS) give_up(code);
    }

    /// Starts a persistent request that is under way, which is a mistake.
    void start_twice(MPI_Request& request) {
        const int code = MPI_Start(&request);
        if (class_of(code) != MPI_ERR_REQUEST)
            fail("started twice: class " + std::to_string(class_of(code)));
    }

    static bool is_persistent(const Begun& one) {
        return one.checked->call().form == Form::persistent;
    }

    /// Completes all that is under way, by one of MPI's functions.
    void complete() {
        note("completion");
        std::vector<MPI_Request> requests;
        for (auto& one : begun_) requests.push_back(one.request);
        int way = random_.below(8);
        for (const auto& one : begun_)  // MPICH 5's MPI_Testall fails for persistent collectives
            if (is_persistent(one) && way == 2) way = 3;
        complete_all(requests, way);
        for (auto& one : begun_) {
            check(*one.checked, one.text);
            if (is_persistent(one)) kept_.push_back(std::move(one));
        }
        begun_.clear();
        while (kept_.size() > 3) free_kept();
    }

    /// Starts a persistent request with other contents, and waits for it.
    void start_again(Begun& one) {
        note("start of a " + one.text);
        one.checked->prepare(step_ + 1);
        start(one.request);
        const Draws draws(random_.bits());
        for (int i = mistakes_before(draws); i > 0; --i) start_twice(one.request);
        if (MPI_Wait(&one.request, MPI_STATUS_IGNORE) != MPI_SUCCESS) fail("the wait fails");
        check(*one.checked, current_);
    }

    void free_kept() {
        MPI_Request_free(&kept_.front().request);
        kept_.erase(kept_.begin());
    }

    int seed_;
    Options options_;
    const Layouts& layouts_;
    Random random_, own_;
    ProgramProfile profile_;
    int step_ = -1;
    std::vector<std::unique_ptr<CommView>> comms_;
    std::vector<Begun> begun_, kept_;
    std::string current_;
};

}  // namespace interposed
