#pragma once

#include "check.hpp"
#include "computation.hpp"
#include "form.hpp"

#include <mpi.h>

#include <functional>
#include <memory>
#include <numeric>
#include <vector>

namespace bench {

/// Seconds of the calls of which the runs of a form consisted, on this rank.
struct Parts {
    std::vector<double> start, test, wait;  // test: the mean of each run
};

template <class F>
double seconds_of_call(const F& call) {
    const double began = MPI_Wtime();
    call();
    return MPI_Wtime() - began;
}

/// Start and wait, each timed.
inline std::function<void()> in_parts(const Form& form, const std::shared_ptr<Parts>& parts) {
    return [form, parts] {
        parts->start.push_back(seconds_of_call(form.start));
        parts->wait.push_back(seconds_of_call(form.wait));
    };
}

/// A computation between start and wait, with tests between its pieces until one says that the
/// collective is done.
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

/// The values of all ranks on rank 0.
/// @note Collective
/// @pre as many on each rank
inline std::vector<double> gathered(const std::vector<double>& mine, MPI_Comm comm) {
    int ranks = 0;
    check(MPI_Comm_size(comm, &ranks));
    const auto count = static_cast<int>(mine.size());
    std::vector<double> all(mine.size() * static_cast<std::size_t>(ranks));
    check(MPI_Gather(mine.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, 0, comm));
    return all;
}

}  // namespace bench
