#include "ghosts/classes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>

namespace carpool::ghosts {
namespace {

/// One entry as one rank takes it.
struct Taking {
    std::int64_t index;
    std::size_t by;     // number of the Taken
    std::size_t place;  // among its entries
};

std::vector<Taking> sorted_takings(std::span<const Taken> taken) {
    std::vector<Taking> takings;
    for (std::size_t by = 0; by < taken.size(); ++by)
        for (std::size_t place = 0; place < taken[by].entries.size(); ++place)
            takings.push_back({taken[by].entries[place].index, by, place});
    std::ranges::sort(takings, {}, [](const Taking& one) { return std::tie(one.index, one.by); });
    return takings;
}

/// Numbers classes by who takes their entries, and how often.
class Numbering {
public:
    explicit Numbering(std::span<const Taken> taken) : taken_(taken) {}

    /// The class of an entry that is taken so.
    int number_of(std::span<const Taking> takings) {
        key_.clear();
        for (const auto& [index, by, place] : takings) {
            key_.push_back(taken_[by].taker);
            key_.push_back(taken_[by].entries[place].times);
        }
        const auto next = static_cast<int>(sizes_.size());
        const auto [found, is_new] = numbers_.try_emplace(key_, next);
        if (is_new) sizes_.push_back(0);
        ++sizes_[static_cast<std::size_t>(found->second)];
        return found->second;
    }

    const std::vector<std::int64_t>& sizes() const { return sizes_; }

    std::vector<std::vector<int>> takers() const {
        std::vector<std::vector<int>> takers(sizes_.size());
        for (const auto& [key, number] : numbers_)
            for (std::size_t i = 0; i < key.size(); i += 2)
                takers[static_cast<std::size_t>(number)].push_back(key[i]);
        return takers;
    }

private:
    std::span<const Taken> taken_;
    std::map<std::vector<int>, int> numbers_;
    std::vector<std::int64_t> sizes_;  // per class
    std::vector<int> key_;             // takers, each followed by how often it takes the entry
};

/// Which entries are in each class. @pre the takings of an entry have the same class
IndexLists entries_of(std::span<const Taking> takings, const Classes& classes,
                      const std::vector<std::int64_t>& sizes) {
    IndexLists lists(sizes);
    std::vector<std::size_t> filled(sizes.size());
    for (std::size_t i = 0; i < takings.size(); ++i) {
        const auto& [index, by, place] = takings[i];
        if (i > 0 && takings[i - 1].index == index) continue;
        const auto number = static_cast<std::size_t>(classes.of_entries[by][place]);
        lists[number][filled[number]++] = index;
    }
    return lists;
}

}  // namespace

Classes classes_of(std::span<const Taken> taken) {
    Classes classes;
    for (const auto& one : taken) classes.of_entries.emplace_back(one.entries.size());
    const auto takings = sorted_takings(taken);
    Numbering numbering(taken);
    for (std::span rest(takings); !rest.empty();) {
        const auto end = std::ranges::find_if(
            rest, [&](const Taking& one) { return one.index != rest.front().index; });
        const auto of_entry = rest.first(static_cast<std::size_t>(end - rest.begin()));
        const int number = numbering.number_of(of_entry);
        for (const auto& [index, by, place] : of_entry) classes.of_entries[by][place] = number;
        rest = rest.subspan(of_entry.size());
    }
    classes.entries = entries_of(takings, classes, numbering.sizes());
    classes.takers = numbering.takers();
    return classes;
}

}  // namespace carpool::ghosts
