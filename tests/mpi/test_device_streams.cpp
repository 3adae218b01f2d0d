// SPDX-License-Identifier: MIT
// ranks: 1 2 3
// sanitize-ranks: 2
//
// Streams of a GPU: what is put on the stream of a communicator or request before a call comes
// before the call, and what is put there after it finds the data.

#include <boost/test/unit_test.hpp>

#include "handles.hpp"
#include "patterns.hpp"
#include "refusal.hpp"
#include "world.hpp"

#include <carpool/carpool.h>
#include <carpool/collectives.h>

#include "device_array.hpp"

#include <array>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_device_streams)

namespace {

using namespace carpool::tests;

void* stream_of_its_own() { return CARPOOL_DRIVER(fake_cuda_stream)(); }

/// A kernel that writes an array: each element becomes that of another array, plus a number.
struct Kernel {
    int* to;
    const int* from;
    std::size_t count;
    int plus;

    static void run(void* self) {
        const auto& [to, from, count, plus] = *static_cast<Kernel*>(self);
        for (std::size_t i = 0; i < count; ++i) to[i] = (from != nullptr ? from[i] : 0) + plus;
    }
};

int* seen(const DeviceArray<int>& array) {
    return static_cast<int*>(CARPOOL_DRIVER(fake_cuda_seen_by_test)(array.get()));
}

/// Kernels that a test puts on streams. They live as long as the streams may work.
class Launches {
public:
    Launches() { kernels_.reserve(most); }
    ~Launches() { CARPOOL_DRIVER(fake_cuda_finish)(); }

    void fill(void* stream, const DeviceArray<int>& array, std::size_t count, int value) {
        put(stream, {seen(array), nullptr, count, value});
    }
    void copy(void* stream, const DeviceArray<int>& from, const DeviceArray<int>& to,
              std::size_t count) {
        put(stream, {seen(to), seen(from), count, 0});
    }

private:
    static constexpr std::size_t most = 100;  // they must not move

    void put(void* stream, const Kernel& kernel) {
        BOOST_REQUIRE(kernels_.size() < most);
        kernels_.push_back(kernel);
        CARPOOL_DRIVER(fake_cuda_launch)(stream, Kernel::run, &kernels_.back());
    }

    std::vector<Kernel> kernels_;
};

constexpr std::size_t count = 3;

/// A sum over all ranks whose summands and result are used on streams alone.
struct Sum {
    DeviceArray<int> mine{count};
    DeviceArray<int> all{count, -1};
    DeviceArray<int> kept{count, -1};
    Launches launches = {};

    /// A kernel writes what the next start is to read.
    void write(void* stream, int step) { launches.fill(stream, mine, count, world_rank() + step); }

    /// A kernel reads what the last start has written.
    void read(void* stream) { launches.copy(stream, all, kept, count); }

    void check(int step) {
        const int sum = world_size() * (world_size() - 1) / 2 + step * world_size();
        BOOST_TEST(kept.values() == std::vector<int>(count, sum), boost::test_tools::per_element());
    }

    Carpool_Request request(MPI_Comm comm) {
        Carpool_Request made = CARPOOL_REQUEST_NULL;
        Carpool_Allreduce_init(mine.get(), all.get(), count, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                               &made);
        return made;
    }

