// SPDX-License-Identifier: MIT
// ranks: 1 2 4 6
// sanitize-ranks: 2
//
// Derived datatypes: holes, bounds, order of the type map, different types on both sides.

#include <boost/test/unit_test.hpp>

#include "datatypes.hpp"
#include "grid_neighborhood.hpp"

BOOST_AUTO_TEST_SUITE(test_datatypes)

namespace {

using namespace carpool::tests;

constexpr int copies = 2;       // copies of the type in a block
constexpr MPI_Aint room = 512;  // before the first and after the last byte of a block
constexpr MPI_Aint slot = 2 * room;

/// Adds a block of two copies of a type in the middle of slot i.
void add_block(Layout& layout, Side& side, const SixInts& kind, std::size_t i) {
    layout.types.push_back(committed(kind.make()));
    side.types.push_back(layout.types.back());
    side.counts.push_back(copies);
    side.displs.push_back(static_cast<MPI_Aint>(i) * slot + room);
}

/// An alltoallw in which position i sends the chosen kind and receives the i-th kind after it.
Layout one_to_many(std::size_t chosen, const std::vector<SixInts>& kinds, std::size_t t) {
    Layout layout{{Operation::alltoallw, {}, {}}, t * slot, t * slot, {}};
    for (std::size_t i = 0; i < t; ++i) {
        const SixInts& into = kinds[(chosen + i) % kinds.size()];
        add_block(layout, layout.arguments.send, kinds[chosen], i);
        add_block(layout, layout.arguments.recv, into.only_sends ? kinds[0] : into, i);
    }
    return layout;
}

/// A layout with one type on each side, for the operations that take one of each.
Layout one_to_one(Operation operation, const SixInts& from, const SixInts& into, std::size_t t) {
    const auto bytes = 4 * room + static_cast<MPI_Aint>(t + 1) * 8 * room;
    Layout layout{
        {operation, {}, {}}, static_cast<std::size_t>(bytes), static_cast<std::size_t>(bytes), {}};
    for (const auto& [side, shape, kind] :
         {std::tuple(&layout.arguments.send, layout.arguments.send_shape(), &from),
          std::tuple(&layout.arguments.recv, layout.arguments.recv_shape(), &into)}) {
        layout.types.push_back(committed(kind->make()));
        const bool listed = shape == Shape::v || shape == Shape::w;
        const auto blocks = listed ? t : 1;
        const auto step = shape == Shape::w ? slot : 2 * copies;  // bytes, or extents
        side->counts.assign(blocks, copies);
        side->types.assign(shape == Shape::w ? t : 1, layout.types.back());
        for (std::size_t i = 0; i < blocks; ++i)
            side->displs.push_back(static_cast<MPI_Aint>(t - i) * step);
    }
    return layout;
}

std::string run_all(CheckedExchange& exchange, const GridNeighborhood& grid,
                    const std::string& what) {
    for (const char* rule : {"direct", "torus", "cartesian", "basis"})
        for (const char* transfer : {"pack", "types"}) {
            const auto info =
                info_of({{"carpool_algorithm", rule}, {"carpool_transfer", transfer}});
            const auto fault = run_once(exchange, Form::persistent, grid.cart, info);
            if (!fault.empty()) return what + ", " + rule + ", " + transfer + ": " + fault;
        }
    for (Form form : {Form::blocking, Form::nonblocking}) {
        const auto fault = run_once(exchange, form, grid.cart);
        if (!fault.empty()) return what + ", " + name_of(form) + ": " + fault;
    }
    return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(alltoallw_delivers_between_any_two_kinds_of_type) {
    const GridNeighborhood grid(torus_of(2), stencil(2, 4));
    const auto kinds = kinds_of_six_ints();
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        CheckedExchange exchange(one_to_many(k, kinds, grid.neighbors.targets.size()),
                                 grid.neighbors);
        BOOST_TEST(run_all(exchange, grid, kinds[k].name) == "");
    }
}

BOOST_AUTO_TEST_CASE(every_operation_delivers_every_kind_of_type) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    const auto kinds = kinds_of_six_ints();
    for (Operation operation : operations)
        for (std::size_t k = 0; k + 1 < kinds.size(); ++k) {
            const SixInts& into = kinds[(k * 5 + 3) % (kinds.size() - 1)];
            CheckedExchange exchange(one_to_one(operation, kinds[k], into, 8), grid.neighbors,
                                     MPI_COMM_WORLD, room);
            const auto what = std::string(name_of(operation)) + ", " + kinds[k].name;
            BOOST_TEST(run_all(exchange, grid, what) == "");
        }
}

BOOST_AUTO_TEST_CASE(types_freed_right_after_the_call_live_on_in_the_request) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    const auto kinds = kinds_of_six_ints();
    for (const char* transfer : {"pack", "types"})
        for (Form form : {Form::nonblocking, Form::persistent}) {
            CheckedExchange exchange(one_to_many(5, kinds, 8), grid.neighbors);
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            MPI_Request once = MPI_REQUEST_NULL;
            for (int start = 2; start >= 0; --start) exchange.prepare(start);
            const auto info = info_of({{"carpool_transfer", transfer}});
            exchange.make_call({form, grid.cart, info, &request, &once});
            exchange.free_types();
            for (int start = 0; start < (is_persistent(form) ? 3 : 1); ++start) {
                if (is_persistent(form)) {
                    exchange.prepare(start);
                    Carpool_Start(&request);
                }
                Carpool_Wait(&request, MPI_STATUS_IGNORE);
                MPI_Wait(&once, MPI_STATUS_IGNORE);
                BOOST_TEST(exchange.fault() == "", transfer << ", " << name_of(form));
            }
            if (is_persistent(form)) Carpool_Request_free(&request);
        }
}

BOOST_AUTO_TEST_CASE(a_struct_of_several_types_may_be_laid_out_differently_on_both_sides) {
    const int lengths[] = {1, 2, 3};
    const MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
    const MPI_Aint packed[] = {0, 8, 24}, reversed[] = {48, 16, 0};
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    MPI_Datatype one, other;
    MPI_Type_create_struct(3, lengths, packed, parts, &one);
    MPI_Type_create_struct(3, lengths, reversed, parts, &other);
    Layout layout{{Operation::alltoall, {}, {}}, 8 * 64, 8 * 64, {}};
    layout.types.push_back(committed(one));
    layout.types.push_back(committed(other));
    layout.arguments.send = {nullptr, {1}, {}, {one}};
    layout.arguments.recv = {nullptr, {1}, {}, {other}};
    CheckedExchange exchange(std::move(layout), grid.neighbors);
    BOOST_TEST(run_all(exchange, grid, "struct") == "");
}

BOOST_AUTO_TEST_SUITE_END()
