// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace carpool::tests {

/// The bytes that each rank sends to each other rank, as a matrix that all ranks know.
struct Traffic {
    std::string name;
    int ranks;
    std::vector<int> bytes;  ///< by source, then target

    int operator()(int origin, int target) const {
        return bytes[static_cast<std::size_t>(origin) * static_cast<std::size_t>(ranks) +
                     static_cast<std::size_t>(target)];
    }

    /// What one rank sends, by target.
    std::vector<int> sent_by(int rank) const {
        std::vector<int> row;
        for (int target = 0; target < ranks; ++target) row.push_back((*this)(rank, target));
        return row;
    }
    std::vector<int> received_by(int rank) const {
        std::vector<int> column;
        for (int origin = 0; origin < ranks; ++origin) column.push_back((*this)(origin, rank));
        return column;
    }
};

inline const std::vector<std::string>& traffic_names() {
    static const std::vector<std::string> names{
        "empty",       "hot receiver", "power law", "complete", "complete with large ones",
        "permutation", "self",         "sparse"};
    return names;
}

/// Draws traffic of the kind with that name. @param rng  in the same state on all ranks
/// @param large  size of the large blocks in bytes
template <class Rng>
Traffic traffic_of(const std::string& name, int ranks, Rng& rng, int large = 1 << 16) {
    Traffic traffic{name, ranks, std::vector<int>(static_cast<std::size_t>(ranks * ranks), 0)};
    const auto below = [&rng](int end) {
        return static_cast<int>(rng() % static_cast<unsigned>(end));
    };
    std::vector<int> order;
    for (int rank = 0; rank < ranks; ++rank) order.push_back(rank);
    std::shuffle(order.begin(), order.end(), rng);
    for (int origin = 0; origin < ranks; ++origin)
        for (int target = 0; target < ranks; ++target) {
            auto& bytes = traffic.bytes[static_cast<std::size_t>(origin * ranks + target)];
            const int small = 1 + below(200);
            if (name == "hot receiver") bytes = target == order[0] || below(ranks) == 0 ? small : 0;
            if (name == "power law")
                bytes = below(1 + order[static_cast<std::size_t>(origin)]) == 0
                            ? (1 << 16) / (1 + order[static_cast<std::size_t>(target)]) / ranks
                            : 0;
            if (name == "complete") bytes = small;
            if (name == "complete with large ones")
                bytes = below(ranks * ranks) < 2 ? large : small;
            if (name == "permutation")
                bytes = order[static_cast<std::size_t>(origin)] == target ? small : 0;
            if (name == "self") bytes = origin == target ? small : 0;
            if (name == "sparse") bytes = below(ranks) < 3 ? small : 0;
        }
    return traffic;
}

/// Byte i of what one rank sends to another in a round.
inline std::byte content(int origin, int target, int i, int round) {
    const auto bits = (static_cast<std::uint32_t>(origin) * 2654435761u) ^
                      (static_cast<std::uint32_t>(target) * 2246822519u) ^
                      (static_cast<std::uint32_t>(i) * 3266489917u) ^
                      (static_cast<std::uint32_t>(round) * 668265263u);
    return static_cast<std::byte>(bits >> 13);
}

}  // namespace carpool::tests
