// SPDX-License-Identifier: MIT
#pragma once

#include "form.hpp"

#include <carpool/ghosts.h>

#include <vector>

namespace carpool::tests {

/// The arrays and types of an exchange, field by field.
struct GhostFields {
    std::vector<void*> owned;
    std::vector<void*> ghosts;
    std::vector<MPI_Count> counts;
    std::vector<MPI_Datatype> types;

    void add(void* owned_values, void* ghost_values, MPI_Count count, MPI_Datatype type) {
        owned.push_back(owned_values);
        ghosts.push_back(ghost_values);
        counts.push_back(count);
        types.push_back(type);
    }
    int fields() const { return static_cast<int>(owned.size()); }
};

/// A request of an exchange: MPI's, or Carpool's for a persistent one.
struct GhostRequest {
    MPI_Request mpi = MPI_REQUEST_NULL;
    Carpool_Request carpool = CARPOOL_REQUEST_NULL;

    int start() { return carpool != CARPOOL_REQUEST_NULL ? Carpool_Start(&carpool) : MPI_SUCCESS; }
    int wait() {
        if (carpool != CARPOOL_REQUEST_NULL) return Carpool_Wait(&carpool, MPI_STATUS_IGNORE);
        return mpi != MPI_REQUEST_NULL ? MPI_Wait(&mpi, MPI_STATUS_IGNORE) : MPI_SUCCESS;
    }
    void free() {
        if (carpool != CARPOOL_REQUEST_NULL) Carpool_Request_free(&carpool);
    }
};

/// Begins an update; a blocking one ends, and a persistent one is only made.
inline int begin_update(Form form, const GhostFields& f, Carpool_Ghosts map, GhostRequest& request,
                        MPI_Info info = MPI_INFO_NULL) {
    if (f.fields() == 1) {
        if (form == Form::blocking)
            return Carpool_Ghosts_update(f.owned[0], f.ghosts[0], f.counts[0], f.types[0], map);
        if (form == Form::nonblocking)
            return Carpool_Ighosts_update(f.owned[0], f.ghosts[0], f.counts[0], f.types[0], map,
                                          &request.mpi);
        return Carpool_Ghosts_update_init(f.owned[0], f.ghosts[0], f.counts[0], f.types[0], map,
                                          info, &request.carpool);
    }
    if (form == Form::blocking)
        return Carpool_Ghosts_update_fields(f.fields(), f.owned.data(), f.ghosts.data(),
                                            f.counts.data(), f.types.data(), map);
    if (form == Form::nonblocking)
        return Carpool_Ighosts_update_fields(f.fields(), f.owned.data(), f.ghosts.data(),
                                             f.counts.data(), f.types.data(), map, &request.mpi);
    return Carpool_Ghosts_update_fields_init(f.fields(), f.owned.data(), f.ghosts.data(),
                                             f.counts.data(), f.types.data(), map, info,
                                             &request.carpool);
}

/// Begins a reduction, likewise.
inline int begin_reduction(Form form, const GhostFields& f, MPI_Op op, Carpool_Ghosts map,
                           GhostRequest& request, MPI_Info info = MPI_INFO_NULL) {
    if (f.fields() == 1) {
        if (form == Form::blocking)
            return Carpool_Ghosts_reduce(f.ghosts[0], f.owned[0], f.counts[0], f.types[0], op, map);
        if (form == Form::nonblocking)
            return Carpool_Ighosts_reduce(f.ghosts[0], f.owned[0], f.counts[0], f.types[0], op, map,
                                          &request.mpi);
        return Carpool_Ghosts_reduce_init(f.ghosts[0], f.owned[0], f.counts[0], f.types[0], op, map,
                                          info, &request.carpool);
    }
    if (form == Form::blocking)
        return Carpool_Ghosts_reduce_fields(f.fields(), f.ghosts.data(), f.owned.data(),
                                            f.counts.data(), f.types.data(), op, map);
    if (form == Form::nonblocking)
        return Carpool_Ighosts_reduce_fields(f.fields(), f.ghosts.data(), f.owned.data(),
                                             f.counts.data(), f.types.data(), op, map,
                                             &request.mpi);
    return Carpool_Ghosts_reduce_fields_init(f.fields(), f.ghosts.data(), f.owned.data(),
                                             f.counts.data(), f.types.data(), op, map, info,
                                             &request.carpool);
}

}  // namespace carpool::tests