    void call(MPI_Comm comm) {
        Carpool_Allreduce(mine.get(), all.get(), count, MPI_INT, MPI_SUM, comm);
    }
};

void start_and_wait(Carpool_Request& request) {
    BOOST_TEST(Carpool_Start(&request) == MPI_SUCCESS);
    BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_request_works_on_its_stream) {
    auto comm = duplicate_of_world();
    auto* const stream = stream_of_its_own();
    Sum sum;
    auto request = sum.request(comm);
    BOOST_TEST(Carpool_Request_set_stream(request, stream) == MPI_SUCCESS);
    const auto before = counts();
    for (int step = 0; step < 10; ++step) {
        sum.write(stream, step);
        start_and_wait(request);
        sum.read(stream);
    }
    BOOST_TEST(counts().synchronizations == before.synchronizations);
    BOOST_TEST(counts().launches - before.launches == 20);
    sum.check(9);
    Carpool_Request_free(&request);
    CARPOOL_DRIVER(fake_cuda_finish)();
    BOOST_TEST(counts().pinned == 0);
}

BOOST_AUTO_TEST_CASE(calls_work_on_the_stream_of_their_communicator) {
    auto comm = duplicate_of_world();
    auto* const stream = stream_of_its_own();
    BOOST_TEST(Carpool_Comm_set_stream(comm, stream) == MPI_SUCCESS);
    std::array<Sum, 3> sums;
    for (int step = 0; step < 12; ++step) {
        auto& sum = sums.at(static_cast<std::size_t>(step) % sums.size());
        sum.write(stream, step);
        sum.call(comm);
        sum.read(stream);
        if (step >= 9) sum.check(step);
    }
}

BOOST_AUTO_TEST_CASE(a_nonblocking_call_keeps_the_stream_with_which_it_was_made) {
    auto comm = duplicate_of_world();
    std::array<Sum, 4> sums;
    std::array<void*, 4> streams = {};
    std::array<MPI_Request, 4> requests = {};
    for (int round = 0; round < 3; ++round) {
        for (std::size_t i = 0; i < sums.size(); ++i) {
            streams[i] = stream_of_its_own();
            sums[i].write(streams[i], round);
            Carpool_Comm_set_stream(comm, streams[i]);
            Carpool_Iallreduce(sums[i].mine.get(), sums[i].all.get(), count, MPI_INT, MPI_SUM, comm,
                               &requests[i]);
        }
        MPI_Waitall(static_cast<int>(sums.size()), requests.data(), MPI_STATUSES_IGNORE);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i].read(streams[i]);
            sums[i].check(round);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_stream_may_change_between_starts) {
    auto comm = duplicate_of_world();
    Sum sum;
    auto request = sum.request(comm);
    for (int step = 0; step < 6; ++step) {
        auto* const stream = step % 3 == 2 ? nullptr : stream_of_its_own();
        Carpool_Request_set_stream(request, stream);
        sum.write(stream, step);
        start_and_wait(request);
        sum.read(stream);
        sum.check(step);
    }
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(a_rank_that_only_receives_does_not_overwrite_what_is_on_its_way) {
    auto comm = duplicate_of_world();
    auto* const stream = stream_of_its_own();
    Launches launches;
    DeviceArray<int> data(count, -1);
    std::array<DeviceArray<int>, 8> kept{DeviceArray<int>{count}, DeviceArray<int>{count},
                                         DeviceArray<int>{count}, DeviceArray<int>{count},
                                         DeviceArray<int>{count}, DeviceArray<int>{count},
                                         DeviceArray<int>{count}, DeviceArray<int>{count}};
    Carpool_Comm_set_stream(comm, stream);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    Carpool_Bcast_init(data.get(), count, MPI_INT, 0, comm, MPI_INFO_NULL, &request);
    for (int step = 0; step < 8; ++step) {
        if (world_rank() == 0) launches.fill(stream, data, count, step);
        start_and_wait(request);
        launches.copy(stream, data, kept.at(static_cast<std::size_t>(step)), count);
    }
    for (int step = 0; step < 8; ++step)
        BOOST_TEST(
            kept.at(static_cast<std::size_t>(step)).values() == std::vector<int>(count, step),
            boost::test_tools::per_element());
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(a_bundle_has_a_stream_of_its_own) {
    auto comm = duplicate_of_world();
    auto* const stream = stream_of_its_own();
    Sum sums[2];
    Carpool_Request members[] = {sums[0].request(comm), sums[1].request(comm)};
    Carpool_Request bundle = CARPOOL_REQUEST_NULL;
    Carpool_Bundle_init(2, members, comm, MPI_INFO_NULL, &bundle);
    Carpool_Request_set_stream(bundle, stream);
    for (int step = 0; step < 3; ++step) {
        for (auto& sum : sums) sum.write(stream, step);
        start_and_wait(bundle);
        for (auto& sum : sums) sum.read(stream);
    }
    for (auto& sum : sums) sum.check(2);
    for (auto* request : {&bundle, &members[0], &members[1]}) Carpool_Request_free(request);
}

BOOST_AUTO_TEST_CASE(a_request_that_is_planned_in_the_background_takes_a_stream) {
    auto comm = duplicate_of_world();
    auto* const stream = stream_of_its_own();
    Sum sum;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    Carpool_Iallreduce_init(sum.mine.get(), sum.all.get(), count, MPI_INT, MPI_SUM, comm,
                            MPI_INFO_NULL, &request);
    Carpool_Request_set_stream(request, stream);
    sum.write(stream, 1);
    start_and_wait(request);
    sum.read(stream);
    sum.check(1);
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(streams_that_do_not_fit_are_refused) {
    auto comm = duplicate_of_world();
    auto* const stream = stream_of_its_own();
    auto* const of_each_thread = reinterpret_cast<void*>(2);
    auto* const legacy = reinterpret_cast<void*>(1);
    int no_stream = 0;
    Sum sum;
    auto request = sum.request(comm);
    const ExpectedError wrong{MPI_ERR_ARG, {"stream is the default stream of each thread"}};
    expect_refusal("comm", comm, wrong,
                   [&] { return Carpool_Comm_set_stream(comm, of_each_thread); });
    expect_refusal("request", comm, wrong,
                   [&] { return Carpool_Request_set_stream(request, of_each_thread); });
    BOOST_TEST(Carpool_Comm_set_stream(comm, legacy) == MPI_SUCCESS);
    Carpool_Start(&request);
    expect_refusal("active", comm, {MPI_ERR_REQUEST, {"request is active"}},
                   [&] { return Carpool_Request_set_stream(request, stream); });
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    Carpool_Request_set_stream(request, &no_stream);
    expect_refusal("start", comm, {MPI_ERR_OTHER, {"cuLaunchKernel", "400"}},
                   [&] { return Carpool_Start(&request); });
    Carpool_Request_set_stream(request, stream);
    CARPOOL_DRIVER(fake_cuda_capture)(stream, 1);
    expect_refusal("captured", comm, {MPI_ERR_OTHER, {"stream is being captured"}},
                   [&] { return Carpool_Start(&request); });
    CARPOOL_DRIVER(fake_cuda_capture)(stream, 0);
    sum.write(stream, 5);
    start_and_wait(request);
    sum.read(stream);
    sum.check(5);
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(without_a_gpu_a_stream_changes_nothing) {
    auto comm = duplicate_of_world();
    Carpool_Comm_set_stream(comm, stream_of_its_own());
    int mine = 1;
    int all = 0;
    Carpool_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, comm);
    BOOST_TEST(all == world_size());
}

BOOST_AUTO_TEST_SUITE_END()
