// SPDX-License-Identifier: MIT
#pragma once

#include "buffers.hpp"
#include "call.hpp"
#include "coordinates.hpp"
#include "handles.hpp"
#include "world.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace carpool::tests {

/// An operator with a type it reduces, and a function that writes an element whose value depends on
/// a number.
struct Kind {
    std::string name;
    MPI_Datatype type;
    MPI_Op op;
    bool commutes;
    void (*write)(std::byte* element, std::uint32_t number);
};

/// A reduction, for both Carpool and the oracle.
struct Reduction {
    Torus torus;
    Pattern pattern;
    Kind kind;
    bool scatters;  ///< reduce_scatter_block if true, otherwise reduce
    int count;
    const Neighbors* edges = nullptr;  ///< a graph's, instead of torus and pattern

    int blocks() const {
        const int t = edges ? static_cast<int>(edges->targets.size()) : pattern.t();
        return scatters ? t : 1;
    }
    Neighbors neighbors(int rank) const {
        return edges ? *edges : neighbors_of(rank, torus, pattern);
    }
    std::string text() const {
        return std::string(scatters ? "reduce_scatter_block" : "reduce") + " of " +
               std::to_string(count) + " " + kind.name + ", " + pattern.name;
    }
};

/// Elements of a type, with poison in their holes and around them. Element i is at(i).
class Elements {
public:
    Elements(MPI_Datatype type, int count)
        : extent_(extent_of(type)),
          bytes_(static_cast<std::size_t>(extent_ * count + 2 * guard), poison) {}

    std::byte* at(int i) { return bytes_.data() + guard + i * extent_; }
    friend bool operator==(const Elements&, const Elements&) = default;

private:
    static constexpr MPI_Aint guard = 64;
    static constexpr std::byte poison{0xA5};

    MPI_Aint extent_;
    std::vector<std::byte> bytes_;
};

inline Elements operands(const Reduction& r, int rank, int start) {
    Elements elements(r.kind.type, r.blocks() * r.count);
    for (int i = 0; i < r.blocks() * r.count; ++i) {
        const auto number = static_cast<std::uint32_t>(rank * 7919 + i * 104729 + start * 31);
        r.kind.write(elements.at(i), number * 2654435761u);
    }
    return elements;
}

/// The reference: receives every source's block by one MPI_Irecv and MPI_Isend with tag = position,
/// then folds them in the order of positions. Does not use Carpool.
/// @note Collective over comm.
inline Elements reduced_naively(const Reduction& r, Elements send, MPI_Comm comm) {
    const auto neighbors = r.neighbors(rank_in(comm));
    const auto sources = neighbors.sources.size();
    std::vector<Elements> received(sources, Elements(r.kind.type, r.count));
    std::vector<MPI_Request> requests;
    for (std::size_t i = 0; i < sources; ++i)
        MPI_Irecv(received[i].at(0), r.count, r.kind.type, neighbors.sources[i],
                  neighbors.source_tags[i], comm, &requests.emplace_back());
    for (std::size_t i = 0; i < neighbors.targets.size(); ++i)
        MPI_Isend(send.at(r.scatters ? static_cast<int>(i) * r.count : 0), r.count, r.kind.type,
                  neighbors.targets[i], neighbors.target_tags[i], comm, &requests.emplace_back());
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    Elements result(r.kind.type, r.count);
    bool first = true;
    for (auto at = sources; at-- > 0;) {
        if (neighbors.sources[at] == MPI_PROC_NULL) continue;
        if (!first)
            MPI_Reduce_local(received[at].at(0), result.at(0), r.count, r.kind.type, r.kind.op);
        if (first) result = received[at];
        first = false;
    }
    return result;
}

template <class Api>
int make_call_by(const Reduction& r, Elements& send, Elements& recv, const CallForm& to) {
    const void* from = send.at(0);
    void* into = recv.at(0);
    if (r.scatters)
        return to.enter(Api::reduce_scatter_block, from, into, r.count, r.kind.type, r.kind.op);
    return to.enter(Api::reduce, from, into, r.count, r.kind.type, r.kind.op);
}

inline int make_call(const Reduction& r, Elements& send, Elements& recv, const CallForm& to) {
    return is_large(to.form) ? make_call_by<Large>(r, send, recv, to)
                             : make_call_by<Narrow>(r, send, recv, to);
}

}  // namespace carpool::tests
