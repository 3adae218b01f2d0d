// SPDX-License-Identifier: MIT
#include "engine/transfers.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace carpool::engine {

/// The messages of a schedule, split by transport.
struct Transfers::Split {
    Split(const Transports& transports, const TransferList& list)
        : lists(transports.count()), places(transports.count()) {
        for (auto& one : lists) {
            one.tag = list.tag;
            one.checked = list.checked;
            one.summed = list.summed;
        }
        for (std::size_t r = 0; r < list.receives.size(); ++r) {
            const auto way = way_of(transports, *list.receives[r]);
            lists[way].receives.push_back(list.receives[r]);
            lists[way].order.push_back(list.order[r]);
            places[way].push_back(list.order[r]);
        }
        for (const auto* const send : list.sends) {
            const auto way = way_of(transports, *send);
            sends.push_back({way, lists[way].sends.size()});
            lists[way].sends.push_back(send);
        }
        for (std::size_t way = 0; way < lists.size(); ++way) close_ranks(way);
    }

    std::size_t way_of(const Transports& transports, const Transfer& transfer) {
        const auto way = transports.way_to(transfer.peer);
        needs_tests = needs_tests || way.reach.needs_tests;
        return way.transport;
    }

    /// Renumbers the places of a part's receives, which are watched in the same order.
    void close_ranks(std::size_t way) {
        auto& all = places[way];
        std::sort(all.begin(), all.end());
        for (auto& place : lists[way].order)
            place = static_cast<int>(std::lower_bound(all.begin(), all.end(), place) - all.begin());
    }

    std::vector<TransferList> lists;
    std::vector<std::vector<int>> places;
    Numbers sends;  // by transport until the parts are made
    bool needs_tests = false;
};

Transfers::Transfers(const Transports& transports, const TransferList& list) {
    CARPOOL_EXPECTS(list.order.size() == list.receives.size(), transports.rank(), list.order.size(),
                    list.receives.size());
    Split split(transports, list);
    needs_tests_ = split.needs_tests;
    std::vector<std::size_t> parts(transports.count());
    for (std::size_t way = 0; way < transports.count(); ++way) {
        auto& messages = split.lists[way];
        if (messages.receives.empty() && messages.sends.empty()) continue;
        parts[way] = parts_.size();
        parts_.push_back(
            part_of(transports[way], std::move(messages), std::move(split.places[way])));
    }
    if (parts_.size() <= 1) return;
    sends_ = std::move(split.sends);
    for (auto& one : sends_) one.part = parts[one.part];
}

Transfers::Part Transfers::part_of(const Transport& transport, TransferList list,
                                   std::vector<int> places) {
    Part part{nullptr, std::move(places)};
    part.sources.resize(list.receives.size());
    for (std::size_t r = 0; r < list.receives.size(); ++r)
        part.sources[static_cast<std::size_t>(list.order[r])] = list.receives[r]->peer;
    for (const auto* const send : list.sends) part.targets.push_back(send->peer);
    part.messages = transport.messages(std::move(list));
    return part;
}

/// How many of its receives are watched before that place among all.
int Transfers::Part::places_before(int place) const {
    return static_cast<int>(std::lower_bound(places.begin(), places.end(), place) - places.begin());
}

std::span<const int> Transfers::test_some(int count, std::span<int> ended) {
    if (parts_.size() == 1) return parts_.front().messages->test_some(count, ended);
    std::size_t found = 0;
    for (const auto& part : parts_) {
        const auto room = ended.subspan(found);
        const auto some = part.messages->test_some(part.places_before(count), room);
        for (std::size_t i = 0; i < some.size(); ++i)
            room[i] = part.places[static_cast<std::size_t>(some[i])];
        found += some.size();
    }
    return ended.first(found);
}

bool Transfers::test_receives(int first, int end) {
    if (parts_.size() == 1) return parts_.front().messages->test_all(first, end);
    bool all = true;
    for (const auto& part : parts_)
        all &= part.messages->test_all(part.places_before(first), part.places_before(end));
    return all;
}

bool Transfers::test_rest(int first) {
    if (parts_.size() == 1) return parts_.front().messages->test_all(first, parts_.front().all());
    bool all = true;
    for (const auto& part : parts_)
        all &= part.messages->test_all(part.places_before(first), part.all());
    return all;
}

SharedUse Transfers::shared_use() const {
    SharedUse use;
    for (const auto& part : parts_) {
        use.bytes += part.messages->shared_use().bytes;
        use.without_memory += part.messages->shared_use().without_memory;
    }
    return use;
}

void Transfers::visit_awaited(const base::RankVisitor& visit) const {
    bool any = false;
    const auto visit_peers = [&](const Part& part, const std::vector<int>& peers, int first) {
        for (std::size_t i = 0; i < peers.size(); ++i) {
            if (part.messages->has_ended(first + static_cast<int>(i))) continue;
            any = true;
            visit(peers[i]);
        }
    };
    for (const auto& part : parts_) visit_peers(part, part.sources, 0);
    if (any) return;
    for (const auto& part : parts_) visit_peers(part, part.targets, part.receives());
}

/// An error of one part does not stop the others.
void Transfers::withdraw() {
    std::exception_ptr failure;
    for (const auto& part : parts_) try {
            part.messages->withdraw();
        } catch (...) {
            failure = std::current_exception();
        }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace carpool::engine
