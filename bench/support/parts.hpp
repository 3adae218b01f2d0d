// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "computation.hpp"
#include "form.hpp"

#include <mpi.h>

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace bench {

/// Times of a form's runs on this rank.
struct Parts {
    std::vector<double> start, test, wait;  // seconds of these calls; test: the mean of each run
    std::vector<double> began, ended;       // by a clock that all processes of a node share
};

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

template <class F>
double seconds_of_call(const F& call) {
    const double began = MPI_Wtime();
    call();
    return MPI_Wtime() - began;
}

/// Runs start and wait, and times each of them.
inline std::function<void()> in_parts(const Form& form, const std::shared_ptr<Parts>& parts) {
    return [form, parts] {
        parts->began.push_back(now());
        parts->start.push_back(seconds_of_call(form.start));
        parts->wait.push_back(seconds_of_call(form.wait));
        parts->ended.push_back(now());
    };
}

/// A computation between start and wait. It tests between its pieces until the collective is done.
inline std::function<void()> beside(const Computation& computation, const Form& form,
                                    const std::shared_ptr<Parts>& parts) {
    return [computation, form, parts] {
        bool done = false;
        double tests = 0, seconds = 0;
        form.start();
        computation.run([&] {
            if (done) return;
            seconds += seconds_of_call([&] { done = form.test(); });
            ++tests;
        });
        if (!done) form.wait();
        parts->test.push_back(seconds / tests);
    };
}

/// Seconds of every run, from the first rank's start to the last rank's end. @pre all ranks are on
/// one node
/// @note Collective
inline std::vector<double> spans(const Parts& parts, MPI_Comm comm) {
    const auto count = static_cast<int>(parts.began.size());
    auto first = parts.began;
    auto last = parts.ended;
    check(MPI_Allreduce(MPI_IN_PLACE, first.data(), count, MPI_DOUBLE, MPI_MIN, comm));
    check(MPI_Allreduce(MPI_IN_PLACE, last.data(), count, MPI_DOUBLE, MPI_MAX, comm));
    return paired(last, first, std::minus{});
}

/// The values of all ranks, on rank 0.
/// @note Collective
/// @pre the number of values is the same on all ranks
inline std::vector<double> gathered(const std::vector<double>& mine, MPI_Comm comm) {
    int ranks = 0;
    check(MPI_Comm_size(comm, &ranks));
    const auto count = static_cast<int>(mine.size());
    std::vector<double> all(mine.size() * static_cast<std::size_t>(ranks));
    check(MPI_Gather(mine.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, 0, comm));
    return all;
}

}  // namespace bench
