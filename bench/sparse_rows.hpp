#pragma once

#include "check.hpp"
#include "handle.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Of each vertex its neighbors, ascending.
using VertexGraph = std::vector<std::set<int>>;

/// A Matrix Market pattern of tests/graphs, and its transpose: who is someone's neighbor has it as
/// one.
inline VertexGraph vertex_graph(const std::string& name) {
    std::ifstream in(std::filesystem::path(CARPOOL_GRAPHS) / (name + ".mtx"));
    if (!in) throw std::runtime_error("no graph " + name + " in " CARPOOL_GRAPHS);
    std::string line;
    while (in.peek() == '%') std::getline(in, line);
    std::size_t vertices = 0, columns = 0, entries = 0;
    in >> vertices >> columns >> entries;
    VertexGraph graph(vertices);
    for (int i = 0, j = 0; in >> i >> j;) {
        graph[static_cast<std::size_t>(i - 1)].insert(j - 1);
        graph[static_cast<std::size_t>(j - 1)].insert(i - 1);
    }
    return graph;
}

/// What this rank sends to its neighbors and receives from them, in doubles, as alltoallv has it.
struct SparseHalo {
    std::vector<int> neighbors, sendcounts, sdispls, recvcounts, rdispls;
    std::vector<int> sent;  ///< own entries, neighbor by neighbor
    std::vector<double> out;
};

/// This rank's rows of a symmetric, positive definite matrix: each vertex of a graph has b of them,
/// coupled to those of the same number on neighboring vertices, and to each other in a chain.
/// Vertices are dealt to ranks in equal pieces, in their order, so on P ranks or fewer their graph
/// is that of the matrix from which the file was made.
class SparseRows {
public:
    SparseRows(const VertexGraph& graph, int rows_per_vertex, MPI_Comm comm)
        : vertices_(static_cast<int>(graph.size())), b_(rows_per_vertex) {
        int rank = 0;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size_);
        first_ = first_vertex(rank);
        own_ = first_vertex(rank + 1) - first_;
        number_others(graph);
        for (int v = first_; v < first_ + own_; ++v)
            for (int k = 0; k < b_; ++k) add_row(graph, v, k);
        list_sent(graph);
    }

    int rows() const { return own_ * b_; }
    int whole() const { return vertices_ * b_; }
    int entries() const { return static_cast<int>(places_.size()) * b_; }  ///< own ones and others'
    std::int64_t first_row() const { return std::int64_t{first_} * b_; }
    SparseHalo& halo() { return halo_; }

    /// The product of the rows with p, own entries first, then those of others.
    void multiply(const std::vector<double>& p, std::vector<double>& product) const {
        for (std::size_t i = 0; i + 1 < starts_.size(); ++i) {
            double sum = 0;
            for (auto e = starts_[i]; e < starts_[i + 1]; ++e) sum += values_[e] * p[columns_[e]];
            product[i] = sum;
        }
    }

    /// Copies what leaves to where it leaves from.
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

    /// Others behind the own vertices, ascending, so those of one rank lie together.
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

    /// The diagonal outweighs the others.
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

    /// The matrix is symmetric: who has what this rank needs, needs something of this rank.
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

/// The communicator on which a halo's ranks are neighbors.
inline Communicator graph_of(const SparseHalo& halo) {
    MPI_Comm graph = MPI_COMM_NULL;
    const auto degree = static_cast<int>(halo.neighbors.size());
    check(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, halo.neighbors.data(),
                                         MPI_UNWEIGHTED, degree, halo.neighbors.data(),
                                         MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    return Communicator(graph);
}

}  // namespace bench
