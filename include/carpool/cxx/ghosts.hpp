// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/cxx/buffer.hpp>
#include <carpool/cxx/ghost_fields.hpp>
#include <carpool/cxx/request.hpp>
#include <carpool/cxx/settings.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace carpool {

namespace detail {

struct GhostsKind {
    using Handle = Carpool_Ghosts;
    static Handle none() { return CARPOOL_GHOSTS_NULL; }
    static void give_back(Handle* map) { Carpool_Ghosts_free(map); }
};

}  // namespace detail

/// A rank with which this one exchanges the values of ghosts.
struct GhostNeighbor {
    int rank;
    std::vector<MPI_Count> indices;  ///< indices of entries, or positions of ghosts; ascending
};

/// A map of ghosts: copies of entries that other ranks own (ghosts.h). The destructor frees it.
///
///     const carpool::Ghosts ghosts(comm, x.size(), owners, indices);
///     ghosts.update(x, x_ghosts);             // owners' values to ghosts
///     ghosts.reduce(y_ghosts, y, MPI_SUM);    // ghosts added to owners' values
///
/// The arrays of an exchange have one value for each entry and each ghost, or as many as `values`
/// says, one behind the other. Arrays of other lengths are an error, on all ranks of an init; other
/// ranks than that of the mistake are told of a negative count.
class Ghosts {
public:
    /// Makes a map by Carpool_Ghosts_create. owners and indices have an element for each ghost.
    /// @note Collective over comm.
    Ghosts(MPI_Comm comm, std::size_t owned, std::span<const int> owners,
           std::span<const MPI_Count> indices, const Settings& settings = {}) {
        std::string mistake;
        if (owners.size() != indices.size())
            mistake = std::to_string(owners.size()) + " owners and " +
                      std::to_string(indices.size()) +
                      " indices, expected one of each for every ghost";
        check(Carpool_Ghosts_create(comm, static_cast<MPI_Count>(owned),
                                    mistake.empty() ? std::ssize(owners) : -1, owners.data(),
                                    indices.data(), settings.info().get(), map_.address()),
              "Carpool_Ghosts_create", mistake);
        find_sizes();
    }

