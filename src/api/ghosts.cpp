// SPDX-License-Identifier: MIT
#include "carpool/ghosts.h"

#include "api/check_init.hpp"
#include "api/forms.hpp"
#include "api/guarded.hpp"
#include "base/handle_table.hpp"
#include "neighbor/ghosts/ghost_creation.hpp"
#include "neighbor/ghosts/ghost_init.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

using namespace carpool;

namespace carpool::api {

namespace {

using SharedMap = std::shared_ptr<neighbor::RoutedMap>;

/// The maps of this process, by handle.
constinit base::HandleTable<SharedMap> maps(0xca83);

}  // namespace

/// An update or a reduction, whatever its form.
struct GhostCall {
    neighbor::GhostArguments arguments;
    SharedMap map;
    MPI_Comm comm;
};

std::unique_ptr<engine::Request> once(const GhostCall& call) {
    return neighbor::once(call.map, call.arguments);
}

std::shared_ptr<call::BoundCall> filled(const GhostCall& call) {
    return neighbor::filled(*call.map, call.arguments);
}

std::unique_ptr<engine::Request> initialised(const GhostCall& call, MPI_Info info, call::Return) {
    return neighbor::initialised(call.map, call.arguments, info);
}

}  // namespace carpool::api

namespace {

using api::GhostCall;
using neighbor::GhostArguments;

/// Throws MPI_ERR_ARG if the handle is not that of a map.
const api::SharedMap& checked(Carpool_Ghosts map) {
    const auto* const found = api::maps.find(api::number_of(map));
    if (found == nullptr)
        throw mpi::Error(MPI_ERR_ARG,
                         std::string("map is ") +
                             (map == CARPOOL_GHOSTS_NULL ? "CARPOOL_GHOSTS_NULL"
                                                         : "no Carpool_Ghosts, or has been freed") +
                             ", expected a map of ghosts");
    return *found;
}

/// Throws MPI_ERR_COMM if the communicator of the map has been freed, too.
const api::SharedMap& checked_in_use(Carpool_Ghosts map) {
    const auto& found = checked(map);
    if (!found->state->attached())
        throw mpi::Error(
            MPI_ERR_COMM,
            "the communicator of map has been freed, expected a map whose communicator exists");
    return found;
}

/// Makes a map. @param create  returns it
template <typename Create>
int create(const char* function, MPI_Comm comm, MPI_Info info, Carpool_Ghosts* map,
           const Create& create) {
    return api::guarded(function, comm, [&] {
        api::check_comm(comm, "comm");
        api::check_not_null("map", map, "the address of a map");
        arguments::warn_of_unknown_keys(info, comm);
        *map = reinterpret_cast<Carpool_Ghosts>(api::maps.add(create()));
    });
}

/// Runs a call in one of its forms, unless there is no map.
template <typename Form>
int called(const char* function, Carpool_Ghosts map, const GhostArguments& arguments,
           const Form& form) {
    GhostCall call{arguments, nullptr, MPI_COMM_NULL};
    const int code = api::guarded(function, MPI_COMM_NULL, [&] { call.map = checked_in_use(map); });
    if (code != MPI_SUCCESS) return code;
    call.comm = call.map->comm;
    return form(call);
}

int blocking(const char* function, Carpool_Ghosts map, const GhostArguments& arguments) {
    return called(function, map, arguments,
                  [&](const GhostCall& call) { return api::blocking(function, call); });
}

int nonblocking(const char* function, Carpool_Ghosts map, const GhostArguments& arguments,
                MPI_Request* request) {
    return called(function, map, arguments,
                  [&](const GhostCall& call) { return api::nonblocking(function, call, request); });
}

int persistent(const char* function, Carpool_Ghosts map, const GhostArguments& arguments,
               MPI_Info info, Carpool_Request* request) {
    return called(function, map, arguments, [&](const GhostCall& call) {
        return api::persistent(function, call, info, request);
    });
}

/// The lists of arrays of several fields.
struct SeveralFields {
    int fields;
    const void* const* owned_values;
    const void* const* ghost_values;
    const MPI_Count* counts;
    const MPI_Datatype* types;
    bool listed = true;

    GhostArguments update() const {
        return {.reduces = false,
                .listed = listed,
                .fields = fields,
                .owned_values = owned_values,
                .ghost_values = ghost_values,
                .counts = counts,
                .types = types};
    }
    GhostArguments reduce(MPI_Op op) const {
        auto arguments = update();
        arguments.reduces = true;
        arguments.op = op;
        return arguments;
    }
};

/// The arrays of a single field.
struct OneField {
    const void* owned_values;
    const void* ghost_values;
    MPI_Count count;
    MPI_Datatype type;

