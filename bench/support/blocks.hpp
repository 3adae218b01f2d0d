// SPDX-License-Identifier: MIT
#pragma once

#include "pattern.hpp"
#include "torus.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace bench {

/// What one rank sends and receives: t blocks (one if `shared`, as allgather sends), and the arrays
/// of counts, displacements and datatypes that the collectives take. Both sides have the same
/// layout.
struct Blocks {
    MPI_Datatype type = MPI_BYTE;
    bool shared = false;
    std::vector<std::int64_t> bytes;  // size of block i
    std::vector<std::int64_t> begin;  // where block i begins in the receive buffer
    std::vector<int> counts;          // in elements of type
    std::vector<int> displacements;   // in elements of type
    std::vector<MPI_Aint> byte_displacements;
    std::vector<MPI_Datatype> types;
    std::vector<std::byte> send;
    std::vector<std::byte> receive;

    std::int64_t total() const { return begin.back(); }
    std::byte* send_block(int i) { return send.data() + (shared ? 0 : begin[at(i)]); }
    std::byte* receive_block(int i) { return receive.data() + begin[at(i)]; }

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

/// Lays out blocks of the given sizes one after the other.
inline Blocks blocks_of(std::vector<std::int64_t> bytes, bool shared) {
    Blocks b;
    const bool ints = std::ranges::all_of(bytes, [](auto size) { return size % 4 == 0; });
    const std::int64_t element = ints ? 4 : 1;
    b.type = ints ? MPI_INT : MPI_BYTE;
    b.shared = shared;
    b.begin.push_back(0);
    for (const auto size : bytes) {
        b.counts.push_back(static_cast<int>(size / element));
        b.displacements.push_back(static_cast<int>(b.begin.back() / element));
        b.byte_displacements.push_back(static_cast<MPI_Aint>(b.begin.back()));
        b.begin.push_back(b.begin.back() + size);
    }
    b.types.assign(bytes.size(), b.type);
    b.send.resize(static_cast<std::size_t>(shared ? bytes.front() : b.total()));
    b.receive.resize(static_cast<std::size_t>(b.total()));
    b.bytes = std::move(bytes);
    return b;
}

/// Byte k of the block that `rank` sends to its neighbor i; adjacent bytes and blocks differ.
inline std::byte content(int rank, int i, std::int64_t k) {
    auto x = static_cast<std::uint64_t>(rank) * 0x9E3779B97F4A7C15u +
             static_cast<std::uint64_t>(i) * 0xC2B2AE3D27D4EB4Fu + 1;
    x ^= x >> 29;
    return static_cast<std::byte>((x >> (8 * (k % 7))) + static_cast<std::uint64_t>(k / 7));
}

inline void fill_send(Blocks& b, int rank) {
    const int count = b.shared ? 1 : static_cast<int>(b.bytes.size());
    for (int i = 0; i < count; ++i)
        for (std::int64_t k = 0; k < b.bytes[Blocks::at(i)]; ++k)
            b.send_block(i)[k] = content(rank, i, k);
}

inline void poison_receive(Blocks& b) { std::ranges::fill(b.receive, std::byte{0xA5}); }

/// Whether every received block holds what the source at R - N[i] sent at position i.
inline bool received_right(Blocks& b, const Pattern& pattern, const Torus& torus, int rank) {
    for (int i = 0; i < pattern.neighbors(); ++i) {
        const int source = torus.source(rank, pattern.offset(i));
        for (std::int64_t k = 0; k < b.bytes[Blocks::at(i)]; ++k)
            if (b.receive_block(i)[k] != content(source, b.shared ? 0 : i, k)) return false;
    }
    return true;
}

}  // namespace bench
