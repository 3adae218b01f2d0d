// SPDX-License-Identifier: MIT
#pragma once

#include "collective.hpp"
#include "draws.hpp"
#include "host.hpp"
#include "job.hpp"
#include "layouts.hpp"
#include "moving.hpp"
#include "place.hpp"
#include "summing.hpp"
#include "world.hpp"

#include <memory>

namespace interposed {

/// Whether a collective can be called there. On one rank, as some halves have, Open MPI's alltoallw
/// takes no notice of displacements.
inline bool fits(Collective what, const Place& place) {
    const bool is_half = place.ranks < ranks_of_world();
    if (is_open_mpi && what == Collective::alltoallw && is_half) return false;
    return place.has_topology || !of_neighbors(what);
}

inline std::unique_ptr<Job> job_of(Collective what, Form form, const Place& place,
                                   const Draws& draws, const Layouts& layouts) {
    return described(what).reduces ? Summation(what, place, draws).job(form)
                                   : Movement(what, place, draws, layouts).job(form);
}

}  // namespace interposed