    GhostArguments update() const { return alone().update(); }
    GhostArguments reduce(MPI_Op op) const { return alone().reduce(op); }

private:
    SeveralFields alone() const { return {1, &owned_values, &ghost_values, &count, &type, false}; }
};

/// Neighbors::targets or Neighbors::sources.
using ListOfNeighbors =
    const std::vector<ghosts::Neighbor>& (ghosts::Neighbors::*)(const ghosts::GhostMap&);

/// The arguments that receive a neighbor.
struct NeighborOutput {
    int* rank;
    MPI_Count* count;
    MPI_Count maxindices;
    MPI_Count* indices;
    const char* name_of_indices;
};

/// Gives one of a rank's neighbors.
int get_neighbor(const char* function, Carpool_Ghosts map, ListOfNeighbors neighbors, int index,
                 const NeighborOutput& output) {
    const auto& [rank, count, maxindices, indices, name_of_indices] = output;
    return api::guarded(function, MPI_COMM_NULL, [&] {
        auto& found = *checked(map);
        const auto& all = (found.neighbors.*neighbors)(found.part);
        if (index < 0 || index >= std::ssize(all))
            throw mpi::Error(MPI_ERR_ARG, "index is " + std::to_string(index) +
                                              ", expected at least 0 and less than " +
                                              std::to_string(all.size()));
        api::check_not_null("rank", rank, "the address of an int");
        api::check_not_null("count", count, "the address of an MPI_Count");
        mpi::check_at_least("maxindices", maxindices, 0, MPI_ERR_ARG);
        if (maxindices > 0) api::check_not_null(name_of_indices, indices, "an array");
        const auto& neighbor = all[static_cast<std::size_t>(index)];
        *rank = neighbor.rank;
        *count = std::ssize(neighbor.indices);
        std::copy_n(neighbor.indices.begin(), std::min(*count, maxindices), indices);
    });
}

}  // namespace

int Carpool_Ghosts_create(MPI_Comm comm, MPI_Count owned, MPI_Count ghosts, const int owners[],
                          const MPI_Count indices[], MPI_Info info, Carpool_Ghosts* map) {
    return create(__func__, comm, info, map, [&] {
        return neighbor::created(comm, neighbor::GhostsByOwner{owned, ghosts, owners, indices},
                                 info);
    });
}

int Carpool_Ghosts_create_ranges(MPI_Comm comm, const MPI_Count ranges[], MPI_Count ghosts,
                                 const MPI_Count numbers[], MPI_Info info, Carpool_Ghosts* map) {
    return create(__func__, comm, info, map, [&] {
        return neighbor::created(comm, neighbor::GhostsByNumber{ranges, ghosts, numbers}, info);
    });
}

int Carpool_Ghosts_get(Carpool_Ghosts map, MPI_Count* owned, MPI_Count* ghosts, int* targets,
                       int* sources) {
    return api::guarded(__func__, MPI_COMM_NULL, [&] {
        auto& found = *checked(map);
        api::check_not_null("owned", owned, "the address of an MPI_Count");
        api::check_not_null("ghosts", ghosts, "the address of an MPI_Count");
        api::check_not_null("targets", targets, "the address of an int");
        api::check_not_null("sources", sources, "the address of an int");
        *owned = found.entry_count;
        *ghosts = found.ghost_count;
        *targets = static_cast<int>(found.neighbors.targets(found.part).size());
        *sources = static_cast<int>(found.neighbors.sources(found.part).size());
    });
}

int Carpool_Ghosts_get_target(Carpool_Ghosts map, int index, int* rank, MPI_Count* count,
                              MPI_Count maxindices, MPI_Count indices[]) {
    return get_neighbor(__func__, map, &ghosts::Neighbors::targets, index,
                        {rank, count, maxindices, indices, "indices"});
}

int Carpool_Ghosts_get_source(Carpool_Ghosts map, int index, int* rank, MPI_Count* count,
                              MPI_Count maxindices, MPI_Count positions[]) {
    return get_neighbor(__func__, map, &ghosts::Neighbors::sources, index,
                        {rank, count, maxindices, positions, "positions"});
}

