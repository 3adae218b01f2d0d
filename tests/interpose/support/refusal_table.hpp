// SPDX-License-Identifier: MIT
#pragma once

#include "../checks.hpp"
#include "checked_calls.hpp"
#include "comm_view.hpp"
#include "creation.hpp"
#include "current_step.hpp"
#include "host_refusals.hpp"
#include "make_collective.hpp"
#include "mistake.hpp"
#include "world.hpp"

#include <mpi.h>

#include <cstdint>
#include <string>

namespace interposed {

/// Makes each mistake that the host is said to refuse, on one rank after the other. Afterwards the
/// communicator must work.
class RefusalTable {
public:
    explicit RefusalTable(const Layouts& layouts) : layouts_(layouts) {}

    void check() const {
        const int rank = rank_in_world(), ranks = ranks_of_world();
        Random random(1);
        for (const auto& creation :
             {duplicate({MPI_COMM_WORLD, rank, ranks, false, false, {}, {}}), half(rank, ranks),
              graph_ring(rank, ranks), distributed_ring(rank, ranks),
              adjacent_graph(random, rank, ranks), grid(random, rank, ranks)})
            check(creation);
    }

private:
    /// Whether the host refuses what `make` does on this rank.
    template <typename Make>
    static void expect_refusal(const std::string& text, Make make) {
        note_step(text);
        interposed::check(make() != MPI_SUCCESS, (text + " is accepted").c_str(), __FILE__,
                          __LINE__);
    }

    template <typename Make>
    static void on_each_rank_in_turn(Make make) {
        for (int rank = 0; rank < ranks_of_world(); ++rank) {
            if (rank == rank_in_world()) make();
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }

    void check(const Creation& creation) const {
        for (const auto& wrong : creation.wrong)
            on_each_rank_in_turn([&] {
                MPI_Comm made = MPI_COMM_NULL;
                expect_refusal(creation.name + " with " + wrong.what,
                               [&] { return wrong.make(Creators::of(Library::by_name), &made); });
            });
        auto view = creation.view;
        creation.right(Creators::of(Library::by_name), &view.comm);
        MPI_Comm_set_errhandler(view.comm, MPI_ERRORS_RETURN);
        for (const auto what : all_collectives)
            if (fits(what, view)) check(what, view);
        MPI_Comm_free(&view.comm);
    }

    void check(Collective what, const CommView& view) const {
        int wrong_before = 0;
        for (const auto form : forms_of_calls)
            for (std::uint32_t bits = 0; bits < 5; ++bits) {
                const Draws draws(bits);
                const auto checked = checked_call(what, form, view, draws, layouts_);
                on_each_rank_in_turn([&] { make_all_mistakes(checked->call(), view, draws); });
                const auto last = checked_call(what, Form::blocking, view, draws, layouts_);
                wrong_before += last->fault().empty() ? 0 : 1;
                make(last->call(), nullptr);
                const auto fault = last->fault();
                interposed::check(fault.empty(), fault.c_str(), __FILE__, __LINE__);
            }
        MPI_Allreduce(MPI_IN_PLACE, &wrong_before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        // A call that delivers nothing must not pass for one that is right. One rank alone may get
        // what it has.
        CHECK(wrong_before > 0 || what == Collective::barrier || view.ranks < ranks_of_world());
    }

    static void make_all_mistakes(const CollectiveCall& right, const CommView& view,
                                  const Draws& draws) {
        for (const auto mistake : all_mistakes) {
            auto call = right;
            if (!host_refuses(mistake, call) || !Spoiler(call, view, draws).make(mistake)) continue;
            expect_refusal(std::string(name_of(call.form)) + " " + name_of(call.what) + " with " +
                               name_of(mistake),
                           [&] {
                               MPI_Request request = MPI_REQUEST_NULL;
                               return make(call,
                                           mistake == Mistake::null_request ? nullptr : &request);
                           });
        }
    }

    const Layouts& layouts_;
};

}  // namespace interposed
