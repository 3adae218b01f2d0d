#pragma once

#include <carpool/cxx/buffer.hpp>
#include <carpool/cxx/request.hpp>
#include <carpool/cxx/settings.hpp>
#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>
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
/// says, one behind the other. Arrays of other lengths are an error, on all ranks of an init.
class Ghosts {
public:
    /// Makes a map by Carpool_Ghosts_create. owners and indices have an element for each ghost.
    /// @note Collective over comm.
    Ghosts(MPI_Comm comm, std::size_t owned, std::span<const int> owners,
           std::span<const MPI_Count> indices, const Settings& settings = {}) {
        const auto ghosts = owners.size() == indices.size() ? std::ssize(owners) : -1;
        check(Carpool_Ghosts_create(comm, static_cast<MPI_Count>(owned), ghosts, owners.data(),
                                    indices.data(), settings.info().get(), map_.address()),
              "Carpool_Ghosts_create");
        find_sizes();
    }

    /// Makes a map by Carpool_Ghosts_create_ranges, from global numbers. ranges has an element more
    /// than comm has ranks. @note Collective over comm.
    Ghosts(MPI_Comm comm, std::span<const MPI_Count> ranges, std::span<const MPI_Count> numbers,
           const Settings& settings = {}) {
        int ranks = 0;
        check(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
        const bool fits = std::ssize(ranges) == ranks + 1;
        check(
            Carpool_Ghosts_create_ranges(comm, fits ? ranges.data() : nullptr, std::ssize(numbers),
                                         numbers.data(), settings.info().get(), map_.address()),
            "Carpool_Ghosts_create_ranges");
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
        const auto [from, to, count, type] = sides(owned, ghosts, values);
        check(Carpool_Ghosts_update(from, to, count, type, get()), "Carpool_Ghosts_update");
    }

    /// The same, nonblocking. @note Collective.
    template <LastingValues Entries, LastingValues Copies>
    Pending iupdate(Entries&& owned, Copies&& ghosts, int values = 1) const {
        const auto [from, to, count, type] = sides(owned, ghosts, values);
        Pending pending;
        check(Carpool_Ighosts_update(from, to, count, type, get(), pending.address()),
              "Carpool_Ighosts_update");
        return pending;
    }

    /// The same as a persistent request. The arrays must stay where they are until it is destroyed.
    /// @note Collective.
    template <LastingValues Entries, LastingValues Copies>
    Request update_init(Entries&& owned, Copies&& ghosts, int values = 1,
                        const Settings& settings = {}) const {
        const auto [from, to, count, type] = sides(owned, ghosts, values);
        Request request;
        check(Carpool_Ghosts_update_init(from, to, count, type, get(), settings.info().get(),
                                         request.address()),
              "Carpool_Ghosts_update_init");
        return request;
    }

    /// Combines every entry with all its ghosts. @note Collective.
    template <LastingValues Copies, LastingValues Entries>
    void reduce(Copies&& ghosts, Entries&& owned, MPI_Op op, int values = 1) const {
        const auto [to, from, count, type] = sides(owned, ghosts, values);
        check(Carpool_Ghosts_reduce(from, to, count, type, op, get()), "Carpool_Ghosts_reduce");
    }

    /// The same, nonblocking. @note Collective.
    template <LastingValues Copies, LastingValues Entries>
    Pending ireduce(Copies&& ghosts, Entries&& owned, MPI_Op op, int values = 1) const {
        const auto [to, from, count, type] = sides(owned, ghosts, values);
        Pending pending;
        check(Carpool_Ighosts_reduce(from, to, count, type, op, get(), pending.address()),
              "Carpool_Ighosts_reduce");
        return pending;
    }

    /// The same as a persistent request. @note Collective.
    template <LastingValues Copies, LastingValues Entries>
    Request reduce_init(Copies&& ghosts, Entries&& owned, MPI_Op op, int values = 1,
                        const Settings& settings = {}) const {
        const auto [to, from, count, type] = sides(owned, ghosts, values);
        Request request;
        check(Carpool_Ghosts_reduce_init(from, to, count, type, op, get(), settings.info().get(),
                                         request.address()),
              "Carpool_Ghosts_reduce_init");
        return request;
    }

    Carpool_Ghosts get() const { return map_.get(); }

private:
    template <typename Entry, typename Copy>
    struct Sides {
        Entry* owned;
        Copy* ghosts;
        MPI_Count count;
        MPI_Datatype type;
    };

    /// What C takes. If an array has another length, the count is negative, which is refused.
    template <typename Entries, typename Copies>
    auto sides(Entries& owned, Copies& ghosts, int values) const {
        using T = std::ranges::range_value_t<Entries>;
        static_assert(std::is_same_v<T, std::ranges::range_value_t<Copies>>,
                      "both arrays have values of one type");
        const bool fits =
            std::ssize(owned) == owned_ * values && std::ssize(ghosts) == ghosts_ * values;
        return Sides{std::ranges::data(owned), std::ranges::data(ghosts),
                     fits ? values * length_of<T>() : MPI_Count{-1}, datatype_of<T>()};
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
