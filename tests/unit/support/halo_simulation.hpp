// SPDX-License-Identifier: MIT
#pragma once

#include "halo/domain.hpp"
#include "halo/transfers.hpp"
#include "routing/rule.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// All ranks of a halo exchange in one process, on arrays of cell numbers.
class HaloSimulation {
public:
    using Cells = carpool::halo::Cells;
    using Place = std::vector<Cells>;

    static constexpr std::int64_t untouched = -1;

    HaloSimulation(const carpool::halo::Domain& domain,
                   const carpool::topology::Neighborhood& stencil)
        : domain_(domain), stencil_(stencil) {
        for (int rank = 0; rank < domain.grid().size(); ++rank) {
            auto& array = arrays_.emplace_back();
            for_each(whole(rank), [&](const Place& cell) {
                array[cell] = owned(rank, cell) ? *number(rank, cell) : untouched;
            });
        }
    }

    std::vector<carpool::halo::BoxTransfer> transfers(const carpool::routing::Plan& plan,
                                                      int rank) const {
        return carpool::halo::transfers_of(plan, domain_, rank);
    }

    /// Runs all rounds; returns the errors in messages.
    std::vector<std::string> run(
        const std::vector<std::vector<carpool::halo::BoxTransfer>>& transfers) {
        std::vector<std::string> complaints;
        for (std::size_t round = 0; !transfers.empty() && round < transfers[0].size(); ++round) {
            std::map<int, std::vector<std::int64_t>> on_the_way;  // by sender
            for (std::size_t rank = 0; rank < transfers.size(); ++rank)
                for (const auto& box : transfers[rank][round].send)
                    for_each(box, [&](const Place& cell) {
                        on_the_way[static_cast<int>(rank)].push_back(arrays_[rank].at(cell));
                    });
            for (std::size_t rank = 0; rank < transfers.size(); ++rank)
                receive(static_cast<int>(rank), transfers[rank][round], on_the_way, complaints);
        }
        return complaints;
    }

    /// Cells whose value differs from that of a serial array.
    std::vector<std::string> wrong_cells() const {
        std::vector<std::string> complaints;
        for (int rank = 0; rank < domain_.grid().size(); ++rank)
            for (const auto& [cell, found] : arrays_[static_cast<std::size_t>(rank)]) {
                const auto wanted = is_read(rank, cell) ? number(rank, cell) : std::nullopt;
                if (found != wanted.value_or(untouched))
                    complaints.push_back("rank " + std::to_string(rank) + ": " + text(cell) +
                                         " is " + std::to_string(found) + ", expected " +
                                         std::to_string(wanted.value_or(untouched)));
            }
        return complaints;
    }

private:
    static std::string text(const Place& cell) {
        std::string text = "cell";
        for (const auto c : cell) text += " " + std::to_string(c);
        return text;
    }

    static void for_each(const carpool::halo::Box& box,
                         const std::function<void(const Place&)>& visit) {
        if (carpool::halo::cells_of(box) == 0) return;
        Place cell = box.first;
        while (true) {
            visit(cell);
            std::size_t k = cell.size();
            while (k > 0 && ++cell[k - 1] == box.first[k - 1] + box.size[k - 1]) {
                cell[k - 1] = box.first[k - 1];
                --k;
            }
            if (k == 0) return;
        }
    }

    Cells extent(int rank, int k) const {
        return domain_.extent(k, domain_.grid().coordinates(rank)[static_cast<std::size_t>(k)]);
    }

    carpool::halo::Box whole(int rank) const {
        carpool::halo::Box box;
        for (int k = 0; k < domain_.dimensions(); ++k) {
            box.first.push_back(-domain_.lower(k));
            box.size.push_back(domain_.lower(k) + extent(rank, k) + domain_.upper(k));
        }
        return box;
    }

    int side(int rank, const Place& cell, int k) const {
        const auto c = cell[static_cast<std::size_t>(k)];
        return c < 0 ? -1 : c >= extent(rank, k) ? 1 : 0;
    }

    bool owned(int rank, const Place& cell) const {
        for (int k = 0; k < domain_.dimensions(); ++k)
            if (side(rank, cell, k) != 0) return false;
        return true;
    }

    /// Is the cell owned, or on a side to which an offset of the stencil points?
    bool is_read(int rank, const Place& cell) const {
        if (owned(rank, cell)) return true;
        for (int i = 0; i < stencil_.size(); ++i) {
            bool points = true;
            for (int k = 0; k < domain_.dimensions(); ++k) {
                const int s = side(rank, cell, k);
                const int offset = stencil_[i][static_cast<std::size_t>(k)];
                points = points && (s == 0 || s * offset > 0);
            }
            if (points) return true;
        }
        return false;
    }

    /// The cell's number in the global array; nothing for a cell beyond a border.
    std::optional<std::int64_t> number(int rank, const Place& cell) const {
        const auto here = domain_.grid().coordinates(rank);
        std::int64_t number = 0;
        for (int k = 0; k < domain_.dimensions(); ++k) {
            Cells cells = 0;
            Cells at = cell[static_cast<std::size_t>(k)];
            for (int c = 0; c < domain_.grid().dim(k); ++c) {
                if (c < here[static_cast<std::size_t>(k)]) at += domain_.extent(k, c);
                cells += domain_.extent(k, c);
            }
            if (domain_.grid().periodic(k) && cells > 0) at = (at % cells + cells) % cells;
            if (at < 0 || at >= cells) return std::nullopt;
            number = number * cells + at;
        }
        return number;
    }

    void receive(int rank, const carpool::halo::BoxTransfer& transfer,
                 const std::map<int, std::vector<std::int64_t>>& on_the_way,
                 std::vector<std::string>& complaints) {
        if (transfer.receive.empty()) return;
        const auto sent = on_the_way.find(transfer.from);
        const auto cells = carpool::halo::cells_of(transfer.receive);
        if (sent == on_the_way.end() || static_cast<Cells>(sent->second.size()) != cells) {
            complaints.push_back("rank " + std::to_string(rank) + " does not get its " +
                                 std::to_string(cells) + " cells");
            return;
        }
        std::size_t next = 0;
        for (const auto& box : transfer.receive)
            for_each(box, [&](const Place& cell) {
                auto& slot = arrays_[static_cast<std::size_t>(rank)].at(cell);
                if (slot != untouched)
                    complaints.push_back("rank " + std::to_string(rank) + ": " + text(cell) +
                                         " is written a second time");
                slot = sent->second[next++];
                if (slot == untouched)
                    complaints.push_back("rank " + std::to_string(rank) + ": " + text(cell) +
                                         " was sent before it had come");
            });
    }

    const carpool::halo::Domain& domain_;
    const carpool::topology::Neighborhood& stencil_;
    std::vector<std::map<Place, std::int64_t>> arrays_;
};
