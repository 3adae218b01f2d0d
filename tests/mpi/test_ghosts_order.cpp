// SPDX-License-Identifier: MIT
// ranks: 1 3 8
// nightly-ranks: 16
// sanitize-ranks: 4
//
// In which order ghosts are added: in the same order in every run, and in the order of ranks where
// that is asked for or an operator does not commute.

#include <boost/test/unit_test.hpp>

#include "current_step.hpp"
#include "environment.hpp"
#include "ghost_arrays.hpp"
#include "handles.hpp"
#include "operators.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "user_operators.hpp"
#include "world.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_ghosts_order)

namespace {

using namespace carpool::tests;

/// The values of all ranks, made from a number of rank and place.
template <typename Value>
class AllValues {
public:
    /// @param value  makes a value of a number
    template <typename Make>
    AllValues(const GhostSets& sets, const Make& make) : sets_(sets) {
        for (std::size_t rank = 0; rank < sets.owned.size(); ++rank) {
            auto& owned = owned_.emplace_back();
            for (std::int64_t i = 0; i < sets.owned[rank]; ++i)
                owned.push_back(
                    make(static_cast<std::uint32_t>(1000 * rank) + static_cast<std::uint32_t>(i)));
            auto& ghosts = ghosts_.emplace_back();
            for (std::size_t i = 0; i < sets.owners[rank].size(); ++i)
                ghosts.push_back(make(static_cast<std::uint32_t>(7777 * (rank + 3) + 13 * i)));
        }
    }

    const std::vector<Value>& owned() const { return owned_[here()]; }
    const std::vector<Value>& ghosts() const { return ghosts_[here()]; }

    /// This rank's entries, each combined with the ghosts of one rank after the other; those of one
    /// rank are combined first.
    template <typename Combine>
    std::vector<Value> in_order(const Combine& combine) const {
        auto result = owned();
        for (std::size_t rank = 0; rank < sets_.owners.size(); ++rank) {
            std::vector<std::optional<Value>> partial(result.size());
            for (std::size_t i = 0; i < sets_.owners[rank].size(); ++i) {
                if (sets_.owners[rank][i] != world_rank()) continue;
                auto& sum = partial[static_cast<std::size_t>(sets_.indices[rank][i])];
                sum = sum ? combine(*sum, ghosts_[rank][i]) : ghosts_[rank][i];
            }
            for (std::size_t entry = 0; entry < result.size(); ++entry)
                if (partial[entry]) result[entry] = combine(result[entry], *partial[entry]);
        }
        return result;
    }

private:
    static std::size_t here() { return static_cast<std::size_t>(world_rank()); }

    const GhostSets& sets_;
    std::vector<std::vector<Value>> owned_;
    std::vector<std::vector<Value>> ghosts_;
};

/// A number whose sums round.
double uneven(std::uint32_t number) { return 1.0 / (1 + number % 977) - 0.001 * (number % 13); }

template <typename Value>
bool same_bits(const std::vector<Value>& a, const std::vector<Value>& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0);
}

std::vector<double> summed(const AllValues<double>& values, Carpool_Ghosts map) {
    auto result = values.owned();
    BOOST_TEST(Carpool_Ghosts_reduce(values.ghosts().data(), result.data(), 1, MPI_DOUBLE, MPI_SUM,
                                     map) == MPI_SUCCESS);
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_operator_that_does_not_commute_takes_ranks_in_order) {
    const auto comm = duplicate_of_world();
    auto rng = seeded();
    MPI_Datatype numbers;
    MPI_Type_contiguous(4, MPI_UINT32_T, &numbers);
    const auto matrix = committed(numbers);
    MPI_Op op;
    MPI_Op_create(multiply, 0, &op);
    for (const auto& shape : ghost_shapes()) {
        note_step(shape);
        const auto sets = random_ghosts(shape, rng);
        const GhostMap map(sets, comm);
        const AllValues<Matrix> values(sets, [](std::uint32_t number) {
            Matrix made;
            write_matrix(reinterpret_cast<std::byte*>(&made), number);
            return made;
        });
        const auto expected = values.in_order([](Matrix a, Matrix b) {
            int one = 1;
            multiply(&a, &b, &one, nullptr);
            return b;
        });
        auto result = values.owned();
        BOOST_TEST(Carpool_Ghosts_reduce(values.ghosts().data(), result.data(), 1, matrix, op,
                                         map) == MPI_SUCCESS);
        BOOST_TEST(same_bits(result, expected), shape);
    }
    MPI_Op_free(&op);
}

BOOST_AUTO_TEST_CASE(reproducible_sums_take_ranks_in_order_whatever_the_rule) {
    const Environment reproducible("CARPOOL_SUMS", "reproducible");
    const auto comm = duplicate_of_world();
    auto rng = seeded();
    for (const auto& shape : ghost_shapes())
        for (const char* rule : {"auto", "node", "friends"}) {
            note_step(shape);
            const auto sets = random_ghosts(shape, rng);
            const GhostMap map(sets, comm, info_of({{"carpool_algorithm", rule}}));
            const AllValues<double> values(sets, uneven);
            const auto expected = values.in_order([](double a, double b) { return a + b; });
            BOOST_TEST(same_bits(summed(values, map), expected), shape << ", " << rule);
        }
}

BOOST_AUTO_TEST_CASE(sums_that_round_keep_their_bits) {
    const auto comm = duplicate_of_world();
    auto rng = seeded();
    for (const auto& shape : ghost_shapes()) {
        note_step(shape);
        const auto sets = random_ghosts(shape, rng);
        const AllValues<double> values(sets, uneven);
        std::vector<double> first;
        for (int made = 0; made < 2; ++made) {
            const GhostMap map(sets, comm);
            for (int call = 0; call < 3; ++call) {
                const auto result = summed(values, map);
                if (made == 0 && call == 0) first = result;
                BOOST_TEST(same_bits(result, first), shape);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(settings_of_sums_that_differ_are_refused) {
    if (world_size() == 1) return;
    const auto comm = duplicate_of_world();
    std::optional<Environment> reproducible;
    if (world_rank() == 0) reproducible.emplace("CARPOOL_SUMS", "reproducible");
    expect_refusal(
        "sums that are reproducible on one rank", comm,
        {MPI_ERR_ARG, {"Carpool_Ghosts_create", "CARPOOL_SUMS in the environment is"}}, [&] {
            Carpool_Ghosts map = CARPOOL_GHOSTS_NULL;
            return Carpool_Ghosts_create(comm, 0, 0, nullptr, nullptr, MPI_INFO_NULL, &map);
        });
}

BOOST_AUTO_TEST_SUITE_END()
