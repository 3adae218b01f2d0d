// SPDX-License-Identifier: MIT
#pragma once

#include "cell.hpp"
#include "contender.hpp"
#include "edges.hpp"
#include "graph_exchange.hpp"
#include "group_forms.hpp"
#include "group_race.hpp"
#include "host_forms.hpp"
#include "personal.hpp"
#include "program.hpp"
#include "scene.hpp"
#include "unknown_forms.hpp"

#include "collectives/algorithm.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace bench {

using Words = std::vector<std::string>;

inline std::shared_ptr<CarpoolRequest> held(Carpool_Request request) {
    return std::make_shared<CarpoolRequest>(request);
}

/// grid-d3-n3/alltoall/40: a collective on a declared neighborhood.
inline Cell neighborhood_cell(const Words& words) {
    const auto scene = std::make_shared<Scene>(
        MPI_COMM_WORLD, case_named(words.at(0) + "/" + words.at(1) + "/" + words.at(2)));
    auto& s = *scene;
    Cell cell{scene, &s.blocks.receive, {}};
    const auto add = [&](const char* name, Exchange exchange) {
        cell.hosts.push_back({name, std::move(exchange.run)});
    };
    add("host blocking", host_blocking(s));
    add("host nonblocking", host_nonblocking(s));
    add("host persistent", host_persistent(s));
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(s.what.operation->carpool_persistent(s.blocks, s.plain.get(), MPI_INFO_NULL, &request));
    cell.request = held(request);
    cell.call = carpool_blocking(s, s.plain).run;
    cell.init = [&s](MPI_Info info, Carpool_Request* made) {
        return s.what.operation->carpool_persistent(s.blocks, s.plain.get(), info, made);
    };
    cell.algorithms = {"direct", "cartesian", "basis"};
    cell.comm = s.plain.get();
    return cell;
}

/// The edges, communicator and buffers of an exchange on a graph.
struct GraphStage {
    Edges edges;
    Communicator graph;
    GraphExchange exchange;

    GraphStage(const std::string& name, bool allgather, int bytes, std::uint64_t seed)
        : edges(edges_of(name, seed)),
          graph(graph_of(edges)),
          exchange(edges, graph.get(), allgather, bytes) {}
};

/// random:0.2/allgather/64: a collective on a graph, which is the same in every run.
inline Cell graph_cell(const Words& words) {
    constexpr std::uint64_t seed = 1;
    const auto stage = std::make_shared<GraphStage>(words.at(0), words.at(1) == "allgather",
                                                    std::stoi(words.at(2)), seed);
    auto& x = stage->exchange;
    return {
        .stage = stage,
        .delivered = &x.recv,
        .hosts = by_host(x),
        .request = held(carpool_request(x, "auto")),
        .call = [&x] { check(carpool_call(x)); },
        .init = [&x](MPI_Info info, Carpool_Request* made) { return carpool_init(x, info, made); },
        .algorithms = {"direct", "friends", "cumulative", "mesh", "grid", "hypercube"},
        .comm = x.graph};
}

struct GroupStage {
    Communicator comm;
    GroupBlocks blocks;

    GroupStage(const Collective& collective, int bytes)
        : comm(duplicate(MPI_COMM_WORLD)), blocks(collective.shape, bytes, comm.get()) {}
};

inline Racer racer_of(const Form& form) {
    return {form.name, [form] {
                form.start();
                form.wait();
            }};
}

inline std::vector<std::string> algorithms_of(Kind kind) {
    std::vector<std::string> names;
    for (const auto& algorithm : carpool::collectives::algorithms(kind))
        names.emplace_back(algorithm.name);
    return names;
}

/// allreduce/4096: an ordinary collective.
inline Cell collective_cell(const Words& words) {
    const auto& collective = collective_named(words.at(0));
    const auto stage = std::make_shared<GroupStage>(collective, std::stoi(words.at(1)));
    const auto comm = stage->comm.get();
    auto& b = stage->blocks;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(collective.carpool_init(b, comm, MPI_INFO_NULL, &request));
    return {.stage = stage,
            .delivered = &b.receive,
            .hosts = {racer_of(host_blocking(collective, b, comm)),
                      racer_of(host_nonblocking(collective, b, comm)),
                      racer_of(host_persistent(collective, b, comm))},
            .request = held(request),
            .call = carpool_blocking(collective, b, comm).start,
            .init =
                [&collective, &b, comm](MPI_Info info, Carpool_Request* made) {
                    return collective.carpool_init(b, comm, info, made);
                },
            .algorithms = algorithms_of(collective.kind),
            .comm = comm};
}

/// Personalized exchanges, along lists and to all ranks; the host MPI also does both on a graph
/// communicator.
struct PersonalStage {
    Personal personal;
    Communicator comm, graph;

    PersonalStage(int degree, int bytes)
        : personal(degree, bytes),
          comm(duplicate(MPI_COMM_WORLD)),
          graph(graph_of({personal.sources, personal.targets})) {}
};

