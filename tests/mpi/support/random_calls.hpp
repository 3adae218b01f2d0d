// SPDX-License-Identifier: MIT
#pragma once

#include "current_step.hpp"
#include "handles.hpp"
#include "int_layouts.hpp"
#include "world.hpp"

#include <carpool/carpool.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

/// Random blocking and nonblocking calls on random communicators; all ranks draw the same.
class RandomCalls {
public:
    explicit RandomCalls(std::mt19937 random) : random_(random) {
        for (auto& place : places_) renew(place);
    }

    /// Makes the next call, on the ranks of some communicator. Returns what is wrong on this rank.
    std::string call(int number) {
        if (number % 25 == 0) renew(places_[below(places_.size())]);
        const auto& place = places_[below(places_.size())];
        const auto what = below(kinds.size());
        const Draws draws{number, static_cast<std::uint32_t>(random_())};
        note_step(std::string(kinds[what].name) + ", call " + std::to_string(number));
        if (!place) return "";
        const auto wrong = kinds[what].run(Scene{*place, draws, layouts_});
        return wrong.empty() ? "" : kinds[what].name + (", call " + std::to_string(number)) + wrong;
    }

private:
    /// A communicator of some ranks, and a ring of the same ranks.
    struct Place {
        Place(Comm all, Comm as_ring) : comm(std::move(all)), ring(std::move(as_ring)) {}
        Comm comm, ring;
    };

    /// The random choices of a call, which all ranks know.
    struct Draws {
        int number;
        std::uint32_t bits;

        std::uint32_t of(int a, int b, std::uint32_t below) const {
            auto hash =
                bits + 977u * static_cast<std::uint32_t>(a) + 131u * static_cast<std::uint32_t>(b);
            for (int i = 0; i < 2; ++i) hash = (hash ^ hash >> 15) * 2654435761u;
            return (hash >> 4) % below;
        }

        /// Ints in the block from one rank to another, a multiple of the number of ints of each
        /// layout.
        int block(int from, int to) const {
            const auto most = of(-1, -1, 8) == 0 ? 400u : 12u;
            return static_cast<int>(of(from, to, most)) * Layouts::common_ints;
        }
        int letter(int from, int to) const { return (31 * from + 7 * to + number) % 100003; }
        bool nonblocking() const { return of(-2, 0, 3) == 0; }
        int root(int ranks) const {
            return static_cast<int>(of(-3, 0, static_cast<std::uint32_t>(ranks)));
        }
        std::size_t layout(int rank, int side) const {
            return of(rank + 100, side, Layouts::number);
        }
    };

    struct Scene {
        const Place& place;
        const Draws& draws;
        const Layouts& layouts;

        int ranks() const { return size_of(place.comm); }
        int rank() const { return rank_in(place.comm); }
        int root() const { return draws.root(ranks()); }
        bool is_root() const { return rank() == root(); }
        const IntLayout& send() const { return layouts[draws.layout(rank(), 0)]; }
        const IntLayout& recv() const { return layouts[draws.layout(rank(), 1)]; }

        /// Blocks to all of these ranks, or from them, each at some distance from the last.
        /// @param length  ints in a rank's block @param letter  their value
        template <typename Length, typename Letter>
        Blocks blocks(const IntLayout& layout, const std::vector<int>& others, Length length,
                      Letter letter) const {
            Blocks result(layout, draws.of(rank(), 5, 64));
            for (const int other : others) result.add(length(other), letter(other));
            return result;
        }

        /// A single block, at the beginning of its buffer.
        Blocks block(const IntLayout& layout, int ints, int letter) const {
            Blocks result(layout, draws.of(rank(), 5, 64));
            result.add_behind(ints, letter);
            return result;
        }

        std::vector<int> all() const {
            std::vector<int> ranks;
            for (int i = 0; i < this->ranks(); ++i) ranks.push_back(i);
            return ranks;
        }

