// SPDX-License-Identifier: MIT
#include "routing/partition.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_map>

namespace carpool::routing {
namespace {

/// Numbers keys in the order of their first appearance, in a table if few keys are possible.
class Numbering {
public:
    Numbering(std::int64_t keys, std::size_t expected) {
        if (keys <= static_cast<std::int64_t>(8 * expected + 64))
            table_.assign(static_cast<std::size_t>(keys), -1);
    }

    int& operator[](std::int64_t key) {
        if (!table_.empty()) return table_[static_cast<std::size_t>(key)];
        return sparse_.try_emplace(key, -1).first->second;
    }

private:
    std::vector<int> table_;
    std::unordered_map<std::int64_t, int> sparse_;
};

}  // namespace

Partition Partition::whole(int neighbors) {
    Partition result;
    result.class_of_.assign(static_cast<std::size_t>(neighbors), 0);
    if (neighbors > 0) result.first_.push_back(0);
    return result;
}

Partition Partition::singletons(int neighbors) {
    Partition result;
    result.class_of_.resize(static_cast<std::size_t>(neighbors));
    std::iota(result.class_of_.begin(), result.class_of_.end(), 0);
    result.first_ = result.class_of_;
    return result;
}

Partition Partition::refined(const Axis& axis) const {
    const auto values = static_cast<std::int64_t>(axis.values.size());
    Numbering number(classes() * values, class_of_.size());
    Partition result;
    result.class_of_.reserve(class_of_.size());
    for (std::size_t i = 0; i < class_of_.size(); ++i) {
        int& cls = number[class_of_[i] * values + axis.index_of[i]];
        if (cls < 0) {
            cls = result.classes();
            result.first_.push_back(static_cast<int>(i));
        }
        result.class_of_.push_back(cls);
    }
    return result;
}

std::vector<int> Partition::neighbors_by_class() const {
    std::vector<std::size_t> next(first_.size() + 1, 0);
    for (const int cls : class_of_) ++next[static_cast<std::size_t>(cls) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<int> neighbors(class_of_.size());
    for (std::size_t i = 0; i < class_of_.size(); ++i)
        neighbors[next[static_cast<std::size_t>(class_of_[i])]++] = static_cast<int>(i);
    return neighbors;
}

}  // namespace carpool::routing
