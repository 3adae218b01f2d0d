// SPDX-License-Identifier: MIT
// ranks: 1 2 4 8
// sanitize-ranks: 2
//
// Unusual buffers and sizes: MPI_BOTTOM, empty blocks, a mebibyte per block, borders of a mesh.

#include <boost/test/unit_test.hpp>

#include "grid_neighborhood.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_buffers)

namespace {

using namespace carpool::tests;

constexpr const char* rules[] = {"direct", "torus", "cartesian", "basis"};
constexpr const char* transfers[] = {"pack", "types", "auto"};

/// Replaces the displacements of a w side by addresses, and its buffer by MPI_BOTTOM.
void make_absolute(Side& side) {
    for (MPI_Aint& displ : side.displs)
        displ = MPI_Aint_add(reinterpret_cast<MPI_Aint>(side.buffer), displ);
    side.buffer = MPI_BOTTOM;
}

/// A datatype of three ints at an absolute address.
Type at_address(void* address) {
    const int length = 3;
    MPI_Aint place;
    MPI_Get_address(address, &place);
    MPI_Datatype type;
    MPI_Type_create_hindexed(1, &length, &place, MPI_INT, &type);
    return committed(type);
}

/// t contiguous blocks, with the same count of a type.
Layout regular(Operation operation, MPI_Count count, MPI_Datatype type, std::size_t bytes) {
    const Side side{nullptr, {count}, {}, {type}};
    return {{operation, side, side}, bytes, bytes, {}};
}

std::string run_every_way(CheckedExchange& exchange, const GridNeighborhood& grid) {
    for (const char* rule : rules)
        for (const char* transfer : transfers) {
            const auto info =
                info_of({{"carpool_algorithm", rule}, {"carpool_transfer", transfer}});
            const auto fault = run_once(exchange, Form::persistent, grid.cart, info);
            if (!fault.empty()) return std::string(rule) + ", " + transfer + ": " + fault;
        }
    for (Form form : forms)
        if (const auto fault = run_once(exchange, form, grid.cart); !fault.empty())
            return std::string(name_of(form)) + ": " + fault;
    return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(displacements_from_mpi_bottom_are_addresses) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    auto exchange = grid.exchange(Operation::alltoallw);
    exchange.prepare(0);
    make_absolute(exchange.arguments().send);
    make_absolute(exchange.arguments().recv);
    BOOST_TEST(run_every_way(exchange, grid) == "");
}

BOOST_AUTO_TEST_CASE(only_one_of_both_buffers_may_be_mpi_bottom) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    for (bool sender : {false, true}) {
        auto exchange = grid.exchange(Operation::alltoallw);
        exchange.prepare(0);
        make_absolute(sender ? exchange.arguments().send : exchange.arguments().recv);
        BOOST_TEST(run_every_way(exchange, grid) == "");
    }
}

BOOST_AUTO_TEST_CASE(a_type_of_absolute_addresses_sends_from_mpi_bottom) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    for (Operation operation : {Operation::allgather, Operation::allgatherv}) {
        auto exchange = grid.exchange(operation);
        exchange.prepare(0);
        Side& send = exchange.arguments().send;
        const auto type = at_address(send.buffer);
        send = {MPI_BOTTOM, {1}, {}, {type}};
        BOOST_TEST(run_every_way(exchange, grid) == "", name_of(operation));
    }
}

BOOST_AUTO_TEST_CASE(zero_counts_move_nothing) {
    const GridNeighborhood grid(torus_of(2), stencil(2, 3));
    for (Operation operation : {Operation::alltoall, Operation::allgather}) {
        CheckedExchange exchange(regular(operation, 0, MPI_INT, 64), grid.neighbors);
        BOOST_TEST(run_every_way(exchange, grid) == "", name_of(operation));
        BOOST_TEST(exchange.untouched());
    }
}

BOOST_AUTO_TEST_CASE(zero_counts_allow_null_buffers) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    for (Form form : forms) {
        CheckedExchange exchange(regular(Operation::alltoall, 0, MPI_INT, 0), grid.neighbors);
        exchange.arguments().send.buffer = exchange.arguments().recv.buffer = nullptr;
        BOOST_TEST(run_once(exchange, form, grid.cart) == "", name_of(form));
    }
}

