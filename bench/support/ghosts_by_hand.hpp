// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "edges.hpp"
#include "ghost_sets.hpp"
#include "handle.hpp"
#include "message_loop.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace bench {

/// One side of an alltoallv along a graph: neighbors with their counts and displacements.
struct GhostSide {
    std::vector<int> ranks, counts, displs;

    /// Adds every rank that has a count. @return their sum
    int add(const std::vector<int>& by_rank) {
        int at = 0;
        for (std::size_t r = 0; r < by_rank.size(); ++r) {
            if (by_rank[r] == 0) continue;
            ranks.push_back(static_cast<int>(r));
            counts.push_back(by_rank[r]);
            displs.push_back(at);
            at += by_rank[r];
        }
        return at;
    }
};

/// An update of ghosts as programs do it without Carpool: owners gather the entries that others
/// want into a buffer, an alltoallv along a graph sends them, and ghosts that are not in the order
/// of owners are copied to their places. Entries are doubles.
class GhostsByHand {
public:
    /// @note Collective
    GhostsByHand(const GhostSet& set, const std::vector<double>& owned, std::vector<double>& ghosts)
        : owned_(owned), ghosts_(ghosts), order_(set.owners.size()) {
        std::iota(order_.begin(), order_.end(), 0);
        std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return set.owners[i]; });
        in_order_ = std::ranges::is_sorted(order_);
        tell_owners(set);
        out_.resize(std::max<std::size_t>(1, wanted_.size()));
        if (!in_order_) in_.resize(order_.size());
        graph_ = graph_of(Edges{received_.ranks, sent_.ranks});
    }

    /// The arguments that every form of the alltoallv takes before its communicator.
    auto arguments() {
        return std::tuple{
            out_.data(), sent_.counts.data(),     sent_.displs.data(),     MPI_DOUBLE,
            receive(),   received_.counts.data(), received_.displs.data(), MPI_DOUBLE};
    }
    MPI_Comm graph() const { return graph_.get(); }
    const GhostSide& sent() const { return sent_; }
    const GhostSide& received() const { return received_; }

    /// An update by this exchange of the buffers.
    std::function<void()> around(std::function<void()> exchange) {
        return [this, exchange = std::move(exchange)] {
            for (std::size_t i = 0; i < wanted_.size(); ++i) out_[i] = owned_[wanted_[i]];
            exchange();
            if (!in_order_)
                for (std::size_t i = 0; i < order_.size(); ++i) ghosts_[order_[i]] = in_[i];
        };
    }

    /// The messages of the exchange in a loop.
    std::shared_ptr<MessageLoop> loop() {
        constexpr int bytes = sizeof(double), tag = 1;
        const auto made = std::make_shared<MessageLoop>(MPI_COMM_WORLD);
        for (std::size_t i = 0; i < received_.ranks.size(); ++i)
            made->receive(reinterpret_cast<std::byte*>(receive() + received_.displs[i]),
                          bytes * received_.counts[i], received_.ranks[i], tag);
        for (std::size_t i = 0; i < sent_.ranks.size(); ++i)
            made->send(reinterpret_cast<std::byte*>(out_.data() + sent_.displs[i]),
                       bytes * sent_.counts[i], sent_.ranks[i], tag);
        return made;
    }

private:
    double* receive() { return in_order_ ? ghosts_.data() : in_.data(); }

    /// Sends each owner the indices of the entries that this rank wants, in the order of ghosts.
    void tell_owners(const GhostSet& set) {
        int ranks = 0;
        check(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
        std::vector<int> asked(static_cast<std::size_t>(ranks)), given(asked.size());
        for (const int owner : set.owners) ++asked[static_cast<std::size_t>(owner)];
        check(MPI_Alltoall(asked.data(), 1, MPI_INT, given.data(), 1, MPI_INT, MPI_COMM_WORLD));
        received_.add(asked);
        wanted_.resize(static_cast<std::size_t>(sent_.add(given)));
        std::vector<MPI_Count> indices;
        for (const auto i : order_) indices.push_back(set.indices[i]);
        MessageLoop loop(MPI_COMM_WORLD);
        constexpr int bytes = sizeof(MPI_Count);
        static_assert(sizeof(MPI_Count) == sizeof(std::size_t));
        for (std::size_t i = 0; i < sent_.ranks.size(); ++i)
            loop.receive(reinterpret_cast<std::byte*>(wanted_.data() + sent_.displs[i]),
                         bytes * sent_.counts[i], sent_.ranks[i], 0);
        for (std::size_t i = 0; i < received_.ranks.size(); ++i)
            loop.send(reinterpret_cast<std::byte*>(indices.data() + received_.displs[i]),
                      bytes * received_.counts[i], received_.ranks[i], 0);
        loop.run_nonblocking();
    }

    const std::vector<double>& owned_;
    std::vector<double>& ghosts_;
    std::vector<std::size_t> order_;  // of ghosts by owner
    bool in_order_ = true;
    std::vector<std::size_t> wanted_;  // this rank's entries, neighbor by neighbor
    std::vector<double> out_, in_;
    GhostSide sent_, received_;
    Communicator graph_;
};

}  // namespace bench
