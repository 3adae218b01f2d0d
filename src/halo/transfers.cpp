// SPDX-License-Identifier: MIT
#include "halo/transfers.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace carpool::halo {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// The part of the halo of the rank at `here` that comes by these hops, if there is any.
std::optional<Box> part_of_halo(const Domain& domain, std::span<const int> here,
                                std::span<const int> hops) {
    Box box;
    for (int k = 0; k < domain.dimensions(); ++k) {
        const auto& pieces = domain.pieces(k, here[index(k)]);
        const auto piece = pieces.find(hops[index(k)]);
        if (piece == pieces.end()) return std::nullopt;
        box.first.push_back(piece->second.first);
        box.size.push_back(piece->second.size);
    }
    return box;
}

/// Groups the rounds whose messages go to the same rank in the same phase, on every rank: their
/// hops differ by multiples of periodic dimensions, as those to both sides do where a dimension has
/// two ranks.
std::vector<std::vector<int>> grouped(const routing::Plan& plan, const topology::Grid& grid) {
    std::map<std::pair<int, std::vector<int>>, std::size_t> known;
    std::vector<std::vector<int>> groups;
    for (int round = 0; round < plan.rounds(); ++round) {
        const auto hop = plan.hop(round);
        std::vector<int> rest(hop.begin(), hop.end());
        for (std::size_t k = 0; k < rest.size(); ++k)
            if (const int size = grid.dim(static_cast<int>(k)); grid.periodic(static_cast<int>(k)))
                rest[k] = (rest[k] % size + size) % size;
        const auto [group, is_new] =
            known.try_emplace({plan.phase(round), std::move(rest)}, groups.size());
        if (is_new) groups.emplace_back();
        groups[group->second].push_back(round);
    }
    return groups;
}

class Rounds {
public:
    Rounds(const routing::Plan& plan, const Domain& domain, int rank)
        : plan_(plan),
          domain_(domain),
          here_(domain.grid().coordinates(rank)),
          ways_(plan.way_to_stops()),
          round_of_stops_(plan.round_of_stops()),
          transfer_of_round_(index(plan.rounds())) {}

    std::vector<BoxTransfer> transfers() {
        std::vector<BoxTransfer> transfers;
        for (const auto& rounds : grouped(plan_, domain_.grid())) {
            for (const int round : rounds)
                transfer_of_round_[index(round)] = static_cast<int>(transfers.size());
            transfers.push_back(transfer(rounds, transfers));
        }
        return transfers;
    }

private:
    BoxTransfer transfer(const std::vector<int>& rounds,
                         const std::vector<BoxTransfer>& earlier) const {
        const auto hop = plan_.hop(rounds.front());
        BoxTransfer transfer{plan_.phase(rounds.front()),
                             domain_.grid().rank_at(here_, hop),
                             domain_.grid().rank_at(here_, hop, -1),
                             {},
                             {},
                             {}};
        std::set<int> after;
        for (const int round : rounds) {
            if (transfer.from >= 0)
                for (auto& box : merged(parts_at(round, here_)))
                    transfer.receive.push_back(std::move(box));
            if (transfer.to >= 0) add_sent(transfer, round, after, earlier);
        }
        transfer.after.assign(after.begin(), after.end());
        return transfer;
    }

    void add_sent(BoxTransfer& transfer, int round, std::set<int>& after,
                  const std::vector<BoxTransfer>& earlier) const {
        const auto there = domain_.grid().coordinates(transfer.to);
        const auto way = way_to(plan_.hop(round));
        auto boxes = merged(parts_at(round, there));
        if (boxes.empty()) return;
        for (auto& box : boxes) transfer.send.push_back(moved(std::move(box), way));
        for (int stop = plan_.first_stop(round); stop < plan_.first_stop(round + 1); ++stop) {
            const int before = round_of_stops_[index(plan_.from(stop))];
            if (before < 0) continue;
            const int brought_by = transfer_of_round_[index(before)];
            if (!earlier[index(brought_by)].receive.empty()) after.insert(brought_by);
        }
    }

    /// The boxes that the rank at a place receives in a round, in cells of its own array.
    std::vector<Box> parts_at(int round, std::span<const int> place) const {
        const auto d = index(domain_.dimensions());
        std::vector<Box> parts;
        for (int stop = plan_.first_stop(round); stop < plan_.first_stop(round + 1); ++stop)
            if (auto part =
                    part_of_halo(domain_, place, std::span(ways_).subspan(index(stop) * d, d)))
                parts.push_back(std::move(*part));
        return parts;
    }

    std::vector<Cells> way_to(std::span<const int> hop) const {
        std::vector<Cells> way;
        for (int k = 0; k < domain_.dimensions(); ++k)
            way.push_back(domain_.distance(k, here_[index(k)], hop[index(k)]));
        return way;
    }

    const routing::Plan& plan_;
    const Domain& domain_;
    std::vector<int> here_;
    std::vector<int> ways_;
    std::vector<int> round_of_stops_;
    std::vector<int> transfer_of_round_;
};

/// The width of the widest piece of this hop on any rank.
Cells widest_piece(const Domain& domain, int dimension, int hop) {
    Cells widest = 0;
    for (int c = 0; c < domain.grid().dim(dimension); ++c) {
        const auto& pieces = domain.pieces(dimension, c);
        if (const auto piece = pieces.find(hop); piece != pieces.end())
            widest = std::max(widest, piece->second.size);
    }
    return widest;
}

}  // namespace

bool carries_halo(const routing::Plan& plan, const topology::Neighborhood& hops) {
    const auto ways = plan.way_to_stops();
    const auto d = index(hops.dimensions());
    std::set<int> parts;
    for (const auto& [stop, position] : plan.deliveries()) {
        const auto way = std::span(ways).subspan(index(stop) * d, d);
        if (!std::equal(way.begin(), way.end(), hops[position].begin())) return false;
        parts.insert(stop);
    }
    for (int round = 0; round < plan.rounds(); ++round)
        for (int stop = plan.first_stop(round); stop < plan.first_stop(round + 1); ++stop)
            for (std::size_t k = 0; k < d; ++k)
                if (plan.hop(round)[k] != 0 && ways[index(plan.from(stop)) * d + k] != 0)
                    return false;
    return static_cast<std::int64_t>(parts.size()) == plan.volume();
}

std::vector<BoxTransfer> transfers_of(const routing::Plan& plan, const Domain& domain, int rank) {
    return Rounds(plan, domain, rank).transfers();
}

std::vector<Cells> most_cells_sent(const routing::Plan& plan, const Domain& domain) {
    const auto ways = plan.way_to_stops();
    const auto round = plan.round_of_stops();
    const auto d = index(domain.dimensions());
    std::vector<Cells> cells(index(plan.rounds()), 0);
    for (int stop = plan.blocks(); stop < plan.stops(); ++stop) {
        Cells part = 1;
        for (std::size_t k = 0; k < d; ++k)
            part *= widest_piece(domain, static_cast<int>(k), ways[index(stop) * d + k]);
        cells[index(round[index(stop)])] += part;
    }
    return cells;
}

}  // namespace carpool::halo
