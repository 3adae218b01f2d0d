// SPDX-License-Identifier: MIT
#pragma once
// Makes ranks see nonblocking reductions complete in different orders, as an MPI may do, by
// wrapping MPI's functions. Include it once per program.

#include "world.hpp"

#include <mpi.h>

#include <map>

namespace carpool::tests {

/// While an object of this class exists, of each two consecutive reductions even ranks see the
/// first one complete late, and odd ranks the second one.
class LateAgreements {
public:
    LateAgreements() { active_ = true; }
    LateAgreements(const LateAgreements&) = delete;
    ~LateAgreements() {
        active_ = false;
        tests_left_.clear();
    }

    static void posted(MPI_Request request) {
        if (active_ && posted_++ % 2 == world_rank() % 2) tests_left_[request] = 200;
    }

    static bool hides(MPI_Request request) {
        const auto held = tests_left_.find(request);
        if (held == tests_left_.end()) return false;
        if (--held->second > 0) return true;
        tests_left_.erase(held);
        return false;
    }

private:
    static inline bool active_ = false;
    static inline int posted_ = 0;
    static inline std::map<MPI_Request, int> tests_left_;
};

}  // namespace carpool::tests

extern "C" {

int MPI_Iallreduce(const void* from, void* into, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
    const int code = PMPI_Iallreduce(from, into, count, type, op, comm, request);
    carpool::tests::LateAgreements::posted(*request);
    return code;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    if (!carpool::tests::LateAgreements::hides(*request)) return PMPI_Test(request, flag, status);
    *flag = 0;
    return MPI_SUCCESS;
}
}
