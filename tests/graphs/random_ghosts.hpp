// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The ghosts of all ranks, as each of them gives its own.
struct GhostSets {
    std::string shape;
    std::vector<std::int64_t> owned;                 // per rank
    std::vector<std::vector<int>> owners;            // per rank and ghost
    std::vector<std::vector<std::int64_t>> indices;  // likewise

    int ranks() const { return static_cast<int>(owned.size()); }

    void add(int rank, int owner, std::int64_t index) {
        owners[static_cast<std::size_t>(rank)].push_back(owner);
        indices[static_cast<std::size_t>(rank)].push_back(index);
    }
};

inline const std::vector<std::string>& ghost_shapes() {
    static const std::vector<std::string> shapes{"random",      "banded",      "all to one",
                                                 "power law",   "repeated",    "own entries",
                                                 "empty ranks", "whole blocks"};
    return shapes;
}

/// Chooses the ghosts of one shape.
/// @tparam Between  between(low, high) gives a random number of that range
template <typename Between>
class RandomGhosts {
public:
    RandomGhosts(std::string shape, int ranks, Between& between) : between_(between) {
        const auto count = static_cast<std::size_t>(ranks);
        sets_ = {std::move(shape), std::vector<std::int64_t>(count),
                 std::vector<std::vector<int>>(count),
                 std::vector<std::vector<std::int64_t>>(count)};
        one_ = between_(0, ranks - 1);
    }

    GhostSets sets() {
        for (auto& owned : sets_.owned)
            owned = is("empty ranks") && chance(2) ? 0 : between_(1, 24);
        if (chance(4)) sets_.owned[static_cast<std::size_t>(any_rank())] = 0;
        for (int rank = 0; rank < sets_.ranks(); ++rank) add_ghosts(rank);
        return std::move(sets_);
    }

private:
    bool is(const char* shape) const { return sets_.shape == shape; }
    bool chance(int one_in) { return between_(1, one_in) == 1; }
    int any_rank() { return between_(0, sets_.ranks() - 1); }

    void add_ghosts(int rank) {
        const int most = is("empty ranks") && chance(2) ? 0 : between_(0, 40);
        for (int i = 0; i < most; ++i) {
            const int owner = an_owner(rank);
            const auto owned = static_cast<int>(sets_.owned[static_cast<std::size_t>(owner)]);
            if (owned == 0) continue;
            if (is("whole blocks") && chance(3))
                for (int index = 0; index < owned; ++index) sets_.add(rank, owner, index);
            else
                sets_.add(rank, owner, an_index(owned));
        }
    }

    int an_owner(int rank) {
        if (is("all to one")) return one_;
        if (is("own entries") && chance(2)) return rank;
        if (is("banded")) return std::clamp(rank + between_(-2, 2), 0, sets_.ranks() - 1);
        if (is("power law")) return between_(0, between_(0, sets_.ranks() - 1));
        return any_rank();
    }

    int an_index(int owned) {
        if (is("power law")) return between_(0, between_(0, owned - 1));
        if (is("repeated")) return between_(0, std::min(2, owned - 1));
        return between_(0, owned - 1);
    }

    Between& between_;
    GhostSets sets_;
    int one_;
};

template <typename Between>
GhostSets random_ghosts(const std::string& shape, int ranks, Between between) {
    return RandomGhosts<Between>(shape, ranks, between).sets();
}