BOOST_AUTO_TEST_CASE(types_of_size_zero_move_nothing_whatever_the_count) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    MPI_Datatype type;
    MPI_Type_contiguous(0, MPI_INT, &type);
    const auto empty = committed(type);
    for (Form form : forms)
        for (MPI_Count count : {MPI_Count{7}, MPI_Count{1} << 33}) {
            if (count > 7 && !is_large(form)) continue;
            CheckedExchange exchange(regular(Operation::alltoall, 7, empty, 64), grid.neighbors);
            exchange.prepare(0);
            exchange.arguments().send.counts = exchange.arguments().recv.counts = {count};
            BOOST_TEST(run_once(exchange, form, grid.cart) == "", name_of(form));
            BOOST_TEST(exchange.untouched());
        }
}

BOOST_AUTO_TEST_CASE(a_mebibyte_per_block_arrives_whole) {
    const GridNeighborhood grid(torus_of(2), {"four ways", 2, {0, 1, 1, 0, 1, 1, -1, 1}});
    const int block = 1 << 20;
    for (Operation operation : {Operation::alltoall, Operation::allgather}) {
        CheckedExchange exchange(regular(operation, block, MPI_BYTE, 4u << 20), grid.neighbors);
        BOOST_TEST(run_every_way(exchange, grid) == "", name_of(operation));
    }
}

BOOST_AUTO_TEST_CASE(tiny_and_huge_blocks_may_stand_in_one_list) {
    const GridNeighborhood grid(torus_of(2), {"four ways", 2, {0, 1, 1, 0, 1, 1, -1, 1}});
    Layout layout{{Operation::alltoallv, {}, {}}, 3u << 20, 3u << 20, {}};
    layout.arguments.send = {nullptr, {1, 1 << 20, 0, 300000}, {0, 8, 77, 2 << 20}, {MPI_BYTE}};
    layout.arguments.recv = layout.arguments.send;
    layout.arguments.recv.displs = {3000000, 5, 9, 1 << 21};
    CheckedExchange exchange(std::move(layout), grid.neighbors);
    BOOST_TEST(run_every_way(exchange, grid) == "");
}

BOOST_AUTO_TEST_CASE(ranks_at_the_border_may_pass_count_zero_for_missing_neighbors) {
    const GridNeighborhood grid(mesh_of(2), moore(2, 1));
    for (Operation operation : {Operation::alltoallv, Operation::alltoallw}) {
        auto exchange = grid.exchange(operation);
        for (std::size_t i = 0; i < 8; ++i) {
            if (grid.neighbors.targets[i] == MPI_PROC_NULL) exchange.arguments().send.counts[i] = 0;
            if (grid.neighbors.sources[i] == MPI_PROC_NULL) exchange.arguments().recv.counts[i] = 0;
        }
        BOOST_TEST(run_every_way(exchange, grid) == "", name_of(operation));
    }
}

BOOST_AUTO_TEST_CASE(blocks_arrive_with_carpool_check_all) {
    const auto careful = info_of({{"carpool_check", "all"}});
    const GridNeighborhood grid(torus_of(2), stencil(2, 4), careful);
    for (Operation operation : operations) {
        auto exchange = grid.exchange(operation);
        for (Form form : forms)
            BOOST_TEST(run_once(exchange, form, grid.cart) == "", name_of(operation)
                                                                      << ", " << name_of(form));
    }
}

BOOST_AUTO_TEST_CASE(ranks_may_set_carpool_transfer_differently) {
    const GridNeighborhood grid(torus_of(2), stencil(2, 4));
    for (Operation operation : operations)
        for (const char* rule : rules) {
            auto exchange = grid.exchange(operation);
            const auto own = info_of(
                {{"carpool_algorithm", rule}, {"carpool_transfer", transfers[world_rank() % 3]}});
            BOOST_TEST(run_once(exchange, Form::persistent, grid.cart, own) == "",
                       name_of(operation) << ", " << rule);
        }
}

BOOST_AUTO_TEST_SUITE_END()
