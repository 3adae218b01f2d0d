// SPDX-License-Identifier: MIT
// ranks: 1 2 3 5 8
// nightly-ranks: 4 7 13
// sanitize-ranks: 3
//
// Each call on a torus has blocks of other sizes, types and places than those before, some of them
// empty; several calls are under way at once. Every block arrives, and no other memory changes.

#include <boost/test/unit_test.hpp>

#include "current_step.hpp"
#include "environment.hpp"
#include "grid_neighborhood.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <carpool/carpool.h>

#include <cstddef>
#include <deque>
#include <random>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_changing_sizes_of_neighborhoods)

namespace {

using namespace carpool::tests;

constexpr int room = 600;  // ints of a block and the poison around it
constexpr int poison = -7;

int letter(int from, int position, int call, int i) {
    return (1009 * from + 101 * position + 13 * call + i) % 100003;
}

/// Types of pairs of ints at several distances; with 0, of one int.
std::vector<Type> types_with_gaps() {
    std::vector<Type> types;
    for (int gap = 1; gap < 8; ++gap) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_vector(2, 1, gap, MPI_INT, &type);
        types.push_back(committed(type));
    }
    return types;
}

/// The blocks of one call: position i has the same elements on all ranks.
struct Shape {
    int elements = 0;
    int gap = 0;  ///< between the ints of a pair; 0 for single ints

    int ints() const { return gap == 0 ? elements : 2 * elements; }
    /// Where int k of the block lies.
    int place(int k) const { return gap == 0 ? k : k / 2 * (gap + 1) + k % 2 * gap; }
};

class Call {
public:
    Call(const GridNeighborhood& grid, const std::vector<Type>& types, std::vector<Shape> shapes,
         int number)
        : grid_(grid),
          shapes_(std::move(shapes)),
          number_(number),
          send_(shapes_.size() * room, poison),
          recv_(send_) {
        for (std::size_t i = 0; i < shapes_.size(); ++i) {
            counts_.push_back(shapes_[i].elements);
            places_.push_back(static_cast<MPI_Aint>(i * room * sizeof(int)));
            types_.push_back(
                shapes_[i].gap == 0
                    ? MPI_INT
                    : MPI_Datatype(types[static_cast<std::size_t>(shapes_[i].gap - 1)]));
            for (int k = 0; k < shapes_[i].ints(); ++k)
                send_[at(i, k)] = letter(world_rank(), static_cast<int>(i), number_, k);
        }
    }

    int post(MPI_Request* request) {
        if (request == nullptr)
            return Carpool_Neighbor_alltoallw(send_.data(), counts_.data(), places_.data(),
                                              types_.data(), recv_.data(), counts_.data(),
                                              places_.data(), types_.data(), grid_.cart);
        return Carpool_Ineighbor_alltoallw(send_.data(), counts_.data(), places_.data(),
                                           types_.data(), recv_.data(), counts_.data(),
                                           places_.data(), types_.data(), grid_.cart, request);
    }

    std::string fault() const {
        auto expected = std::vector(recv_.size(), poison);
        for (std::size_t i = 0; i < shapes_.size(); ++i)
            for (int k = 0; k < shapes_[i].ints(); ++k)
                expected[at(i, k)] =
                    letter(grid_.neighbors.sources[i], static_cast<int>(i), number_, k);
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (recv_[i] != expected[i])
                return "int " + std::to_string(i % room) + " of block " + std::to_string(i / room) +
                       " is " + std::to_string(recv_[i]) + ", expected " +
                       std::to_string(expected[i]);
        return "";
    }

private:
    std::size_t at(std::size_t block, int k) const {
        return block * room + static_cast<std::size_t>(shapes_[block].place(k));
    }

    const GridNeighborhood& grid_;
    std::vector<Shape> shapes_;
    int number_;
    std::vector<int> send_, recv_, counts_;
    std::vector<MPI_Aint> places_;
    std::vector<MPI_Datatype> types_;
};

/// The same shapes on all ranks: mostly of one size or of sizes of their own, some of them empty.
std::vector<Shape> draw(std::size_t blocks, std::mt19937& rng) {
    const int most = rng() % 4 == 0 ? 60 : 6;
    const bool alike = rng() % 3 == 0;
    const bool typed = rng() % 2 == 0;
    std::vector<Shape> shapes(blocks);
    for (auto& shape : shapes)
        shape = {static_cast<int>(rng() % static_cast<unsigned>(most)),
                 typed ? static_cast<int>(rng() % 8) : 0};
    for (auto& shape : shapes)
        if (alike) shape = shapes.front();
    return shapes;
}

void check_many(const std::string& what, const GridNeighborhood& grid, std::mt19937& rng) {
    const auto types = types_with_gaps();
    std::deque<Call> under_way;
    std::vector<MPI_Request> requests;
    const auto end_all = [&] {
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        for (const auto& call : under_way)
            BOOST_TEST(call.fault() == "", what << ": " << call.fault());
        under_way.clear();
        requests.clear();
    };
    for (int number = 0; number < 60; ++number) {
        auto& call =
            under_way.emplace_back(grid, types, draw(grid.neighbors.sources.size(), rng), number);
        const bool blocks = rng() % 2 == 0;
        note_step(what + ", call " + std::to_string(number));
        BOOST_TEST(call.post(blocks ? nullptr : &requests.emplace_back(MPI_REQUEST_NULL)) ==
                   MPI_SUCCESS);
        if (rng() % 3 == 0) end_all();
    }
    end_all();
}

}  // namespace

BOOST_AUTO_TEST_CASE(blocks_of_all_sizes_arrive_by_every_rule) {
    auto rng = seeded();
    for (const char* const rule :
         {"auto", "direct", "torus", "cartesian", "basis", "digits", "friends"}) {
        const auto info = info_of({{"carpool_algorithm", rule}});
        check_many(rule, GridNeighborhood(torus_of(2), moore(2, 1), info), rng);
        check_many(rule, GridNeighborhood(torus_of(1), moore(1, 3), info), rng);
    }
}

BOOST_AUTO_TEST_SUITE_END()