int Carpool_Ghosts_free(Carpool_Ghosts* map) {
    return api::guarded(__func__, MPI_COMM_NULL, [&] {
        api::check_not_null("map", map, "the address of a map");
        checked(*map);
        api::maps.take(api::number_of(std::exchange(*map, CARPOOL_GHOSTS_NULL)));
    });
}

int Carpool_Ghosts_update(const void* owned_values, void* ghost_values, MPI_Count count,
                          MPI_Datatype type, Carpool_Ghosts map) {
    const OneField field{owned_values, ghost_values, count, type};
    return blocking(__func__, map, field.update());
}

int Carpool_Ighosts_update(const void* owned_values, void* ghost_values, MPI_Count count,
                           MPI_Datatype type, Carpool_Ghosts map, MPI_Request* request) {
    const OneField field{owned_values, ghost_values, count, type};
    return nonblocking(__func__, map, field.update(), request);
}

int Carpool_Ghosts_update_init(const void* owned_values, void* ghost_values, MPI_Count count,
                               MPI_Datatype type, Carpool_Ghosts map, MPI_Info info,
                               Carpool_Request* request) {
    const OneField field{owned_values, ghost_values, count, type};
    return persistent(__func__, map, field.update(), info, request);
}

int Carpool_Ghosts_reduce(const void* ghost_values, void* owned_values, MPI_Count count,
                          MPI_Datatype type, MPI_Op op, Carpool_Ghosts map) {
    const OneField field{owned_values, ghost_values, count, type};
    return blocking(__func__, map, field.reduce(op));
}

int Carpool_Ighosts_reduce(const void* ghost_values, void* owned_values, MPI_Count count,
                           MPI_Datatype type, MPI_Op op, Carpool_Ghosts map, MPI_Request* request) {
    const OneField field{owned_values, ghost_values, count, type};
    return nonblocking(__func__, map, field.reduce(op), request);
}

int Carpool_Ghosts_reduce_init(const void* ghost_values, void* owned_values, MPI_Count count,
                               MPI_Datatype type, MPI_Op op, Carpool_Ghosts map, MPI_Info info,
                               Carpool_Request* request) {
    const OneField field{owned_values, ghost_values, count, type};
    return persistent(__func__, map, field.reduce(op), info, request);
}

int Carpool_Ghosts_update_fields(int fields, const void* const owned_values[],
                                 void* const ghost_values[], const MPI_Count counts[],
                                 const MPI_Datatype types[], Carpool_Ghosts map) {
    const SeveralFields all{fields, owned_values, ghost_values, counts, types};
    return blocking(__func__, map, all.update());
}

int Carpool_Ighosts_update_fields(int fields, const void* const owned_values[],
                                  void* const ghost_values[], const MPI_Count counts[],
                                  const MPI_Datatype types[], Carpool_Ghosts map,
                                  MPI_Request* request) {
    const SeveralFields all{fields, owned_values, ghost_values, counts, types};
    return nonblocking(__func__, map, all.update(), request);
}

int Carpool_Ghosts_update_fields_init(int fields, const void* const owned_values[],
                                      void* const ghost_values[], const MPI_Count counts[],
                                      const MPI_Datatype types[], Carpool_Ghosts map, MPI_Info info,
                                      Carpool_Request* request) {
    const SeveralFields all{fields, owned_values, ghost_values, counts, types};
    return persistent(__func__, map, all.update(), info, request);
}

int Carpool_Ghosts_reduce_fields(int fields, const void* const ghost_values[],
                                 void* const owned_values[], const MPI_Count counts[],
                                 const MPI_Datatype types[], MPI_Op op, Carpool_Ghosts map) {
    const SeveralFields all{fields, owned_values, ghost_values, counts, types};
    return blocking(__func__, map, all.reduce(op));
}

int Carpool_Ighosts_reduce_fields(int fields, const void* const ghost_values[],
                                  void* const owned_values[], const MPI_Count counts[],
                                  const MPI_Datatype types[], MPI_Op op, Carpool_Ghosts map,
                                  MPI_Request* request) {
    const SeveralFields all{fields, owned_values, ghost_values, counts, types};
    return nonblocking(__func__, map, all.reduce(op), request);
}

int Carpool_Ghosts_reduce_fields_init(int fields, const void* const ghost_values[],
                                      void* const owned_values[], const MPI_Count counts[],
                                      const MPI_Datatype types[], MPI_Op op, Carpool_Ghosts map,
                                      MPI_Info info, Carpool_Request* request) {
    const SeveralFields all{fields, owned_values, ghost_values, counts, types};
    return persistent(__func__, map, all.reduce(op), info, request);
}
