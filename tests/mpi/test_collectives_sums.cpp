// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4 5 7
// nightly-ranks: 6 8 9 13
// sanitize-ranks: 5
//
// Reductions are rounded the same way in each start and on all ranks; operands are in the order of
// ranks if an operator does not commute.

#include <boost/test/unit_test.hpp>

#include "current_step.hpp"
#include "random_collectives.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <cmath>

BOOST_AUTO_TEST_SUITE(test_collectives_sums)

namespace {

using namespace carpool::tests;

/// Numbers of both signs from 1e-12 to 1e12: each order of additions is rounded to another result.
template <typename Real>
void write_wild(std::byte* element, std::uint32_t number) {
    const double size = std::pow(10.0, static_cast<int>(number % 25) - 12);
    elements::store(element, static_cast<Real>((number / 25 % 2 ? size : -size) *
                                               (1 + number / 50 % 1000 / 777.0)));
}

std::vector<Kind> wild_kinds() {
    return {{"double, wild sum", MPI_DOUBLE, MPI_SUM, true, write_wild<double>},
            {"float, wild sum", MPI_FLOAT, MPI_SUM, true, write_wild<float>}};
}

constexpr int count = 37;

Summation wild(Collective what, const Kind& kind) {
    return {what, world_size(), world_size() / 2, false, false, count, kind, 11};
}

/// The results of several starts of the request, each with the contents of start 0.
std::vector<Bytes> results(const CollectiveCase& one_case, const CollectiveVariant& variant,
                           int starts) {
    std::vector<Bytes> results;
    auto contents = one_case.before(0);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto info = variant.info();
    BOOST_TEST(init(one_case.on(contents), {variant.form, MPI_COMM_WORLD, info}, &request) ==
               MPI_SUCCESS);
    for (int start = 0; start < starts; ++start) {
        std::fill(contents.recv.begin(), contents.recv.end(), poison);
        if (world_rank() == (start * 3) % world_size()) usleep(300);  // another late rank
        BOOST_TEST(started_and_completed(request, start) == MPI_SUCCESS);
        results.push_back(contents.recv);
    }
    Carpool_Request_free(&request);
    return results;
}

bool same_on_all_ranks(Bytes bytes) {
    auto first = bytes;
    MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
    return !anywhere(bytes != first);
}

template <class Body>
void for_all_reductions(Body body) {
    for (const auto what : all_collectives)
        for (const auto& algorithm : algorithms_of(what))
            if (reduces(what)) body(what, algorithm);
}

}  // namespace

BOOST_AUTO_TEST_CASE(sums_that_round_depend_on_their_order) {
    const auto s = wild(Collective::allreduce, wild_kinds().front());
    const auto forth = summing(s, 0).after(0).recv;
    double total = 0;
    for (int rank = 0; rank < world_size(); ++rank) {
        double number;
        std::memcpy(&number, Summands::of(s, rank, 0).at(3), sizeof number);
        total += number;
    }
    double other;
    std::memcpy(&other, forth.data() + CollectiveCase::room + 3 * sizeof(double), sizeof other);
    if (world_size() > 9) BOOST_TEST(total != other);  // with 9 ranks the sums happen to be equal
}

BOOST_AUTO_TEST_CASE(a_sum_that_rounds_has_the_same_bits_in_each_start) {
    for (const auto& kind : wild_kinds())
        for_all_reductions([&](Collective what, const std::string& algorithm) {
            note_step(std::string(name_of(what)) + ", " + algorithm);
            const auto all = results(summing(wild(what, kind), world_rank()), {algorithm}, 8);
            for (const auto& one : all)
                BOOST_TEST((one == all.front()), name_of(what) << ", " << algorithm);
        });
}

BOOST_AUTO_TEST_CASE(an_allreduce_that_rounds_has_the_same_bits_on_all_ranks) {
    for (const auto& kind : wild_kinds())
        for (const auto& algorithm : algorithms_of(Collective::allreduce))
            for (const auto form : inits) {
                const auto one_case = summing(wild(Collective::allreduce, kind), world_rank());
                const auto result = results(one_case, {algorithm, form}, 1).front();
                BOOST_TEST(same_on_all_ranks(result), algorithm << ", " << name_of(form));
            }
}

BOOST_AUTO_TEST_CASE(a_sum_that_rounds_is_near_the_exact_one) {
    for_all_reductions([&](Collective what, const std::string& algorithm) {
        const auto s = wild(what, wild_kinds().front());
        const auto one_case = summing(s, world_rank());
        const auto got = results(one_case, {algorithm}, 1).front();
        const auto expected = one_case.after(0).recv;
        for (std::size_t at = CollectiveCase::room; at + CollectiveCase::room < got.size();
             at += 8) {
            double one, other;
            if (!has_result(s, world_rank())) break;
            std::memcpy(&one, got.data() + at, sizeof one);
            std::memcpy(&other, expected.data() + at, sizeof other);
            BOOST_TEST(std::abs(one - other) <= 1e-14 * 1e13 * world_size(), algorithm);
        }
    });
}

BOOST_AUTO_TEST_CASE(an_operator_that_does_not_commute_gets_operands_in_the_order_of_ranks) {
    const UserOperators user;
    CollectiveChecks trial(MPI_COMM_WORLD);
    unsigned seed = 0;
    for_all_reductions([&](Collective what, const std::string& algorithm) {
        for (const auto& kind : user.ordered())
            for (const int some : {1, 50}) {
                const int root = static_cast<int>(seed * 5) % world_size();
                const auto one_case = summing(
                    {what, world_size(), root, ++seed % 2 == 0, seed % 3 == 0, some, kind, seed},
                    world_rank());
                trial.run(one_case, {algorithm, inits[seed % 4], "auto", "auto", "50"});
            }
    });
}

BOOST_AUTO_TEST_SUITE_END()
