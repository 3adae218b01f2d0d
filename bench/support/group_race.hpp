// SPDX-License-Identifier: MIT
#pragma once

#include "form.hpp"
#include "group_case.hpp"
#include "parts.hpp"
#include "race.hpp"

#include <mpi.h>

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// A form and its measurements. Seconds are the slowest rank's, per repetition.
struct Timed {
    Form form;
    std::shared_ptr<Parts> parts = std::make_shared<Parts>();
    std::vector<double> seconds;                  // start and wait
    std::vector<double> spans;                    // the same, from the first rank's start on
    std::vector<double> first_init, later_init;   // on a communicator; empty without inits
    std::vector<double> computation, overlapped;  // alone, and between start and wait
};

inline Communicator duplicate(MPI_Comm comm) {
    MPI_Comm copy = MPI_COMM_NULL;
    check(MPI_Comm_dup(comm, &copy));
    check(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
    return Communicator(copy);
}

/// Seconds per repetition of each of the given functions, interleaved.
/// @note Collective
inline std::vector<std::vector<double>> raced_alone(const std::vector<std::function<void()>>& runs,
                                                    Timing& timing, MPI_Comm comm) {
    std::vector<Racer> racers;
    for (const auto& run : runs) racers.push_back({"", run});
    const std::vector<Contender> names(runs.size());
    std::vector<std::vector<double>> seconds;
    for (auto& entry : raced(racers, names, timing, comm))
        seconds.push_back(std::move(entry.seconds));
    return seconds;
}

/// Times start and wait.
/// @note Collective
inline void race_starts(std::vector<Timed>& all, Timing& timing, MPI_Comm comm) {
    std::vector<std::function<void()>> runs;
    for (const auto& one : all) runs.push_back(in_parts(one.form, one.parts));
    auto seconds = raced_alone(runs, timing, comm);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].seconds = std::move(seconds[i]);
        all[i].spans = spans(*all[i].parts, comm);
    }
}

/// For every form that makes progress after its start: times a computation as long as the
/// collective, alone and between start and wait.
/// @note Collective @pre race_starts
inline void race_computations(std::vector<Timed>& all, Timing& timing, MPI_Comm comm) {
    std::vector<std::function<void()>> runs;
    for (const auto& one : all) {
        if (!one.form.test) continue;
        const auto computation = computation_of(quartiles(one.seconds).median, comm);
        runs.push_back([computation] { computation.run([] {}); });
        runs.push_back(beside(computation, one.form, one.parts));
    }
    auto seconds = raced_alone(runs, timing, comm);
    auto next = seconds.begin();
    for (auto& one : all) {
        if (!one.form.test) continue;
        one.computation = std::move(*next++);
        one.overlapped = std::move(*next++);
    }
}

/// Makes a form on a communicator.
using Maker = std::function<Form(MPI_Comm)>;

/// Times inits on new communicators: the first on each, and some more.
/// @note Collective
inline void time_inits(Timed& one, const Maker& make, int communicators, MPI_Comm comm) {
    constexpr int more = 3;
    const auto init_seconds = [&](MPI_Comm on) {
        check(MPI_Barrier(comm));
        return make(on).init_seconds;
    };
    for (int c = 0; c < communicators; ++c) {
        const auto fresh = duplicate(comm);
        one.first_init.push_back(init_seconds(fresh.get()));
        for (int i = 0; i < more; ++i) one.later_init.push_back(init_seconds(fresh.get()));
    }
    keep_slowest(one.first_init, comm);
    keep_slowest(one.later_init, comm);
}

}  // namespace bench
