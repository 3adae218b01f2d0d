// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "sparse_halo.hpp"
#include "vertex_graph.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace bench {

/// This rank's rows of a symmetric, positive definite matrix. Each vertex of a graph has b rows.
/// Row k of a vertex is coupled to row k of each neighboring vertex and to rows k - 1 and k + 1 of
/// its own. Vertices are dealt to ranks in equal parts, in their order, so on P ranks or fewer
/// their graph is that of the matrix from which the file was made.
class SparseRows {
public:
    SparseRows(const VertexGraph& graph, int rows_per_vertex, MPI_Comm comm)
        : vertices_(static_cast<int>(graph.size())), b_(rows_per_vertex) {
        int rank = 0;
        check(MPI_Comm_rank(comm, &rank));
        check(MPI_Comm_size(comm, &size_));
        first_ = first_vertex(rank);
        own_ = first_vertex(rank + 1) - first_;
        number_others(graph);
        for (int v = first_; v < first_ + own_; ++v)
            for (int k = 0; k < b_; ++k) add_row(graph, v, k);
        list_sent(graph);
    }

    int rows() const { return own_ * b_; }
    int whole() const { return vertices_ * b_; }
    int entries() const { return static_cast<int>(places_.size()) * b_; }  ///< own and others'
    std::int64_t first_row() const { return std::int64_t{first_} * b_; }
    SparseHalo& halo() { return halo_; }

    /// The product of the rows with p, which has this rank's entries first, then those of others.
    void multiply(const std::vector<double>& p, std::vector<double>& product) const {
        for (std::size_t i = 0; i + 1 < starts_.size(); ++i) {
            double sum = 0;
            for (auto e = starts_[i]; e < starts_[i + 1]; ++e) sum += values_[e] * p[columns_[e]];
            product[i] = sum;
        }
    }

    /// Copies the entries to send into the send buffer.
    void pack(const std::vector<double>& p) {
        for (std::size_t k = 0; k < halo_.sent.size(); ++k)
            halo_.out[k] = p[static_cast<std::size_t>(halo_.sent[k])];
    }

private:
    int first_vertex(int rank) const {
        return static_cast<int>(std::int64_t{rank} * vertices_ / size_);
    }

    bool is_own(int vertex) const { return vertex >= first_ && vertex < first_ + own_; }

    int owner(int vertex) const {
        int rank = 0;
        while (first_vertex(rank + 1) <= vertex) ++rank;
        return rank;
    }

    std::size_t column(int vertex, int k) const {
        const auto at = std::ranges::find(places_, vertex) - places_.begin();
        return static_cast<std::size_t>(at) * static_cast<std::size_t>(b_) +
               static_cast<std::size_t>(k);
    }

    /// Numbers the vertices of other ranks after this rank's own, in ascending order, so those of
    /// one rank are contiguous.
    void number_others(const VertexGraph& graph) {
        std::set<int> others;
        for (int v = first_; v < first_ + own_; ++v) {
            places_.push_back(v);
            for (const int w : graph[static_cast<std::size_t>(v)])
                if (!is_own(w)) others.insert(w);
        }
        for (const int w : others) {
            places_.push_back(w);
            if (halo_.neighbors.empty() || halo_.neighbors.back() != owner(w)) {
                halo_.rdispls.push_back((static_cast<int>(places_.size()) - 1 - own_) * b_);
                halo_.neighbors.push_back(owner(w));
                halo_.recvcounts.push_back(0);
            }
            halo_.recvcounts.back() += b_;
        }
    }

    /// The diagonal outweighs the other entries.
    void add_row(const VertexGraph& graph, int v, int k) {
        const auto& neighbors = graph[static_cast<std::size_t>(v)];
        add(v, k, static_cast<double>(neighbors.size()) + 2.5);
        for (const int w : neighbors)
            if (w != v) add(w, k, -1);
        if (k > 0) add(v, k - 1, -1);
        if (k + 1 < b_) add(v, k + 1, -1);
        starts_.push_back(columns_.size());
    }

    void add(int vertex, int k, double value) {
        columns_.push_back(column(vertex, k));
        values_.push_back(value);
    }

    /// The matrix is symmetric: a rank that has what this rank needs, needs something of this rank.
    void list_sent(const VertexGraph& graph) {
        for (const int rank : halo_.neighbors) {
            halo_.sdispls.push_back(static_cast<int>(halo_.sent.size()));
            for (int v = first_; v < first_ + own_; ++v) {
                const auto& to = graph[static_cast<std::size_t>(v)];
                const auto first = to.lower_bound(first_vertex(rank));
                if (first == to.end() || *first >= first_vertex(rank + 1)) continue;
                for (int k = 0; k < b_; ++k) halo_.sent.push_back((v - first_) * b_ + k);
            }
            halo_.sendcounts.push_back(static_cast<int>(halo_.sent.size()) - halo_.sdispls.back());
        }
        halo_.out.resize(halo_.sent.size());
    }

    int vertices_, b_, size_ = 0, first_ = 0, own_ = 0;
    std::vector<int> places_;  ///< vertices whose entries this rank holds
    std::vector<std::size_t> starts_{0}, columns_;
    std::vector<double> values_;
    SparseHalo halo_;
};

}  // namespace bench
