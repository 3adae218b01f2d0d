// SPDX-License-Identifier: MIT
// ranks: 2
// program: own
// sanitize-ranks: none
// one-node: all (of memory within a node)
//
// A long message between ranks that share memory is sent by MPI, and announced by a message through
// memory. A rank that has waited long and looks for a mistake in between must not report one.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "handles.hpp"
#include "refusal.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <array>
#include <chrono>
#include <vector>

namespace {

using namespace carpool::tests;

using Clock = std::chrono::steady_clock;

constexpr int sender = 0;

/// The next probe for a message of one rank lasts until it finds one.
bool lasts = false;
bool found = false;

/// Waits in the probe; the sender begins only after it has begun.
void look_for_long(int source, int tag, MPI_Comm comm) {
    constexpr std::chrono::seconds most(5);
    lasts = false;
    PMPI_Send(nullptr, 0, MPI_BYTE, sender, 0, MPI_COMM_WORLD);
    int flag = 0;
    for (const auto began = Clock::now(); flag == 0 && Clock::now() < began + most;)
        PMPI_Iprobe(source, tag, comm, &flag, MPI_STATUS_IGNORE);
    found = flag != 0;
}

/// A block from the sender to the other rank.
struct LongBlock {
    std::vector<char> sent;
    std::vector<char> received;

    explicit LongBlock(int bytes)
        : sent(world_rank() == sender ? static_cast<std::size_t>(bytes) : 0, 'x'),
          received(world_rank() == sender ? 0 : static_cast<std::size_t>(bytes), ' ') {}

    int call(MPI_Comm comm) {
        const std::array to{0, static_cast<int>(sent.size())};
        const std::array from{static_cast<int>(received.size()), 0};
        const std::array displs{0, 0};
        return Carpool_Alltoallv(sent.data(), to.data(), displs.data(), MPI_CHAR, received.data(),
                                 from.data(), displs.data(), MPI_CHAR, comm);
    }
};

}  // namespace

extern "C" int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
    if (lasts && source != MPI_ANY_SOURCE) look_for_long(source, tag, comm);
    return PMPI_Iprobe(source, tag, comm, flag, status);
}

BOOST_AUTO_TEST_SUITE(test_transport_announcements)

BOOST_AUTO_TEST_CASE(a_message_announced_through_memory_is_not_taken_for_an_error) {
    const Environment choice("CARPOOL_CHOICE", "model");
    constexpr int too_long_for_memory = 1 << 23;
    const auto comm = duplicate_of_world();
    LongBlock block(too_long_for_memory);
    BOOST_TEST_REQUIRE(block.call(comm) == MPI_SUCCESS);
    if (world_rank() == sender)
        MPI_Recv(nullptr, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        lasts = true;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const int code = block.call(comm);
    BOOST_TEST(code == MPI_SUCCESS, text_of(code));
    BOOST_TEST((world_rank() == sender || found));
    BOOST_TEST((block.received == std::vector<char>(block.received.size(), 'x')));
}

BOOST_AUTO_TEST_SUITE_END()
