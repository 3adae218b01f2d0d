// SPDX-License-Identifier: MIT
#pragma once

#include "checked_call.hpp"
#include "collective.hpp"
#include "comm_view.hpp"
#include "draws.hpp"
#include "host.hpp"
#include "layouts.hpp"
#include "moving.hpp"
#include "summing.hpp"
#include "world.hpp"

#include <memory>

namespace interposed {

/// Whether a collective can be called there. On one rank, as some halves have, Open MPI's alltoallw
/// takes no notice of displacements.
inline bool fits(Collective what, const CommView& view) {
    const bool is_half = view.ranks < ranks_of_world();
    if (is_open_mpi && what == Collective::alltoallw && is_half) return false;
    return view.has_topology || !of_neighbors(what);
}

inline std::unique_ptr<CheckedCall> checked_call(Collective what, Form form, const CommView& view,
                                                 const Draws& draws, const Layouts& layouts) {
    return described(what).reduces ? Summation(what, view, draws).checked(form)
                                   : Movement(what, view, draws, layouts).checked(form);
}

}  // namespace interposed