/// A stage with as many targets per rank as `degree` says, at most all other ranks.
inline std::shared_ptr<PersonalStage> personal_stage(const std::string& degree, int bytes) {
    int ranks = 0;
    check(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    const int others = ranks - 1;
    return std::make_shared<PersonalStage>(
        degree == "all" ? others : std::min(others, std::stoi(degree)), bytes);
}

inline std::vector<Racer> along_ranks_by_host(Personal& p, MPI_Comm comm) {
    const std::tuple arguments{p.send.data(), p.send_counts.data(), p.send_displs.data(), MPI_BYTE,
                               p.recv.data(), p.recv_counts.data(), p.recv_displs.data(), MPI_BYTE};
    return host_forms("host", MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init, arguments, comm);
}

inline std::vector<Racer> along_edges_by_host(Personal& p, MPI_Comm graph) {
    const std::tuple arguments{p.send.data(), p.counts.data(), p.displs.data(), MPI_BYTE,
                               p.recv.data(), p.counts.data(), p.displs.data(), MPI_BYTE};
    return host_forms("host's graph", MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv,
                      MPI_Neighbor_alltoallv_init, arguments, graph);
}

/// The host MPI's forms on all ranks and on the graph.
inline std::vector<Racer> by_host(PersonalStage& stage) {
    auto forms = along_ranks_by_host(stage.personal, stage.comm.get());
    for (auto& form : along_edges_by_host(stage.personal, stage.graph.get()))
        forms.push_back(std::move(form));
    return forms;
}

/// all/76: blocks for all other ranks.
inline Cell all_to_all_cell(const Words& words) {
    const auto stage = personal_stage("all", std::stoi(words.at(1)));
    auto& p = stage->personal;
    const auto comm = stage->comm.get();
    return {.stage = stage,
            .delivered = &p.recv,
            .hosts = along_ranks_by_host(p, comm),
            .request = held(alltoall_by("auto", p)),
            .call = [&p, comm] {
                check(Carpool_Alltoallv(p.send.data(), p.send_counts.data(), p.send_displs.data(),
                                        MPI_BYTE, p.recv.data(), p.recv_counts.data(),
                                        p.recv_displs.data(), MPI_BYTE, comm));
            }};
}

/// 4/76: blocks for the next 4 ranks, along lists.
inline Cell along_lists_cell(const Words& words) {
    const auto stage = personal_stage(words.at(0), std::stoi(words.at(1)));
    auto& p = stage->personal;
    const auto comm = stage->comm.get();
    return {.stage = stage,
            .delivered = &p.recv,
            .hosts = by_host(*stage),
            .request = held(lists_by(p, "auto", "2")),
            .call = [&p, comm] {
                check(Carpool_Sparse_alltoallv(p.degree(), p.targets.data(), p.send.data(),
                                               p.counts.data(), p.displs.data(), MPI_BYTE,
                                               p.degree(), p.sources.data(), p.recv.data(),
                                               p.counts.data(), p.displs.data(), MPI_BYTE, comm));
            }};
}

/// A request that repeats an exchange. It delivers the blocks one after the other, by source.
struct Repeated {
    explicit Repeated(PersonalStage& stage) : received(stage.personal.recv.size()) {
        auto& p = stage.personal;
        for (int i = 0; i < 6; ++i) exchange_on(p, stage.comm.get())();  // it measures
        auto delivery = exchanged(p, stage.comm.get());
        Carpool_Request made = CARPOOL_REQUEST_NULL;
        check(Carpool_Sparse_exchange_init(delivery, p.send.data(), received.data(),
                                           stage.comm.get(), MPI_INFO_NULL, &made));
        request = held(made);
        check(Carpool_Delivery_free(&delivery));
    }

    void unload(Personal& p) const {
        const auto* from = received.data();
        for (std::size_t source = 0; source < p.recv_counts.size(); ++source) {
            const auto bytes = static_cast<std::size_t>(p.recv_counts[source]);
            if (bytes > 0) std::memcpy(p.recv.data() + p.recv_displs[source], from, bytes);
            from += bytes;
        }
    }

    std::vector<std::byte> received;
    std::shared_ptr<CarpoolRequest> request;
};

/// 4/76: blocks for the next 4 ranks, which do not know that they will receive them. MPI has no
/// such call, so hand-written forms stand for the host MPI's.
inline Cell exchange_cell(const Words& words) {
    const auto stage = personal_stage(words.at(0), std::stoi(words.at(1)));
    const auto repeated = std::make_shared<Repeated>(*stage);
    auto& p = stage->personal;
    return {.stage = stage,
            .delivered = &p.recv,
            .hosts = {host_unknown(p), counts_to_all(p), number_by_reduction(p), consensus(p)},
            .repeated = by_host(*stage),
            .request = repeated->request,
            .after_request = [&p, repeated] { repeated->unload(p); },
            .call = exchange_on(p, stage->comm.get())};
}

struct CellKind {
    std::string_view name;
    Cell (*made)(const Words&);  ///< collective
};

/// A new kind of cells is one more entry.
inline constexpr std::array cell_kinds{
    CellKind{"neighborhoods", neighborhood_cell}, CellKind{"graphs", graph_cell},
    CellKind{"collectives", collective_cell},     CellKind{"all-to-all", all_to_all_cell},
    CellKind{"lists", along_lists_cell},          CellKind{"exchanges", exchange_cell},
};

/// The cell with a name such as graphs/random:0.2/allgather/64.
/// @note Collective
inline Cell cell_named(const std::string& name) {
    auto words = split(name, '/');
    for (const auto& kind : cell_kinds)
        if (kind.name == words.at(0)) return kind.made({words.begin() + 1, words.end()});
    throw std::runtime_error(name + ": no cells are of kind " + words[0]);
}

}  // namespace bench
