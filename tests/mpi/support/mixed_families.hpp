// SPDX-License-Identifier: MIT
#pragma once

#include "check_operations.hpp"
#include "current_step.hpp"
#include "delays.hpp"
#include "environment.hpp"
#include "listed_traffic.hpp"
#include "parcels.hpp"
#include "persistent_requests.hpp"
#include "random_calls.hpp"
#include "random_operations.hpp"
#include "requests_of_all_collectives.hpp"
#include "tuning_file.hpp"

#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

/// Operations of all families at random, in all forms, on communicators that come and go. All ranks
/// draw the same operations, and each its own delays and orders.
class MixedFamilies {
public:
    explicit MixedFamilies(std::mt19937 random)
        : random_(random),
          own_(own_generator(random_)),
          delays_(static_cast<unsigned>(own_())),
          random_calls_(random_),
          persistent_(random_, own_),
          comm_(std::make_unique<Comm>(duplicate_of_world())) {}

    /// Makes some operations of a kind. Returns what is wrong on this rank.
    std::string step() {
        if (below(12) == 0) renew_comm();
        const auto& [name, make] = kinds[below(kinds.size())];
        const auto what = std::string(name) + ", step " + std::to_string(++steps_);
        note_step(what);
        const auto wrong = (this->*make)();
        return wrong.empty() ? "" : what + ": " + wrong;
    }

    std::int64_t operations() const { return operations_; }

private:
    using Make = std::string (MixedFamilies::*)();
    struct Kind {
        const char* name;
        Make make;
    };

    /// Another communicator, in half of the cases with random cut-offs.
    void renew_comm() {
        tuning_.reset();
        if (below(2) == 0) tuning_.emplace(file_with(random_cut_offs(random_)));
        comm_ = std::make_unique<Comm>(duplicate_of_world());
    }

    std::size_t below(std::size_t most) { return random_() % most; }
    MPI_Comm comm() const { return *comm_; }

    /// Ordinary and neighborhood collectives that end at once.
    std::string calls_that_end_at_once() {
        std::string wrong;
        for (int i = 0; i < 30 && wrong.empty(); ++i) {
            delays_.maybe();
            wrong = random_calls_.call(static_cast<int>(++operations_ % 1000000));
        }
        return wrong;
    }

    /// Many operations in progress at a time, whose handles are freed at once.
    std::string short_lives() {
        const std::size_t most = std::array{1, 10, 100}[below(3)];
        RandomOperations operations_under_test(
            comm(), std::mt19937(static_cast<unsigned>(random_())), most, below(2) == 0);
        for (int part = 0; part < 4; ++part) {
            delays_.maybe();
            operations_under_test.run(25);
        }
        operations_ += 100;
        return operations_under_test.faults() == 0
                   ? ""
                   : std::to_string(operations_under_test.faults()) + " results are wrong";
    }

    /// A request of each ordinary collective.
    std::string all() {
        RequestsOfAllCollectives all(samples_, comm(), random_);
        std::string wrong;
        for (int start = 0; start < 2; ++start) {
            delays_.maybe();
            wrong += all.run(start, own_);
            operations_ += all.size();
        }
        return wrong;
    }

    /// A neighborhood collective in all forms on a new graph.
    std::string graph() {
        const auto grid_cases = graph_cases(world_size());
        const auto n = own_neighbors(grid_cases[below(grid_cases.size())].targets, random_);
        const auto graph = distributed_graph(n);
        const auto operation = tests::operations[below(std::size(tests::operations))];
        CheckedExchange exchange(along_edges(operation, n, world_rank()), n);
        std::string wrong;
        for (const Form form : forms) {
            delays_.maybe();
            wrong += run_once(exchange, form, graph);
            ++operations_;
        }
        return wrong;
    }

    std::string renew_requests() {
        for (int i = 0; i < 3; ++i) {
            delays_.maybe();
            persistent_.renew();
        }
        return "";
    }

    std::string run_requests() {
        std::string wrong;
        for (int round = 0; round < 8; ++round) {
            delays_.maybe();
            wrong += persistent_.run(operations_);
        }
        return wrong;
    }

    Traffic traffic() {
        const auto& names = traffic_names();
        return traffic_of(names[below(names.size())], world_size(), random_);
    }

    /// Several sparse exchanges in progress, and one that is then repeated.
    std::string parcels() {
        const Environment way("CARPOOL_SPARSE_EXCHANGE",
                              std::array{"direct", "digits", "star", "auto"}[below(4)]);
        struct Open {
            Parcels parcels;
            Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
            MPI_Request request = MPI_REQUEST_NULL;
        };
        const Comm fresh = duplicate_of_world();
        std::vector<std::unique_ptr<Open>> open;
        for (int round = 0; round < 6; ++round) {
            delays_.maybe();
            open.push_back(std::make_unique<Open>(Open{Parcels(traffic(), round, random_)}));
            auto& [parcels, delivery, request] = *open.back();
            parcels.begin(below(2) == 0 ? comm() : fresh, &delivery, &request);
        }
        std::string wrong;
        std::shuffle(open.begin(), open.end(), own_);
        for (const auto& one : open) {
            if (MPI_Wait(&one->request, MPI_STATUS_IGNORE) != MPI_SUCCESS)
                wrong += "a wait failed; ";
            wrong += one->parcels.fault(one->delivery);
            Carpool_Delivery_free(&one->delivery);
            ++operations_;
        }
        return wrong;
    }

    /// Calls along lists: blocking, nonblocking, persistent.
    std::string lists() {
        std::vector<ListedTraffic> exchanges;
        for (int i = 0; i < 3; ++i) exchanges.emplace_back(traffic(), random_);
        for (auto& exchange : exchanges) exchange.prepare(steps_ % 4);
        MPI_Request once = MPI_REQUEST_NULL;
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        int code = exchanges[0].nonblocking(comm(), &once);
        delays_.maybe();
        code |= exchanges[1].blocking(comm());
        code |= exchanges[2].init(comm(), MPI_INFO_NULL, &request);
        delays_.maybe();
        code |= started_and_completed(request, steps_ % 4);
        code |= MPI_Wait(&once, MPI_STATUS_IGNORE);
        Carpool_Request_free(&request);
        operations_ += 3;
        std::string wrong = code == MPI_SUCCESS ? "" : "a call failed; ";
        for (const auto& exchange : exchanges) wrong += exchange.fault();
        return wrong;
    }

    static constexpr std::array<Kind, 8> kinds{
        {{"calls that end at once", &MixedFamilies::calls_that_end_at_once},
         {"short lives", &MixedFamilies::short_lives},
         {"a crowd of collectives", &MixedFamilies::all},
         {"a new graph", &MixedFamilies::graph},
         {"new requests", &MixedFamilies::renew_requests},
         {"starts", &MixedFamilies::run_requests},
         {"sparse exchanges", &MixedFamilies::parcels},
         {"calls along lists", &MixedFamilies::lists}}};

    std::mt19937 random_, own_;
    Delays delays_;
    RandomCalls random_calls_;
    RandomCollectives samples_;
    PersistentRequests persistent_;
    std::optional<TuningFile> tuning_;
    std::unique_ptr<Comm> comm_;
    std::int64_t operations_ = 0;
    int steps_ = 0;
};

}  // namespace carpool::tests
