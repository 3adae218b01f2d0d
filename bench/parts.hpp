#pragma once

#include "check.hpp"
#include "form.hpp"
#include "race.hpp"

#include <mpi.h>

#include <memory>
#include <numeric>
#include <vector>

namespace bench {

/// Seconds of the calls of which the runs of a form consisted, on this rank.
struct Parts {
    std::vector<double> start, test, wait;  // test: the mean of a run's

    template <class F>
    static void time(std::vector<double>& seconds, F call) {
        const double began = MPI_Wtime();
        call();
        seconds.push_back(MPI_Wtime() - began);
    }
};

/// The values of all ranks on rank 0.
/// @note Collective @pre as many on each rank
inline std::vector<double> gathered(const std::vector<double>& mine, MPI_Comm comm) {
    int ranks = 0;
    check(MPI_Comm_size(comm, &ranks));
    const auto count = static_cast<int>(mine.size());
    std::vector<double> all(mine.size() * static_cast<std::size_t>(ranks));
    check(MPI_Gather(mine.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, 0, comm));
    return all;
}

/// Start and wait, each timed.
inline Racer in_parts(const Form& form, const std::shared_ptr<Parts>& parts) {
    return {form.name,
            [form, parts] {
                Parts::time(parts->start, form.start);
                Parts::time(parts->wait, form.wait);
            },
            form.plan};
}

}  // namespace bench