        /// Makes the blocking call, or the nonblocking one and waits for it.
        template <typename Blocking, typename Nonblocking, typename... Arguments>
        int made(Blocking blocking, Nonblocking nonblocking, Arguments... arguments) const {
            if (!draws.nonblocking()) return blocking(arguments...);
            MPI_Request request = MPI_REQUEST_NULL;
            const int code = nonblocking(arguments..., &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            return code;
        }
    };

    struct Kind {
        std::string name;
        std::function<std::string(const Scene&)> run;
    };

    static std::string ended(int code, const Blocks& received) {
        if (code != MPI_SUCCESS) return ": code " + std::to_string(code);
        return received.are_right() ? "" : ": wrong bytes";
    }

    static std::string bcast(const Scene& s) {
        const int root = s.root();
        auto one = s.block(s.send(), s.draws.block(0, 0), s.draws.letter(root, 0));
        s.is_root() ? one.fill() : one.poison();
        return ended(s.made(Carpool_Bcast, Carpool_Ibcast, one.buffer(), one.counts()[0],
                            one.type(), root, MPI_Comm(s.place.comm)),
                     one);
    }

    static std::string alltoallv(const Scene& s) { return alltoallv_on(s, false); }
    static std::string neighbor_alltoallv(const Scene& s) { return alltoallv_on(s, true); }

    /// An alltoallv among all ranks, or with the two neighbors on a ring.
    static std::string alltoallv_on(const Scene& s, bool ring) {
        const int me = s.rank(), ranks = s.ranks();
        const std::vector<int> beside{(me + ranks - 1) % ranks, (me + 1) % ranks};
        const auto others = ring ? beside : s.all();
        auto sent = s.blocks(
            s.send(), others, [&](int to) { return s.draws.block(me, to); },
            [&](int to) { return s.draws.letter(me, to); });
        auto come = s.blocks(
            s.recv(), others, [&](int from) { return s.draws.block(from, me); },
            [&](int from) { return s.draws.letter(from, me); });
        sent.fill();
        come.poison();
        const auto exchange = [&](auto blocking, auto nonblocking, MPI_Comm comm) {
            return s.made(blocking, nonblocking, sent.buffer(), sent.counts(), sent.displs(),
                          sent.type(), come.buffer(), come.counts(), come.displs(), come.type(),
                          comm);
        };
        return ended(
            ring ? exchange(Carpool_Neighbor_alltoallv, Carpool_Ineighbor_alltoallv, s.place.ring)
                 : exchange(Carpool_Alltoallv, Carpool_Ialltoallv, s.place.comm),
            come);
    }

    static std::string allgatherv(const Scene& s) {
        const int me = s.rank();
        auto own = s.block(s.send(), s.draws.block(me, 0), s.draws.letter(me, 0));
        auto come = s.blocks(
            s.recv(), s.all(), [&](int from) { return s.draws.block(from, 0); },
            [&](int from) { return s.draws.letter(from, 0); });
        own.fill();
        come.poison();
        return ended(s.made(Carpool_Allgatherv, Carpool_Iallgatherv, own.buffer(), own.counts()[0],
                            own.type(), come.buffer(), come.counts(), come.displs(), come.type(),
                            MPI_Comm(s.place.comm)),
                     come);
    }

    static std::string gatherv(const Scene& s) {
        const int root = s.root();
        const auto length = [&](int rank) { return s.draws.block(rank, root); };
        const auto letter = [&](int rank) { return s.draws.letter(rank, root); };
        auto own = s.block(s.send(), length(s.rank()), letter(s.rank()));
        auto all = s.blocks(s.recv(), s.all(), length, letter);
        own.fill();
        s.is_root() ? all.poison() : all.fill();
        return ended(s.made(Carpool_Gatherv, Carpool_Igatherv, own.buffer(), own.counts()[0],
                            own.type(), all.buffer(), all.counts(), all.displs(), all.type(), root,
                            MPI_Comm(s.place.comm)),
                     all);
    }