    /// Makes a map by Carpool_Ghosts_create_ranges, from global numbers. ranges has an element more
    /// than comm has ranks. @note Collective over comm.
    Ghosts(MPI_Comm comm, std::span<const MPI_Count> ranges, std::span<const MPI_Count> numbers,
           const Settings& settings = {}) {
        int ranks = 0;
        check(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
        std::string mistake;
        if (std::ssize(ranges) != ranks + 1)
            mistake = "ranges of " + std::to_string(ranges.size()) + " elements, expected " +
                      std::to_string(ranks + 1) + ", one more than there are ranks";
        check(Carpool_Ghosts_create_ranges(comm, mistake.empty() ? ranges.data() : nullptr,
                                           std::ssize(numbers), numbers.data(),
                                           settings.info().get(), map_.address()),
              "Carpool_Ghosts_create_ranges", mistake);
        find_sizes();
    }

    /// The number of entries that this rank owns.
    MPI_Count owned() const { return owned_; }
    /// The number of its ghosts.
    MPI_Count size() const { return ghosts_; }

    /// The ranks that have ghosts of this rank's entries, ascending, with the indices of these.
    std::vector<GhostNeighbor> targets() const {
        return neighbors(targets_, Carpool_Ghosts_get_target, "Carpool_Ghosts_get_target");
    }
    /// The ranks that own this rank's ghosts, ascending, with the positions of these.
    std::vector<GhostNeighbor> sources() const {
        return neighbors(sources_, Carpool_Ghosts_get_source, "Carpool_Ghosts_get_source");
    }

    /// Gives every ghost the value of its entry. @note Collective.
    template <LastingValues Entries, LastingValues Copies>
    void update(Entries&& owned, Copies&& ghosts, int values = 1) const {
        const GhostField field(owned, ghosts, values);
        const auto mistake = field.mistake(owned_, ghosts_);
        check(Carpool_Ghosts_update(field.from(), field.to(), counted(field, mistake), field.type(),
                                    get()),
              "Carpool_Ghosts_update", mistake);
    }

    /// The same, nonblocking. The arrays must stay where they are until the call has ended.
    /// @note Collective.
    template <LastingValues Entries, LastingValues Copies>
    Pending iupdate(Entries&& owned, Copies&& ghosts, int values = 1) const {
        const GhostField field(owned, ghosts, values);
        const auto mistake = field.mistake(owned_, ghosts_);
        Pending pending;
        check(Carpool_Ighosts_update(field.from(), field.to(), counted(field, mistake),
                                     field.type(), get(), pending.address()),
              "Carpool_Ighosts_update", mistake);
        return pending;
    }

    /// The same as a persistent request. The arrays must stay where they are until the request is
    /// destroyed. @note Collective.
    template <LastingValues Entries, LastingValues Copies>
    Request update_init(Entries&& owned, Copies&& ghosts, int values = 1,
                        const Settings& settings = {}) const {
        const GhostField field(owned, ghosts, values);
        const auto mistake = field.mistake(owned_, ghosts_);
        Request request;
        check(Carpool_Ghosts_update_init(field.from(), field.to(), counted(field, mistake),
                                         field.type(), get(), settings.info().get(),
                                         request.address()),
              "Carpool_Ghosts_update_init", mistake);
        return request;
    }

    /// Combines every entry with all its ghosts. @note Collective.
    template <LastingValues Copies, LastingValues Entries>
    void reduce(Copies&& ghosts, Entries&& owned, MPI_Op op, int values = 1) const {
        const GhostField field(ghosts, owned, values);
        const auto mistake = field.mistake(ghosts_, owned_);
        check(Carpool_Ghosts_reduce(field.from(), field.to(), counted(field, mistake), field.type(),
                                    op, get()),
              "Carpool_Ghosts_reduce", mistake);
    }

    /// The same, nonblocking. The arrays must stay where they are until the call has ended.
    /// @note Collective.
    template <LastingValues Copies, LastingValues Entries>
    Pending ireduce(Copies&& ghosts, Entries&& owned, MPI_Op op, int values = 1) const {
        const GhostField field(ghosts, owned, values);
        const auto mistake = field.mistake(ghosts_, owned_);
        Pending pending;
        check(Carpool_Ighosts_reduce(field.from(), field.to(), counted(field, mistake),
                                     field.type(), op, get(), pending.address()),
              "Carpool_Ighosts_reduce", mistake);
        return pending;
    }

    /// The same as a persistent request. The arrays must stay where they are until the request is
    /// destroyed. @note Collective.
    template <LastingValues Copies, LastingValues Entries>
    Request reduce_init(Copies&& ghosts, Entries&& owned, MPI_Op op, int values = 1,
                        const Settings& settings = {}) const {
        const GhostField field(ghosts, owned, values);
        const auto mistake = field.mistake(ghosts_, owned_);
        Request request;
        check(Carpool_Ghosts_reduce_init(field.from(), field.to(), counted(field, mistake),
                                         field.type(), op, get(), settings.info().get(),
                                         request.address()),
              "Carpool_Ghosts_reduce_init", mistake);
        return request;
    }

    // The same for several fields in one exchange. The arrays must stay where they are, as above;
    // the GhostFields are not needed afterwards.

    /// Gives every ghost of every field the value of its entry. @note Collective.
    void update(const GhostFields& fields) const {
        const auto mistake = fields.mistake(owned_, ghosts_);
        check(Carpool_Ghosts_update_fields(counted(fields, mistake), fields.from(), fields.to(),
                                           fields.counts(), fields.types(), get()),
              "Carpool_Ghosts_update_fields", mistake);
    }

    /// The same, nonblocking. @note Collective.
    Pending iupdate(const GhostFields& fields) const {
        const auto mistake = fields.mistake(owned_, ghosts_);
        Pending pending;
        check(Carpool_Ighosts_update_fields(counted(fields, mistake), fields.from(), fields.to(),
                                            fields.counts(), fields.types(), get(),
                                            pending.address()),
              "Carpool_Ighosts_update_fields", mistake);
        return pending;
    }

    /// The same as a persistent request. @note Collective.
    Request update_init(const GhostFields& fields, const Settings& settings = {}) const {
        const auto mistake = fields.mistake(owned_, ghosts_);
        Request request;
        check(Carpool_Ghosts_update_fields_init(counted(fields, mistake), fields.from(),
                                                fields.to(), fields.counts(), fields.types(), get(),
                                                settings.info().get(), request.address()),
              "Carpool_Ghosts_update_fields_init", mistake);
        return request;
    }

    /// Combines every entry of every field with all its ghosts. @note Collective.
    void reduce(const GhostFields& fields, MPI_Op op) const {
        const auto mistake = fields.mistake(ghosts_, owned_);
        check(Carpool_Ghosts_reduce_fields(counted(fields, mistake), fields.from(), fields.to(),
                                           fields.counts(), fields.types(), op, get()),
              "Carpool_Ghosts_reduce_fields", mistake);
    }

    /// The same, nonblocking. @note Collective.
    Pending ireduce(const GhostFields& fields, MPI_Op op) const {
        const auto mistake = fields.mistake(ghosts_, owned_);
        Pending pending;
        check(Carpool_Ighosts_reduce_fields(counted(fields, mistake), fields.from(), fields.to(),
                                            fields.counts(), fields.types(), op, get(),
                                            pending.address()),
              "Carpool_Ighosts_reduce_fields", mistake);
        return pending;
    }

    /// The same as a persistent request. @note Collective.
    Request reduce_init(const GhostFields& fields, MPI_Op op, const Settings& settings = {}) const {
        const auto mistake = fields.mistake(ghosts_, owned_);
        Request request;
        check(Carpool_Ghosts_reduce_fields_init(counted(fields, mistake), fields.from(),
                                                fields.to(), fields.counts(), fields.types(), op,
                                                get(), settings.info().get(), request.address()),
              "Carpool_Ghosts_reduce_fields_init", mistake);
        return request;
    }

    Carpool_Ghosts get() const { return map_.get(); }

private:
    // After a mistake C is given a negative number, so that all ranks of an init hear of it.

    static MPI_Count counted(const GhostField& field, const std::string& mistake) {
        return mistake.empty() ? field.count() : -1;
    }
    static int counted(const GhostFields& fields, const std::string& mistake) {
        return mistake.empty() ? fields.size() : -1;
    }

    using Get = int(Carpool_Ghosts, int, int*, MPI_Count*, MPI_Count, MPI_Count*);

    std::vector<GhostNeighbor> neighbors(int number, Get get_one, const char* call) const {
        std::vector<GhostNeighbor> all;
        for (int i = 0; i < number; ++i) {
            MPI_Count count = 0;
            auto& [rank, indices] = all.emplace_back();
            check(get_one(get(), i, &rank, &count, 0, nullptr), call);
            indices.resize(static_cast<std::size_t>(count));
            check(get_one(get(), i, &rank, &count, count, indices.data()), call);
        }
        return all;
    }

    void find_sizes() {
        check(Carpool_Ghosts_get(get(), &owned_, &ghosts_, &targets_, &sources_),
              "Carpool_Ghosts_get");
    }

    detail::Owned<detail::GhostsKind> map_;
    MPI_Count owned_ = 0;
    MPI_Count ghosts_ = 0;
    int targets_ = 0;
    int sources_ = 0;
};

}  // namespace carpool
