// SPDX-License-Identifier: MIT
#include "topology/nodes.hpp"

#include "base/digest.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace carpool::topology {

Nodes::Nodes(std::span<const std::uint64_t> names)
    : node_(names.size()), place_(names.size()), sorted_(names.size()) {
    std::unordered_map<std::uint64_t, int> numbers;
    std::vector<int> sizes;
    base::Digest digest;
    for (std::size_t rank = 0; rank < names.size(); ++rank) {
        const auto [found, is_new] =
            numbers.try_emplace(names[rank], static_cast<int>(sizes.size()));
        if (is_new) sizes.push_back(0);
        node_[rank] = found->second;
        place_[rank] = sizes[static_cast<std::size_t>(found->second)]++;
        digest.add(found->second);
    }
    digest_ = digest.bits();
    first_.assign(sizes.size() + 1, 0);
    std::partial_sum(sizes.begin(), sizes.end(), first_.begin() + 1);
    for (std::size_t rank = 0; rank < names.size(); ++rank) {
        const auto first = first_[static_cast<std::size_t>(node_[rank])];
        sorted_[static_cast<std::size_t>(first + place_[rank])] = static_cast<int>(rank);
    }
    most_ranks_ = found_most_ranks();
    in_a_row_ = found_in_a_row();
}

int Nodes::found_most_ranks() const {
    int most = 0;
    for (int node = 0; node < count(); ++node)
        most = std::max(most, static_cast<int>(ranks_of(node).size()));
    return most;
}

int Nodes::found_in_a_row() const {
    const int size = static_cast<int>(ranks_of(0).size());
    for (int rank = 0; rank < ranks(); ++rank)
        if (node(rank) != rank / size) return 1;
    return size * count() == ranks() ? size : 1;
}

std::span<const int> Nodes::ranks_of(int node) const {
    const auto first = static_cast<std::size_t>(first_[static_cast<std::size_t>(node)]);
    const auto end = static_cast<std::size_t>(first_[static_cast<std::size_t>(node) + 1]);
    return std::span(sorted_).subspan(first, end - first);
}

}  // namespace carpool::topology
