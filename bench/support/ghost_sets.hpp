// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "program.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// The entries that this rank owns, and its ghosts, as Carpool_Ghosts_create takes them.
struct GhostSet {
    MPI_Count owned = 0;
    std::vector<int> owners = {};
    std::vector<MPI_Count> indices = {};

    MPI_Count size() const { return static_cast<MPI_Count>(owners.size()); }
};

/// A ghost as owner and index. Their order is that of owners, and of entries of one owner.
using Ghost = std::pair<int, std::int64_t>;

template <class Ghosts>
GhostSet ghost_set(MPI_Count owned, const Ghosts& ghosts) {
    GhostSet set{owned};
    for (const auto& [owner, index] : ghosts) {
        set.owners.push_back(owner);
        set.indices.push_back(index);
    }
    return set;
}

/// A 27-point stencil: each rank owns n^3 points of a grid, and has ghosts of those around them.
inline GhostSet stencil_ghosts(int n, int rank, int ranks) {
    std::array dims{0, 0, 0};
    check(MPI_Dims_create(ranks, 3, dims.data()));
    const std::array place{rank / (dims[1] * dims[2]), rank / dims[2] % dims[1], rank % dims[2]};
    std::set<Ghost> ghosts;
    const auto add = [&](const std::array<int, 3>& point) {
        int owner = 0;
        std::int64_t index = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const int at = place[k] * n + point[k];
            if (at < 0 || at >= dims[k] * n) return;
            owner = owner * dims[k] + at / n;
            index = index * n + at % n;
        }
        if (owner != rank) ghosts.insert({owner, index});
    };
    for (int x = -1; x <= n; ++x)
        for (int y = -1; y <= n; ++y)
            for (int z = -1; z <= n; ++z) add({x, y, z});
    return ghost_set(MPI_Count{n} * n * n, ghosts);
}

/// Columns of a matrix of which few are wanted by most ranks: column g with a probability that
/// falls as g^(-2/3). Columns are dealt to ranks in turn, 10,000 to each.
inline GhostSet power_law_ghosts(std::size_t number, int rank, int ranks) {
    constexpr std::int64_t own = 10'000;
    std::mt19937_64 random(17 + static_cast<std::uint64_t>(rank));
    std::set<Ghost> ghosts;
    while (ghosts.size() < number) {
        const double u = static_cast<double>(random() >> 11) * 0x1p-53;
        const auto column = static_cast<std::int64_t>(double(own * ranks) * u * u * u);
        const auto owner = static_cast<int>(column % ranks);
        if (owner != rank) ghosts.insert({owner, column / ranks});
    }
    return ghost_set(own, ghosts);
}

/// Reads this rank's part of a file by mesh_parts.py: for each rank its numbers of entries and of
/// ghosts, and then owner and index of each ghost.
inline GhostSet read_ghosts(const std::string& file, int rank, int ranks) {
    std::ifstream in(file);
    int parts = 0;
    in >> parts;
    if (!in || parts != ranks)
        throw std::runtime_error(file + " has " + std::to_string(parts) + " parts, expected " +
                                 std::to_string(ranks));
    for (int part = 0;; ++part) {
        MPI_Count owned = 0;
        std::size_t number = 0;
        in >> owned >> number;
        std::vector<Ghost> ghosts(number);
        for (auto& [owner, index] : ghosts) in >> owner >> index;
        if (!in) throw std::runtime_error(file + " ends too early");
        if (part == rank) return ghost_set(owned, ghosts);
    }
}

/// Puts ghosts into a random order.
inline void shuffle(GhostSet& set, int rank) {
    std::mt19937_64 random(static_cast<std::uint64_t>(rank));
    std::vector<Ghost> ghosts;
    for (std::size_t i = 0; i < set.owners.size(); ++i)
        ghosts.push_back({set.owners[i], set.indices[i]});
    std::ranges::shuffle(ghosts, random);
    set = ghost_set(set.owned, ghosts);
}

/// stencil/N, power/GHOSTS or mesh/FILE; then /shuffled for ghosts in a random order.
inline GhostSet ghosts_named(const std::string& name, int rank, int ranks) {
    const auto words = split(name, '/');
    const auto made = [&]() -> GhostSet {
        if (words.size() >= 2 && words[0] == "stencil")
            return stencil_ghosts(std::stoi(words[1]), rank, ranks);
        if (words.size() >= 2 && words[0] == "power")
            return power_law_ghosts(std::stoul(words[1]), rank, ranks);
        if (words.size() >= 2 && words[0] == "mesh")
            return read_ghosts("bench/out/mesh-" + words[1] + "-" + std::to_string(ranks) + ".txt",
                               rank, ranks);
        throw std::runtime_error(name + ", expected stencil/N, power/GHOSTS or mesh/POINTS");
    };
    auto set = made();
    if (words.back() == "shuffled") shuffle(set, rank);
    return set;
}

}  // namespace bench
