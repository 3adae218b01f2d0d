// SPDX-License-Identifier: MIT
#pragma once

#include "../checks.hpp"
#include "creation.hpp"
#include "host_refusals.hpp"
#include "jobs.hpp"
#include "make_collective.hpp"
#include "mistake.hpp"
#include "place.hpp"
#include "program_manner.hpp"
#include "variant.hpp"
#include "whereabouts.hpp"
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
          manner_(ProgramManner::drawn(random_)) {
        if (options.calls > 0) manner_.calls = options.calls;
        for (int i = 0; i < manner_.places; ++i) add(any_creation(random_));
        if (!any_fits()) add(any_topology(random_));
    }

    ~RandomProgram() {
        complete();
        while (!kept_.empty()) free_kept();
        for (auto& place : places_) MPI_Comm_free(&place->comm);
    }
    RandomProgram(const RandomProgram&) = delete;
    RandomProgram& operator=(const RandomProgram&) = delete;

    void run() {
        for (step_ = 0; step_ < manner_.calls; ++step_) {
            if (manner_.renews && random_.below(30) == 0) renew_place();
            if (!kept_.empty() && random_.below(6) == 0)
                start_again(kept_[std::size_t(random_.below(int(kept_.size())))]);
            make_call();
        }
    }

private:
    /// A request that is under way, or a persistent one.
    struct Begun {
        MPI_Request request;
        std::unique_ptr<Job> job;
        std::string text;
    };

    /// A duplicate of a place, or a new one, in the place of another if there are many.
    void renew_place() {
        const auto& old = *places_[std::size_t(random_.below(int(places_.size())))];
        const int way = random_.below(4);
        if (way == 0)
            add(any_creation(random_));
        else if (way == 1 && old.is_grid)
            add(whole_of(old));
        else
            add(duplicate(old));
        if (places_.size() <= 4) return;
        complete();
        while (!kept_.empty()) free_kept();
        MPI_Comm_free(&places_.front()->comm);
        places_.erase(places_.begin());
        if (!any_fits()) add(any_topology(random_));
    }

    // Calls, and what precedes them.

    std::string text_of(const std::string& what) const {
        return "seed " + std::to_string(seed_) + ", step " + std::to_string(step_) + ": " + what;
    }
    void note(const std::string& what) {
        current_ = text_of(what);
        doing(current_, options_.seconds);
    }
    void fail(const std::string& why) const {
        interposed::check(false, (current_ + ": " + why).c_str(), __FILE__, __LINE__);
    }

    /// Ends the job: after a right call that was refused, the ranks do not agree any more.
    void give_up(int code) const {
        fail("refused: class " + std::to_string(class_of(code)));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    /// How many mistakes this rank makes before a call.
    int mistakes_before(const Draws& draws) const {
        const int all = draws.of(draw::mistakes, manner_.one_in);
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
        auto place = std::make_unique<Place>(creation.place);
        const int code = creation.right(Creators::of(Library::by_name), &place->comm);
        if (code != MPI_SUCCESS) give_up(code);
        MPI_Comm_set_errhandler(place->comm, MPI_ERRORS_RETURN);
        places_.push_back(std::move(place));
    }

    bool any_fits() const {
        return std::any_of(manner_.kinds.begin(), manner_.kinds.end(), [this](Collective what) {
            return std::any_of(places_.begin(), places_.end(),
                               [what](const auto& place) { return fits(what, *place); });
        });
    }

    void make_call() {
        const auto& place = *places_[std::size_t(random_.below(int(places_.size())))];
        const auto what = manner_.kinds[std::size_t(random_.below(int(manner_.kinds.size())))];
        const auto form = manner_.forms[std::size_t(random_.below(int(manner_.forms.size())))];
        const Draws draws(random_.bits());
        if (fits(what, place)) make_call(what, form, place, draws);
        if (begun_.size() > 5 || random_.below(3) == 0) complete();
    }

    void make_call(Collective what, Form form, const Place& place, const Draws& draws) {
        auto job = job_of(what, form, place, draws, layouts_);
        const auto name = std::string(name_of(form)) + " " + name_of(what);
        for (int i = mistakes_before(draws); i > 0; --i) make_mistake(name, job->call(), place);
        note(name + disguised(job->call(), place, draws));
        MPI_Request request = MPI_REQUEST_NULL;
        const int code = make(job->call(), &request);
        if (code != MPI_SUCCESS) give_up(code);
        if (form == Form::blocking) return check(*job, current_);
        if (form == Form::persistent) start(request);
        begun_.push_back({request, std::move(job), current_});
    }

    void make_mistake(const std::string& name, const CollectiveCall& right, const Place& place) {
        for (int attempt = 0; attempt < 20; ++attempt) {
            const auto mistake = all_mistakes[std::size_t(own_.below(int(all_mistakes.size())))];
            const Draws draws(own_.bits());
            auto call = right;
            if (!host_refuses(mistake, call) || !Spoiler(call, place, draws).make(mistake))
                continue;
            return make_wrong(name + " with " + name_of(mistake), [&](Library library) {
                MPI_Request request = MPI_REQUEST_NULL;
                return make(call, mistake == Mistake::null_request ? nullptr : &request, library);
            });
        }
    }

    /// Gives the call's arguments in an unusual way on some ranks; returns a text that says how.
    static std::string disguised(CollectiveCall& call, const Place& place, const Draws& draws) {
        std::string text;
        for (const auto variant : all_variants)
            if (draws.of(draw::variant, place.rank, int(variant), 4) == 0 &&
                Disguise(call, place).put_on(variant))
                text += std::string(" with ") + name_of(variant);
        return text;
    }

    void check(const Job& job, const std::string& text) {
        current_ = text;
        if (const auto fault = job.fault(); !fault.empty()) fail(fault);
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

    static bool is_persistent(const Begun& one) { return one.job->call().form == Form::persistent; }

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
            check(*one.job, one.text);
            if (is_persistent(one)) kept_.push_back(std::move(one));
        }
        begun_.clear();
        while (kept_.size() > 3) free_kept();
    }

    /// Starts a persistent request with other contents, and waits for it.
    void start_again(Begun& one) {
        note("start of a " + one.text);
        one.job->prepare(step_ + 1);
        start(one.request);
        const Draws draws(random_.bits());
        for (int i = mistakes_before(draws); i > 0; --i) start_twice(one.request);
        if (MPI_Wait(&one.request, MPI_STATUS_IGNORE) != MPI_SUCCESS) fail("the wait fails");
        check(*one.job, current_);
    }

    void free_kept() {
        MPI_Request_free(&kept_.front().request);
        kept_.erase(kept_.begin());
    }

    int seed_;
    Options options_;
    const Layouts& layouts_;
    Random random_, own_;
    ProgramManner manner_;
    int step_ = -1;
    std::vector<std::unique_ptr<Place>> places_;
    std::vector<Begun> begun_, kept_;
    std::string current_;
};

}  // namespace interposed
