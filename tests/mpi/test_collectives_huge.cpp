// SPDX-License-Identifier: MIT
// ranks: none
// nightly-ranks: 2
// program: own
// sanitize-ranks: none
// one-node: all (the blocks are long)
//
// More elements, and more bytes, than fit in an int.

#include <boost/test/unit_test.hpp>

#include "collective_checks.hpp"
#include "current_step.hpp"
#include "resident_memory.hpp"
#include "world.hpp"

#include <cstring>
#include <memory>

namespace {

using namespace carpool::tests;

constexpr MPI_Count beyond_int = (MPI_Count{1} << 31) + 5;
constexpr MPI_Count gibibyte = MPI_Count{1} << 30;

/// Memory that the system does not provide until it is written.
std::unique_ptr<std::byte[]> memory_of(MPI_Count bytes) {
    return std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
}

/// A type of more than 2^31 bytes that repeats the same 32 KiB.
Type repeating() {
    MPI_Datatype type;
    MPI_Type_create_hvector((1 << 16) + 1, 1 << 15, 0, MPI_BYTE, &type);
    return committed(type);
}
constexpr MPI_Count repeating_bytes = (MPI_Count{1} << 31) + (1 << 15);

/// Does the machine have enough free memory? The same answer on all ranks.
bool can_spare(MPI_Count bytes) {
#ifdef CARPOOL_TEST_SANITIZED
    return false;
#endif
    return !anywhere(available_bytes() < bytes);
}

/// A call of any collective with `count` elements of the type in every block.
CollectiveCall call_of(Collective what, MPI_Count count, MPI_Datatype type, std::byte* memory) {
    const auto blocks = static_cast<std::size_t>(world_size());
    const Side side{memory, std::vector(blocks, count), std::vector<MPI_Aint>(blocks, 0),
                    std::vector(blocks, type)};
    return {what, side, side, 0, MPI_BXOR};
}

/// Bytes that differ from place to place, and repeat only after a whole chunk; `mask` is xored to
/// them.
class Motif {
public:
    explicit Motif(std::byte mask = {}) : chunk_(251 << 12) {
        for (std::size_t at = 0; at < chunk_.size(); ++at)
            chunk_[at] = static_cast<std::byte>(at % 251 + at / 251 % 5) ^ mask;
    }

    void write(std::byte* memory, MPI_Count bytes) const {
        each_chunk(bytes, [&](MPI_Count at, std::size_t size) {
            std::memcpy(memory + at, chunk_.data(), size);
            return true;
        });
    }
    bool is_in(const std::byte* memory, MPI_Count bytes) const {
        return each_chunk(bytes, [&](MPI_Count at, std::size_t size) {
            return std::memcmp(memory + at, chunk_.data(), size) == 0;
        });
    }

private:
    template <class Visit>
    bool each_chunk(MPI_Count bytes, Visit visit) const {
        const auto whole = static_cast<MPI_Count>(chunk_.size());
        for (MPI_Count at = 0; at < bytes; at += whole)
            if (!visit(at, static_cast<std::size_t>(std::min(whole, bytes - at)))) return false;
        return true;
    }

