// SPDX-License-Identifier: MIT
#include "ghosts/classes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>

namespace carpool::ghosts {
namespace {

/// An entry of one taker.
struct Use {
    std::int64_t index;
    std::size_t taker;  // its number
    std::size_t place;  // among its entries
};

std::vector<Use> sorted_uses(std::span<const Taker> takers) {
    std::vector<Use> uses;
    for (std::size_t taker = 0; taker < takers.size(); ++taker)
        for (std::size_t place = 0; place < takers[taker].entries.size(); ++place)
            uses.push_back({takers[taker].entries[place].index, taker, place});
    std::ranges::sort(uses, {}, [](const Use& use) { return std::tie(use.index, use.taker); });
    return uses;
}

/// Numbers classes by the takers of their entries, and how often each has them.
class Numbering {
public:
    explicit Numbering(std::span<const Taker> takers) : takers_(takers) {}

    /// The class of an entry. @param uses  all of this entry
    int number_of(std::span<const Use> uses) {
        key_.clear();
        for (const auto& [index, taker, place] : uses) {
            key_.push_back(takers_[taker].rank);
            key_.push_back(takers_[taker].entries[place].times);
        }
        const auto next = static_cast<int>(sizes_.size());
        const auto [found, is_new] = numbers_.try_emplace(key_, next);
        if (is_new) sizes_.push_back(0);
        ++sizes_[static_cast<std::size_t>(found->second)];
        return found->second;
    }

    const std::vector<std::int64_t>& sizes() const { return sizes_; }

    /// The takers of each class.
    void list_takers(Classes& classes) const {
        classes.ranks.resize(sizes_.size());
        classes.times.resize(sizes_.size());
        for (const auto& [key, number] : numbers_)
            for (std::size_t i = 0; i < key.size(); i += 2) {
                classes.ranks[static_cast<std::size_t>(number)].push_back(key[i]);
                classes.times[static_cast<std::size_t>(number)].push_back(key[i + 1]);
            }
    }

private:
    std::span<const Taker> takers_;
    std::map<std::vector<int>, int> numbers_;
    std::vector<std::int64_t> sizes_;  // per class
    std::vector<int> key_;             // ranks, each followed by how often it has the entry
};

/// Which entries are in each class. @pre the uses of an entry have the same class
IndexLists entries_of(std::span<const Use> uses, const Classes& classes,
                      const std::vector<std::int64_t>& sizes) {
    IndexLists lists(sizes);
    std::vector<std::size_t> filled(sizes.size());
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const auto& [index, taker, place] = uses[i];
        if (i > 0 && uses[i - 1].index == index) continue;
        const auto number = static_cast<std::size_t>(classes.of_entries[taker][place]);
        lists[number][filled[number]++] = index;
    }
    return lists;
}

}  // namespace

Classes classes_of(std::span<const Taker> takers) {
    Classes classes;
    for (const auto& taker : takers) classes.of_entries.emplace_back(taker.entries.size());
    const auto uses = sorted_uses(takers);
    Numbering numbering(takers);
    for (std::span rest(uses); !rest.empty();) {
        const auto end = std::ranges::find_if(
            rest, [&](const Use& use) { return use.index != rest.front().index; });
        const auto of_entry = rest.first(static_cast<std::size_t>(end - rest.begin()));
        const int number = numbering.number_of(of_entry);
        for (const auto& [index, taker, place] : of_entry)
            classes.of_entries[taker][place] = number;
        rest = rest.subspan(of_entry.size());
    }
    classes.entries = entries_of(uses, classes, numbering.sizes());
    numbering.list_takers(classes);
    return classes;
}

}  // namespace carpool::ghosts
