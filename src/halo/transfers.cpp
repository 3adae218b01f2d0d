#include "halo/transfers.hpp"

#include <algorithm>
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

class Rounds {
public:
    Rounds(const routing::Plan& plan, const Domain& domain, int rank)
        : plan_(plan),
          domain_(domain),
          here_(domain.grid().coordinates(rank)),
          ways_(plan.way_to_stops()),
          round_of_stops_(plan.round_of_stops()) {}

    Transfer transfer(int round, const std::vector<Transfer>& earlier) const {
        const auto hop = plan_.hop(round);
        Transfer transfer{plan_.phase(round),
                          domain_.grid().rank_at(here_, hop),
                          domain_.grid().rank_at(here_, hop, -1),
                          {},
                          {},
                          {}};
        if (transfer.from >= 0) transfer.receive = merged(parts_at(round, here_));
        if (transfer.to >= 0) {
            const auto there = domain_.grid().coordinates(transfer.to);
            for (auto& box : merged(parts_at(round, there)))
                transfer.send.push_back(moved(std::move(box), way_to(hop)));
        }
        if (!transfer.send.empty()) transfer.after = brought_by(round, earlier);
        return transfer;
    }

private:
    /// What the rank at a place receives in a round, in its own cells.
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

    std::vector<int> brought_by(int round, const std::vector<Transfer>& earlier) const {
        std::set<int> rounds;
        for (int stop = plan_.first_stop(round); stop < plan_.first_stop(round + 1); ++stop) {
            const int before = round_of_stops_[index(plan_.from(stop))];
            if (before >= 0 && !earlier[index(before)].receive.empty()) rounds.insert(before);
        }
        return {rounds.begin(), rounds.end()};
    }

    const routing::Plan& plan_;
    const Domain& domain_;
    std::vector<int> here_;
    std::vector<int> ways_;
    std::vector<int> round_of_stops_;
};

/// The widest that a piece of this hop is on any rank.
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

std::vector<Transfer> transfers_of(const routing::Plan& plan, const Domain& domain, int rank) {
    const Rounds rounds(plan, domain, rank);
    std::vector<Transfer> transfers;
    for (int round = 0; round < plan.rounds(); ++round)
        transfers.push_back(rounds.transfer(round, transfers));
    return transfers;
}

Cells most_cells_sent(const routing::Plan& plan, const Domain& domain) {
    const auto ways = plan.way_to_stops();
    const auto d = index(domain.dimensions());
    Cells sum = 0;
    for (int stop = plan.blocks(); stop < plan.stops(); ++stop) {
        Cells part = 1;
        for (std::size_t k = 0; k < d; ++k)
            part *= widest_piece(domain, static_cast<int>(k), ways[index(stop) * d + k]);
        sum += part;
    }
    return sum;
}

}  // namespace carpool::halo