    Bytes chunk_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(test_collectives_huge)

BOOST_AUTO_TEST_CASE(elements_of_no_bytes_are_not_moved_one_by_one) {
    MPI_Datatype none;
    MPI_Type_contiguous(0, MPI_INT, &none);
    const auto type = committed(none);
    std::byte memory[8] = {};
    for (const auto what : all_collectives)
        for (const auto& algorithm : algorithms_of(what))
            for (const auto form : {Init::large, Init::large_at_once}) {
                const auto call = call_of(what, beyond_int * 4, type, memory);
                const bool varies = what == Collective::alltoallv || what == Collective::alltoallw;
                if (reduces(what)) continue;
                if (!applies(algorithm, {"", call, true, varies}, world_size())) continue;
                const auto text = std::string(name_of(what)) + ", " + algorithm;
                note_step(text);
                const auto info = CollectiveVariant{algorithm}.info();
                Carpool_Request request = CARPOOL_REQUEST_NULL;
                BOOST_TEST(init(call, {form, MPI_COMM_WORLD, info}, &request) == MPI_SUCCESS, text);
                for (int start = 0; start < 3; ++start)
                    BOOST_TEST(started_and_completed(request, start) == MPI_SUCCESS, text);
                BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS, text);
            }
}

BOOST_AUTO_TEST_CASE(blocks_of_more_than_2_to_the_31_bytes_are_planned) {
    const auto type = repeating();
    const auto memory = memory_of(1 << 16);
    const std::pair<Collective, MPI_Count> sent_by_rank_0[] = {
        {Collective::bcast, 1},     {Collective::scatter, 1},    {Collective::scatterv, 1},
        {Collective::allgather, 1}, {Collective::alltoall, 1},   {Collective::alltoallv, 1},
        {Collective::alltoallw, 1}, {Collective::allgatherv, 1}, {Collective::gather, 0},
        {Collective::gatherv, 0}};
    for (const auto& [what, blocks] : sent_by_rank_0)
        for (const MPI_Count count : {1, 3}) {
            const auto info = CollectiveVariant{std::string(algorithms_of(what)[1])}.info();
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            note_step(name_of(what));
            BOOST_TEST(init(call_of(what, count, type, memory.get()),
                            {Init::large, MPI_COMM_WORLD, info}, &request) == MPI_SUCCESS);
            Carpool_Plan plan{};
            Carpool_Request_get_plan(request, &plan);
            if (world_rank() == 0)
                BOOST_TEST(plan.bytes == blocks * count * repeating_bytes, name_of(what));
            BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS);
        }
}

BOOST_AUTO_TEST_CASE(reductions_of_more_than_2_to_the_31_elements_are_planned) {
    const auto memory = memory_of(2 * beyond_int), result = memory_of(2 * beyond_int);
    for (const auto what : all_collectives)
        for (const auto& algorithm : algorithms_of(what)) {
            if (!reduces(what)) continue;
            auto call = call_of(what, beyond_int, MPI_BYTE, memory.get());
            call.recv.buffer = result.get();
            const auto text = std::string(name_of(what)) + ", " + algorithm;
            note_step(text);
            const auto info = CollectiveVariant{algorithm}.info();
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            BOOST_TEST(init(call, {Init::large, MPI_COMM_WORLD, info}, &request) == MPI_SUCCESS,
                       text);
            Carpool_Plan plan{};
            Carpool_Request_get_plan(request, &plan);
            long long bytes = plan.bytes, total = 0;
            MPI_Allreduce(&bytes, &total, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
            BOOST_TEST(total >= beyond_int, text);
            BOOST_TEST(total <= 3 * beyond_int, text);
            BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS, text);
        }
}

BOOST_AUTO_TEST_CASE(a_broadcast_of_more_than_2_to_the_31_bytes_arrives) {
    if (!can_spare(12 * gibibyte)) return;
    constexpr MPI_Count rest = 64;
    const auto memory = memory_of(beyond_int + rest);
    const Motif motif;
    for (const char* algorithm : {"linear", "scatter-allgather"}) {
        std::memset(memory.get(), 0xA5, static_cast<std::size_t>(beyond_int + rest));
        if (world_rank() == 0) motif.write(memory.get(), beyond_int);
        const auto info = CollectiveVariant{algorithm}.info();
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        Carpool_Bcast_init_c(memory.get(), beyond_int, MPI_BYTE, 0, MPI_COMM_WORLD, info, &request);
        BOOST_TEST(started_and_completed(request) == MPI_SUCCESS);
        BOOST_TEST(motif.is_in(memory.get(), beyond_int), algorithm);
        BOOST_TEST(all_poison({memory.get() + beyond_int, memory.get() + beyond_int + rest}));
        Carpool_Request_free(&request);
    }
}

BOOST_AUTO_TEST_CASE(an_allreduce_of_more_than_2_to_the_31_elements_is_right) {
    if (!can_spare(20 * gibibyte)) return;
    const auto send = memory_of(beyond_int), recv = memory_of(beyond_int);
    const std::byte mask{0x5A};
    if (world_rank() == 0)
        Motif().write(send.get(), beyond_int);
    else
        std::memset(send.get(), 0x5A, static_cast<std::size_t>(beyond_int));
    const auto info = CollectiveVariant{"ring"}.info();
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    Carpool_Allreduce_init_c(send.get(), recv.get(), beyond_int, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD,
                             info, &request);
    BOOST_TEST(started_and_completed(request) == MPI_SUCCESS);
    BOOST_TEST(Motif(mask).is_in(recv.get(), beyond_int));
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_SUITE_END()
