#include "engine/split_transfers.hpp"

#include <algorithm>
#include <utility>

namespace carpool::engine {

SplitTransfers::Parts SplitTransfers::split(const TransferList& transfers, const IsNear& is_near) {
    Parts result;
    auto& [near, far, split] = result;
    const auto part_of = [&](const Transfer& t) { return is_near(t) ? 0U : 1U; };
    const auto list = [&](std::size_t part) -> TransferList& { return part == 0 ? near : far; };
    near.checked = far.checked = transfers.checked;
    near.summed = far.summed = transfers.summed;
    for (std::size_t r = 0; r < transfers.receives.size(); ++r)
        split.places[part_of(transfers.receives[r])].push_back(transfers.order[r]);
    for (auto& places : split.places) std::sort(places.begin(), places.end());
    for (std::size_t r = 0; r < transfers.receives.size(); ++r) {
        const auto part = part_of(transfers.receives[r]);
        const auto& places = split.places[part];
        const auto place = std::lower_bound(places.begin(), places.end(), transfers.order[r]);
        list(part).receives.push_back(transfers.receives[r]);
        list(part).order.push_back(static_cast<int>(place - places.begin()));
    }
    for (const auto& send : transfers.sends) {
        const auto part = part_of(send);
        split.sends.push_back({part, list(part).sends.size()});
        list(part).sends.push_back(send);
    }
    return result;
}

void SplitTransfers::post(int tag) {
    for (auto& part : parts_) part->post(tag);
}

void SplitTransfers::launch(std::size_t send) {
    const auto [part, number] = split_.sends[send];
    parts_[part]->launch(number);
}

/// How many of a part's receives are watched before that place of all.
int SplitTransfers::place_in(std::size_t part, int place) const {
    const auto& places = split_.places[part];
    return static_cast<int>(std::lower_bound(places.begin(), places.end(), place) - places.begin());
}

std::span<const int> SplitTransfers::test_some(int count, std::span<int> ended) {
    std::size_t found = 0;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        const auto room = ended.subspan(found);
        const auto some = parts_[part]->test_some(place_in(part, count), room);
        for (std::size_t i = 0; i < some.size(); ++i)
            room[i] = split_.places[part][static_cast<std::size_t>(some[i])];
        found += some.size();
    }
    return ended.first(found);
}

bool SplitTransfers::test_receives(int first, int end) {
    bool all = true;
    for (std::size_t part = 0; part < parts_.size(); ++part)
        all &= parts_[part]->test_receives(place_in(part, first), place_in(part, end));
    return all;
}

bool SplitTransfers::test_rest(int first) {
    bool all = true;
    for (std::size_t part = 0; part < parts_.size(); ++part)
        all &= parts_[part]->test_rest(place_in(part, first));
    return all;
}

std::vector<int> SplitTransfers::awaited() const {
    auto ranks = parts_[0]->awaited();
    for (const int rank : parts_[1]->awaited()) ranks.push_back(rank);
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

void SplitTransfers::withdraw() {
    for (auto& part : parts_) part->withdraw();
}

}  // namespace carpool::engine
