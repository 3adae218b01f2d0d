// SPDX-License-Identifier: MIT
// ranks: 1 2 3 5 8
// nightly-ranks: 13 16
// sanitize-ranks: 3 4
//
// Random exchanges of ghosts against a serial oracle, byte for byte: maps of all shapes by all
// rules, on communicators with one rank up to all; several fields of any datatypes, which differ
// between ranks; operators of all kinds; calls of all forms, alone and in bundles, whose datatypes,
// operators and maps are freed as soon as they may be.

#include <boost/test/unit_test.hpp>

#include "delays.hpp"
#include "draws.hpp"
#include "random_ghost_calls.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_ghosts_random)

namespace {

using namespace carpool::tests;

/// Communicators that come and go; each rank is in one of each kind.
class Places {
public:
    struct Place {
        Comm comm;
        std::uint32_t number;  ///< differs between communicators of a kind
    };

    Places() {
        for (int kind = 0; kind < kinds; ++kind) places_.push_back(made(kind));
    }

    const Place& of(int kind) const { return *places_[static_cast<std::size_t>(kind)]; }

    /// @note Collective over MPI_COMM_WORLD.
    void renew(int kind) { places_[static_cast<std::size_t>(kind)] = made(kind); }

    static constexpr int kinds = 6;

private:
    /// All ranks, twice; in descending order; every other rank; two parts; each rank alone.
    static std::unique_ptr<Place> made(int kind) {
        const int rank = world_rank();
        const std::array<int, kinds> colors{0, 0, 0, rank % 2, 2 * rank / world_size(), rank};
        const int color = colors[static_cast<std::size_t>(kind)];
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, color, kind == 2 ? -rank : rank, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        return std::make_unique<Place>(Comm(comm), static_cast<std::uint32_t>(color));
    }

    std::vector<std::unique_ptr<Place>> places_;
};

/// Random maps of ghosts with exchanges.
class Program {
public:
    explicit Program(std::mt19937 random)
        : draws_(random),
          own_(std::mt19937(draws_.bits() + static_cast<unsigned>(world_rank()))),
          delays_(own_.bits()) {
        for (const auto& op : operators_.all())
            ops_.push_back(op_of(op.function == nullptr ? add_all_ints : op.function, op.commutes));
    }

    /// Makes a map or two on a communicator, and exchanges on them. Returns what is wrong.
    std::string step() {
        ++steps_;
        if (draws_.one_in(30)) places_.renew(draws_.between(0, Places::kinds - 1));
        const auto& [comm, number] = places_.of(draws_.between(0, Places::kinds - 1));
        Draws draws(std::mt19937(draws_.bits() + number));
        delays_.maybe();
        RandomGhostMap first(comm, Draws(std::mt19937(draws.bits())), shared_);
        RandomGhostMap second(comm, Draws(std::mt19937(draws.bits())), shared_);
        const bool both = draws.one_in(4);
        auto wrong = first.create();
        if (both) wrong += second.create();
        for (int round = draws.between(1, 4); round > 0 && wrong.empty(); --round) {
            if (!first.is_freed()) wrong += first.exchange(exchanges_);
            if (both && !second.is_freed()) wrong += second.exchange(exchanges_);
        }
        return wrong.empty() ? "" : "step " + std::to_string(steps_) + ", " + wrong;
    }

    std::int64_t exchanges() const { return exchanges_; }

private:
    Draws draws_;
    Draws own_;
    Delays delays_;
    GhostOperators operators_;
    std::vector<Op> ops_;
    EntryTypes types_;
    std::deque<Bytes> memory_;
    ReusedHandles lives_;
    Places places_;
    RandomGhostMap::Shared shared_{operators_, ops_, types_, memory_, lives_, own_};
    int steps_ = 0;
    std::int64_t exchanges_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(random_exchanges_give_what_a_serial_loop_gives) {
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    Program program(seeded());
    const int steps = operations_or(60);
    for (int step = 0; step < steps; ++step) {
        const auto wrong = program.step();
        BOOST_TEST(wrong == "");
        if (anywhere(!wrong.empty())) break;
    }
    if (world_rank() == 0)
        std::fprintf(stderr, "%d steps, %lld exchanges\n", steps,
                     static_cast<long long>(program.exchanges()));
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

BOOST_AUTO_TEST_SUITE_END()
