// SPDX-License-Identifier: MIT
// ranks: 2 3 5
// nightly-ranks: 4 7
// sanitize-ranks: 3
//
// Random calls and inits of all families that single ranks at first make wrongly. A mistake in a
// call is an error on the rank that makes it, and that call has not happened; in an init, and in
// the first call of a kind on a communicator, it is the same error on all ranks. So each rank
// repeats its call until it returns MPI_SUCCESS.

#include <boost/test/unit_test.hpp>

#include "bundleable_requests.hpp"
#include "deadline.hpp"
#include "error_cases.hpp"
#include "refusable_collective.hpp"
#include "refusable_families.hpp"
#include "requests_of_all_collectives.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_errors_recovery)

namespace {

using namespace carpool::tests;

/// Calls on communicators that come and go. All ranks draw the same calls and how many mistakes
/// each rank makes before them, and each rank draws which.
class RefusedCalls {
public:
    explicit RefusedCalls(std::mt19937 random)
        : random_(random), own_(own_generator(random_)), bundleable_(random_) {
        return_errors();
        MPI_Comm_set_errhandler(bundleable_.comm(), MPI_ERRORS_RETURN);
        renew();
    }

    /// Makes a call. Returns what is wrong on this rank.
    std::string step(int number) {
        if (below(25) == 0) renew();
        const auto& [family, draw] = families[below(families.size())];
        const auto call = (this->*draw)(forms[below(std::size(forms))]);
        const auto text = call.name + ", step " + std::to_string(number);
        deadline_.next(text);
        const auto errors =
            is_error_of_one(family, call.form) ? Errors::on_that_rank : Errors::on_all;
        const auto fault = RetriedCall(call, drawn_mistakes(), errors).run(own_);
        if (is_blocking(call.form)) called_before_[family] = true;
        return fault.empty() ? "" : text + ": " + fault;
    }

private:
    using Draw = Refusable (RefusedCalls::*)(Form);

    std::size_t below(std::size_t most) { return random_() % most; }

    void renew() {
        comm_ = std::make_unique<Comm>(duplicate_of_world());
        auto grid_cases = graph_cases(world_size());
        neighbors_ = own_neighbors(grid_cases[below(grid_cases.size())].targets, random_);
        graph_ = std::make_unique<Comm>(distributed_graph(neighbors_));
        grid_ = std::make_unique<GridNeighborhood>(torus_of(2), moore(2, 1));
        for (const MPI_Comm comm : {MPI_Comm(*comm_), MPI_Comm(*graph_), MPI_Comm(grid_->cart)})
            MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        called_before_.clear();
    }

    /// How many mistakes each rank makes: mostly one rank some, or none does.
    std::vector<int> drawn_mistakes() {
        std::vector<int> mistakes(static_cast<std::size_t>(world_size()));
        const auto way = below(4);
        const auto alone = below(mistakes.size());
        for (std::size_t rank = 0; rank < mistakes.size(); ++rank) {
            const auto number = static_cast<int>(1 + below(3));
            const bool mistaken = way == 0 ? below(2) == 0 : way < 3 && rank == alone;
            if (mistaken) mistakes[rank] = number;
        }
        return mistakes;
    }

    /// Whether the mistake of a rank is an error there alone: in calls that end once, after the
    /// first one on the communicator.
    bool is_error_of_one(const std::string& family, Form form) const {
        const bool votes = is_persistent(form) || family == "lists" || family == "parcels";
        return !votes && called_before_.count(family) > 0;
    }

    Refusable collective(Form form) {
        const auto what = all_collectives[below(all_collectives.size())];
        return refusable(samples_.draw(what, *comm_, random_), form, *comm_, uncommitted_);
    }
    Refusable on_graph(Form form) {
        const auto operation = operations[below(std::size(operations))];
        auto exchange = std::make_shared<CheckedExchange>(
            along_edges(operation, neighbors_, world_rank()), neighbors_);
        return refusable(exchange, neighbors_, form, *graph_, uncommitted_);
    }
    Refusable on_grid(Form form) {
        const auto operation = operations[below(std::size(operations))];
        auto exchange = std::make_shared<CheckedExchange>(grid_->exchange(operation));
        return refusable(exchange, grid_->neighbors, form, grid_->cart, uncommitted_);
    }
    Refusable sum(Form form) { return refusable_sum(form, neighbors_.sources, *graph_); }
    Refusable lists(Form form) {
        return refusable(std::make_shared<ListedTraffic>(traffic(), own_), form, *comm_);
    }
    Refusable parcels(Form form) {
        return refusable(std::make_shared<Parcels>(traffic(), 0, own_), form, *comm_);
    }
    Refusable halo(Form) {
        return refusable(std::make_shared<HaloCase>(small_halo(grid_->torus)), grid_->cart);
    }
    Refusable bundle(Form) {
        for (auto& member : *members_) Carpool_Request_free(&member.request);
        *members_ = bundleable_.several(3);
        members_->push_back(bundleable_.next());
        return refusable(members_, bundleable_.comm());
    }

    Traffic traffic() {
        const auto& names = traffic_names();
        return traffic_of(names[below(names.size())], world_size(), random_, 1000);
    }

    static constexpr std::array<std::pair<const char*, Draw>, 8> families{
        {{"collectives", &RefusedCalls::collective},
         {"graph", &RefusedCalls::on_graph},
         {"grid", &RefusedCalls::on_grid},
         {"graph", &RefusedCalls::sum},
         {"lists", &RefusedCalls::lists},
         {"parcels", &RefusedCalls::parcels},
         {"grid", &RefusedCalls::halo},
         {"bundle", &RefusedCalls::bundle}}};

    std::mt19937 random_, own_;
    RandomCollectives samples_;
    Type uncommitted_ = uncommitted_type();
    BundleableRequests bundleable_;
    std::unique_ptr<Comm> comm_, graph_;
    Neighbors neighbors_;
    std::unique_ptr<GridNeighborhood> grid_;
    std::shared_ptr<std::vector<CheckedRequest>> members_ =
        std::make_shared<std::vector<CheckedRequest>>();
    std::map<std::string, bool> called_before_;
    Deadline deadline_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(calls_are_right_after_mistakes_of_single_ranks) {
    RefusedCalls program(seeded());
    const int steps = operations_or(400);
    for (int step = 0; step < steps; ++step) BOOST_TEST_REQUIRE(program.step(step) == "");
}

BOOST_AUTO_TEST_SUITE_END()
