// SPDX-License-Identifier: MIT
#include "report/groups.hpp"

#include "engine/preparation.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace carpool::report {
namespace {

constexpr std::int64_t few = 4;  // calls whose median says little

/// What starts and calls have in common that are shown in one table.
struct Topic {
    std::string operation;
    bool persistent;
    int comm;  ///< a communicator's number, or the first of its kind

    friend auto operator<=>(const Topic&, const Topic&) = default;
};

Topic topic_of(const Record::Key& key) {
    return {key.subject.operation, key.subject.persistent, key.subject.comm};
}

Topic topic_of(const Calls::Key& key) { return {std::string(key.operation), false, key.comm}; }

/// Puts records into groups. Communicators of one kind have a group each if they are few, else
/// they share one.
class Grouping {
public:
    explicit Grouping(const RecordedCalls& all) : all_(all) {
        for (const auto& [key, record] : all.records)
            if (record.starts.count() > 0) note(topic_of(key));
        for (const auto& [key, calls] : all.calls) note(topic_of(key));
    }

    Group& of(const Topic& topic) {
        const auto& numbers = numbers_[of_kind(topic)];
        const bool together = std::ssize(numbers) > most_groups || is_shared(topic.comm);
        auto& group = groups_[together ? of_kind(topic) : topic];
        if (group.operation.empty())
            describe(group, topic, together ? numbers : std::set{topic.comm});
        return group;
    }

    std::vector<Group> taken() {
        std::vector<Group> result;
        for (auto& [topic, group] : groups_) result.push_back(std::move(group));
        return result;
    }

private:
    static constexpr int most_groups = 3;  // of communicators of one kind

    void note(const Topic& topic) { numbers_[of_kind(topic)].insert(topic.comm); }

    Topic of_kind(const Topic& topic) const {
        return {topic.operation, topic.persistent, all_.comms[topic.comm].kind};
    }

    bool is_shared(int comm) const { return all_.comms[comm].is_shared; }

    std::string named(const CommLabel& label, const std::set<int>& numbers) const {
        const bool more = std::ranges::any_of(numbers, [&](int one) { return is_shared(one); });
        const auto apart = std::ssize(numbers) - (more ? 1 : 0);
        if (apart == 0) return "some " + label.several;
        return (more ? "more than " : "") + std::to_string(apart) + " " + label.several;
    }

    void describe(Group& group, const Topic& topic, const std::set<int>& numbers) const {
        const auto& label = all_.comms[topic.comm].label;
        group.operation = topic.operation;
        group.persistent = topic.persistent;
        group.ranks = label.ranks;
        group.are_several = numbers.size() > 1 || is_shared(topic.comm);
        group.comms = group.are_several ? named(label, numbers) : label.one;
        if (!group.are_several) group.made = label.made;
    }

    const RecordedCalls& all_;
    std::map<Topic, std::set<int>> numbers_;  // of the communicators of a kind
    std::map<Topic, Group> groups_;
};

void add(Group& group, const Record::Key& key, const Record& record) {
    const auto found = std::ranges::find_if(group.lines, [&](const Line& line) {
        return line.key.algorithm == key.algorithm &&
               line.key.subject.size_class == key.subject.size_class;
    });
    if (found == group.lines.end()) {
        group.lines.push_back({key, record});
        return;
    }
    found->record.bytes.add(record.bytes);
    found->record.starts.add(record.starts);
    found->record.host_seconds = std::max(found->record.host_seconds, record.host_seconds);
    found->record.chosen = std::max(found->record.chosen, record.chosen);
}

void add(Group& group, const Calls::Key& key, const Calls& calls) {
    auto found = std::ranges::find(group.sizes, key.size_class, &SizeLine::size_class);
    if (found == group.sizes.end())
        found = group.sizes.insert(found, {.size_class = key.size_class});
    (key.maker == Maker::carpool ? found->carpools : found->hosts).add(calls);
}

void sort(Group& group) {
    std::ranges::stable_sort(group.lines, {}, [](const Line& line) {
        return std::pair(line.key.subject.size_class, -line.record.chosen);
    });
    std::ranges::sort(group.sizes, {}, &SizeLine::size_class);
}

}  // namespace

std::optional<double> Line::saved() const {
    if (record.host_seconds == 0 || key.algorithm == engine::host) return std::nullopt;
    const auto& starts = record.starts;
    const double charged = starts.mean() > 0 ? starts.mean_charge() / starts.mean() : 1;
    return (record.host_seconds - starts.median()) * static_cast<double>(starts.count()) * charged;
}

std::optional<double> SizeLine::ratio() const {
    if (carpools.ended.count() < few || hosts.ended.count() < few) return std::nullopt;
    return carpools.ended.median() / hosts.ended.median();
}

/// By the mean: where calls mostly wait for ranks that come late, medians say little of their sum.
double SizeLine::by_host() const {
    return static_cast<double>(carpools.count()) * hosts.ended.mean_charge();
}

bool SizeLine::varies() const {
    constexpr double much = 4;
    return std::ranges::any_of(std::array{&carpools.ended, &hosts.ended}, [](const Starts* one) {
        return one->mean() > much * one->quantile(0.75);
    });
}

std::string Group::title() const {
    return (persistent ? "persistent " : "") + operation + " on " + comms + ", " +
           std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks") + (are_several ? " each" : "");
}

bool Group::has_carpools_calls() const {
    return std::ranges::any_of(sizes,
                               [](const SizeLine& line) { return line.carpools.count() > 0; });
}

double Group::charged() const {
    double sum = 0;
    for (const auto& line : sizes) sum += line.carpools.charged() + line.hosts.charged();
    if (!sizes.empty()) return sum;
    for (const auto& line : lines) sum += line.record.starts.charged();
    return sum;
}

std::vector<Group> groups_of(const RecordedCalls& all) {
    Grouping grouping(all);
    for (const auto& [key, calls] : all.calls) add(grouping.of(topic_of(key)), key, calls);
    for (const auto& [key, record] : all.records)
        if (record.starts.count() > 0) add(grouping.of(topic_of(key)), key, record);
    auto groups = grouping.taken();
    for (auto& group : groups) {
        const bool is_own = all.unchanged && !group.persistent && !group.has_carpools_calls();
        if (is_own) group.lines.clear();
        sort(group);
    }
    std::erase_if(groups, [](const Group& g) { return g.lines.empty() && g.sizes.empty(); });
    std::ranges::stable_sort(groups, std::ranges::greater(), &Group::charged);
    return groups;
}

}  // namespace carpool::report
