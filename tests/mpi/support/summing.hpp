// SPDX-License-Identifier: MIT
#pragma once

#include "collective_case.hpp"
#include "reduction.hpp"

#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace carpool::tests {

/// A reduction, with the arguments that all its ranks know.
struct Summation {
    Collective what;
    int ranks;
    int root;
    bool in_place;
    bool irregular;  ///< a reduce_scatter whose blocks differ in size; some are empty
    int count;       ///< elements in a block
    Kind kind;
    unsigned seed;

    bool scatters() const { return kind_of(what) == collectives::Kind::reduce_scatter; }

    /// Number of elements in a rank's result.
    int count_of(int rank) const {
        const int choices[] = {0, count, 1, 2 * count + 1, 0, count / 2};
        const auto x = (seed + static_cast<unsigned>(rank)) * 2654435761u;
        return irregular && is_irregular(what) ? choices[x % 1021u % 6u] : count;
    }

    /// Offset of a rank's result among the elements of the input; for rank `ranks`, the length of
    /// the input.
    int first_of(int rank) const {
        int first = 0;
        for (int before = 0; before < rank && scatters(); ++before) first += count_of(before);
        return first;
    }
    int given() const { return scatters() ? first_of(ranks) : count; }

    std::string text() const {
        return std::string(name_of(what)) + " of " + std::to_string(count) +
               (irregular ? " or so" : "") + " (" + kind.name + "), root " + std::to_string(root) +
               (in_place ? ", in place" : "");
    }
};

/// Elements in a buffer, with poison in their holes and around them.
class Summands {
public:
    Summands(const Summation& s, int elements) : s_(s), extent_(extent_of(s.kind.type)) {
        bytes = poisoned(static_cast<std::size_t>(elements * extent_ + 2 * CollectiveCase::room));
    }

    std::byte* at(int i) { return bytes.data() + CollectiveCase::room + i * extent_; }

    /// The input of a rank.
    static Summands of(const Summation& s, int rank, int start) {
        Summands summands(s, s.given());
        for (int i = 0; i < s.given(); ++i) {
            const auto number = static_cast<std::uint32_t>(rank * 7919 + i * 104729 + start * 31);
            s.kind.write(summands.at(i), (number + s.seed) * 2654435761u);
        }
        return summands;
    }

    /// The result of folding ranks 0 to last, in this order.
    static Summands folded(const Summation& s, int last, int start) {
        auto result = of(s, last, start);
        for (int rank = last; rank-- > 0;) {
            auto left = of(s, rank, start);
            MPI_Reduce_local(left.at(0), result.at(0), s.given(), s.kind.type, s.kind.op);
        }
        return result;
    }

    /// Copies elements from another object, starting at element i.
    void take(Summands& from, int i, int count) {
        std::memcpy(at(0) - margin(), from.at(i) - margin(),
                    static_cast<std::size_t>(count * extent_));
    }

    Bytes bytes;

private:
    /// Distance from the first byte of an element to its address.
    MPI_Aint margin() const {
        MPI_Aint lb, extent;
        MPI_Type_get_extent(s_.kind.type, &lb, &extent);
        return -lb;
    }

    const Summation& s_;
    MPI_Aint extent_;
};

/// Does the rank have a result? Rank 0 has none after an exscan.
inline bool has_result(const Summation& s, int rank) {
    if (s.what == Collective::reduce) return rank == s.root;
    return s.what != Collective::exscan || rank > 0;
}

/// The last rank whose input is part of a rank's result.
inline int last_summand(const Summation& s, int rank) {
    if (s.what == Collective::scan) return rank;
    return s.what == Collective::exscan ? rank - 1 : s.ranks - 1;
}

/// The reduction as one rank sees it.
inline CollectiveCase summing(const Summation& s, int rank) {
    const bool in_place = s.in_place && sends_in_place(s.what, rank == s.root);
    const bool receives = s.what != Collective::reduce || rank == s.root;
    const int results = s.scatters() ? s.count_of(rank) : s.count;

    CollectiveCase one_case{s.text(), {s.what, {}, {}, s.root, s.kind.op}, s.kind.commutes};
    auto& call = one_case.call;
    call.recv.types = {s.kind.type};
    call.recv.counts = {s.count};
    if (s.what == Collective::reduce_scatter) {
        call.recv.counts.clear();
        for (int i = 0; i < s.ranks; ++i) call.recv.counts.push_back(s.count_of(i));
    }
    if (in_place) call.send.buffer = MPI_IN_PLACE;
    MPI_Aint lb, extent;
    MPI_Type_get_extent(s.kind.type, &lb, &extent);
    one_case.host_agrees = lb == 0;  // MPICH's reduce_scatter_block writes outside its buffer
    one_case.result_bytes = static_cast<std::size_t>(results * extent_of(s.kind.type));
    one_case.before = [=](int start) {
        Contents contents;
        if (!in_place) contents.send = Summands::of(s, rank, start).bytes;
        if (receives)
            contents.recv =
                in_place ? Summands::of(s, rank, start).bytes : Summands(s, results).bytes;
        return contents;
    };
    one_case.after = [=, before = one_case.before](int start) {
        auto contents = before(start);
        if (!has_result(s, rank)) return contents;
        auto sum = Summands::folded(s, last_summand(s, rank), start);
        Summands result(s, 0);
        result.bytes = contents.recv;
        result.take(sum, s.scatters() ? s.first_of(rank) : 0, results);
        contents.recv = result.bytes;
        return contents;
    };
    return one_case;
}

}  // namespace carpool::tests
