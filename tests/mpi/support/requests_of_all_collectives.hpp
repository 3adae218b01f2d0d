// SPDX-License-Identifier: MIT
#pragma once

#include "random_collectives.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace carpool::tests {

/// One request of every collective on a communicator.
class RequestsOfAllCollectives {
public:
    /// @param turns  the forms of the inits, in turn
    /// @note Collective over comm.
    RequestsOfAllCollectives(const RandomCollectives& samples, MPI_Comm comm, std::mt19937& rng,
                             std::vector<Init> turns = {std::begin(inits), std::end(inits)}) {
        for (const auto what : all_collectives) {
            const auto one_case = samples.draw(what, comm, rng);
            auto variant = RandomCollectives::draw_variant(one_case, comm, rng);
            variant.form = turns[requests.size() % turns.size()];
            texts_.push_back(one_case.text + ": " + variant.text());
            const auto info = variant.info();
            collectives.emplace_back(one_case);
            requests.push_back(CARPOOL_REQUEST_NULL);
            const int code = collectives.back().init({variant.form, comm, info}, &requests.back());
            BOOST_TEST(code == MPI_SUCCESS, texts_.back() << ": " << text_of(code));
        }
    }
    RequestsOfAllCollectives(const RequestsOfAllCollectives&) = delete;
    RequestsOfAllCollectives& operator=(const RequestsOfAllCollectives&) = delete;
    ~RequestsOfAllCollectives() {
        for (auto& request : requests) BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS);
    }

    int size() const { return static_cast<int>(requests.size()); }

    void prepare(int start) {
        for (auto& collective : collectives) collective.prepare(start++);
    }

    /// Empty if all collectives have the right result.
    std::string fault() const {
        for (std::size_t i = 0; i < collectives.size(); ++i)
            if (const auto fault = collectives[i].fault(); !fault.empty())
                return texts_[i] + ": " + fault;
        return "";
    }

    std::vector<std::size_t> shuffled(std::mt19937& rng) const {
        std::vector<std::size_t> order(requests.size());
        std::iota(order.begin(), order.end(), 0u);
        std::shuffle(order.begin(), order.end(), rng);
        return order;
    }

    void start_shuffled(std::mt19937& rng) {
        for (const auto i : shuffled(rng)) BOOST_TEST(Carpool_Start(&requests[i]) == MPI_SUCCESS);
    }

    /// Starts all requests, each rank in its own order, and completes them. Empty, or what went
    /// wrong.
    std::string run(int start, std::mt19937& own) {
        prepare(start);
        start_shuffled(own);
        for (const auto i : shuffled(own))
            BOOST_TEST(Carpool_Wait(&requests[i], MPI_STATUS_IGNORE) == MPI_SUCCESS);
        return fault();
    }

    std::deque<CheckedCollective> collectives;
    std::vector<Carpool_Request> requests;

private:
    std::deque<std::string> texts_;
};

/// A random generator that differs from rank to rank.
inline std::mt19937 own_generator(std::mt19937& shared) {
    return std::mt19937(shared() + static_cast<unsigned>(world_rank()));
}

}  // namespace carpool::tests
