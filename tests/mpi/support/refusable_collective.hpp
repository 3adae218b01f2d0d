// SPDX-License-Identifier: MIT
#pragma once

#include "collective_case.hpp"
#include "collective_faults.hpp"
#include "form.hpp"
#include "refusable.hpp"
#include "world.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

inline bool operator==(const Side& a, const Side& b) {
    return a.buffer == b.buffer && a.counts == b.counts && a.displs == b.displs &&
           a.types == b.types;
}

/// Makes a call in any form and completes it. Returns the first error code, or success.
inline int made(const CollectiveCall& call, Form form, MPI_Comm comm) {
    if (is_blocking(form)) return call_once(call, comm, is_large(form));
    if (is_nonblocking(form)) {
        MPI_Request once = MPI_REQUEST_NULL;
        const int code = call_once(call, comm, is_large(form), &once);
        return code != MPI_SUCCESS ? code : MPI_Wait(&once, MPI_STATUS_IGNORE);
    }
    const auto of_form =
        inits[(is_large(form) ? 1 : 0) + (is_background(form) ? 2 : 0)];  // in their order
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const int code = init(call, {of_form, comm}, &request);
    if (code != MPI_SUCCESS) return code;
    const int ended = started_and_completed(request);
    Carpool_Request_free(&request);
    return ended;
}

/// Which mistakes a rank can make in a call: those in arguments that are significant there.
class PossibleFaults {
public:
    PossibleFaults(const CollectiveCall& right, int rank, MPI_Datatype uncommitted)
        : right_(right), rank_(rank) {
        add(faults::wrong_counts());
        add(faults::wrong_types(uncommitted));
        add(faults::wrong_roots());
        add(faults::wrong_operators());
        add(faults::wrong_places());
        if (!is_root()) add(faults::wrong_places_off_root());
    }

    const std::vector<CollectiveFault>& all() const { return all_; }

private:
    void add(const std::vector<CollectiveFault>& some) {
        for (const auto& fault : some)
            if (std::find(fault.in.begin(), fault.in.end(), right_.what) != fault.in.end() &&
                is_mistake(fault))
                all_.push_back(fault);
    }

    bool is_mistake(const CollectiveFault& fault) const {
        auto wrong = right_;
        fault.spoil(wrong);
        const bool sent = !(wrong.send == right_.send), received = !(wrong.recv == right_.recv);
        if (sent && !sends()) return false;
        if (received && !receives(wrong)) return false;
        const bool of_nothing =
            is_empty(right_.send, wrong.send) || is_empty(right_.recv, wrong.recv);
        return !of_nothing &&
               (sent || received || wrong.root != right_.root || wrong.op != right_.op);
    }

    bool is_root() const { return rank_ == right_.root; }
    bool sends() const {
        const bool at_root = kind_of(right_.what) == collectives::Kind::scatter;
        return right_.send.buffer != MPI_IN_PLACE && (!at_root || is_root());
    }
    bool receives(const CollectiveCall& wrong) const {
        const bool buffer_at_root = kind_of(right_.what) == collectives::Kind::gather ||
                                    kind_of(right_.what) == collectives::Kind::reduce;
        const bool without_result = right_.what == Collective::exscan && rank_ == 0;
        const bool buffer = wrong.recv.buffer != right_.recv.buffer;
        if (reduces(right_.what) && !buffer) return true;
        return right_.recv.buffer != MPI_IN_PLACE && (!buffer_at_root || is_root()) &&
               !without_result;
    }

    /// Whether the type of a block changes that has no elements: MPI may accept that.
    static bool is_empty(const Side& right, const Side& wrong) {
        const bool type_alone = right.types != wrong.types && right.counts == wrong.counts;
        return type_alone && !wrong.types.empty() && right.counts.front() == 0;
    }

    const CollectiveCall& right_;
    int rank_;
    std::vector<CollectiveFault> all_;
};

/// An ordinary collective.
inline Refusable refusable(const CollectiveCase& one_case, Form form, MPI_Comm comm,
                           MPI_Datatype uncommitted) {
    const auto collective = std::make_shared<CheckedCollective>(one_case);
    const auto right = collective->call();
    Refusable result{one_case.text + ", " + name_of(form),    form,
                     [=] { return made(right, form, comm); }, {},
                     [=] { return collective->fault(); },     [=] { return collective->effect(); }};
    const PossibleFaults possible(right, rank_in(comm), uncommitted);
    for (const auto& fault : possible.all()) {
        auto wrong = right;
        fault.spoil(wrong);
        result.wrong.push_back(
            {fault.name, fault.expected_error, [=] { return made(wrong, form, comm); }});
    }
    return result;
}

}  // namespace carpool::tests