    static std::string scatterv(const Scene& s) {
        const int root = s.root();
        const auto length = [&](int rank) { return s.draws.block(root, rank); };
        const auto letter = [&](int rank) { return s.draws.letter(root, rank); };
        auto all = s.blocks(s.send(), s.all(), length, letter);
        auto own = s.block(s.recv(), length(s.rank()), letter(s.rank()));
        all.fill();
        own.poison();
        return ended(s.made(Carpool_Scatterv, Carpool_Iscatterv, all.buffer(), all.counts(),
                            all.displs(), all.type(), own.buffer(), own.counts()[0], own.type(),
                            root, MPI_Comm(s.place.comm)),
                     own);
    }

    /// Contiguous blocks of the same size.
    static std::string alltoall(const Scene& s) {
        const int me = s.rank(), ints = s.draws.block(0, 0);
        Blocks sent(s.send(), s.draws.of(me, 5, 64)), come(s.recv(), s.draws.of(me, 6, 64));
        for (int i = 0; i < s.ranks(); ++i) {
            sent.add_behind(ints, s.draws.letter(me, i));
            come.add_behind(ints, s.draws.letter(i, me));
        }
        sent.fill();
        come.poison();
        return ended(s.made(Carpool_Alltoall, Carpool_Ialltoall, sent.buffer(), sent.counts()[0],
                            sent.type(), come.buffer(), come.counts()[0], come.type(),
                            MPI_Comm(s.place.comm)),
                     come);
    }

    static std::string allreduce(const Scene& s) {
        const int ranks = s.ranks(), number = static_cast<int>(s.draws.of(1, 1, 300));
        const int all = ranks * (ranks - 1) / 2 + ranks * s.draws.number;
        Blocks sent(s.layouts[0], s.draws.of(s.rank(), 5, 64));
        Blocks sum(s.layouts[0], s.draws.of(s.rank(), 6, 64));
        sent.add(number, s.rank() + s.draws.number, 0);
        sum.add(number, all, 0);
        sent.fill();
        sum.poison();
        return ended(s.made(Carpool_Allreduce, Carpool_Iallreduce, sent.buffer(), sum.buffer(),
                            number, MPI_INT, MPI_SUM, MPI_Comm(s.place.comm)),
                     sum);
    }

    inline static const std::vector<Kind> kinds{{"bcast", bcast},
                                                {"alltoallv", alltoallv},
                                                {"neighbor_alltoallv", neighbor_alltoallv},
                                                {"allgatherv", allgatherv},
                                                {"gatherv", gatherv},
                                                {"scatterv", scatterv},
                                                {"alltoall", alltoall},
                                                {"allreduce", allreduce}};

    std::size_t below(std::size_t most) { return random_() % most; }

    /// Chooses at least one rank, in another order than in MPI_COMM_WORLD; other ranks get no
    /// place.
    void renew(std::optional<Place>& place) {
        place.reset();
        const auto ranks = static_cast<std::size_t>(world_size());
        const auto most = 1 + below(ranks), first = below(ranks);
        const auto key = static_cast<int>(below(101));
        const bool is_in = (static_cast<std::size_t>(world_rank()) + first) % ranks < most;
        MPI_Comm comm = MPI_COMM_NULL, ring = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, is_in ? 0 : MPI_UNDEFINED, (world_rank() * 37 + key) % 101,
                       &comm);
        if (!is_in) return;
        const int me = rank_in(comm), size = size_of(comm);
        const int beside[] = {(me + size - 1) % size, (me + 1) % size};
        MPI_Dist_graph_create_adjacent(comm, 2, beside, MPI_UNWEIGHTED, 2, beside, MPI_UNWEIGHTED,
                                       MPI_INFO_NULL, 0, &ring);
        place.emplace(Comm(comm), Comm(ring));
    }

    std::mt19937 random_;
    Layouts layouts_;
    std::array<std::optional<Place>, 4> places_;
};

}  // namespace carpool::tests
