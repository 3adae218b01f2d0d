// SPDX-License-Identifier: MIT
// ranks: 5
// sanitize-ranks: 3
//
// A long run of everything: operations of all families at random, while ranks are late and are
// stopped. Nothing is lost, and memory stays as it is. CARPOOL_TEST_SECONDS says how long.

#include <boost/test/unit_test.hpp>

#include "mixed_families.hpp"
#include "resident_memory.hpp"
#include "seed.hpp"
#include "stopper.hpp"
#include "world.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

BOOST_AUTO_TEST_SUITE(test_soak)

namespace {

using namespace carpool::tests;

#ifdef CARPOOL_TEST_SANITIZED
constexpr std::int64_t slack = 512 << 20;  // AddressSanitizer keeps freed memory
#else
constexpr std::int64_t slack = 24 << 20;
#endif

double seconds() {
    const char* const text = std::getenv("CARPOOL_TEST_SECONDS");
    return text != nullptr ? std::atof(text) : 6;
}

/// What a process holds.
struct Holdings {
    std::int64_t bytes = 0, files = 0;

    static Holdings now() { return {resident_bytes(), open_files()}; }
    void raise(const Holdings& other) {
        bytes = std::max(bytes, other.bytes);
        files = std::max(files, other.files);
    }
};

/// Ends a run after some time by the clock of rank 0, and watches what this rank holds meanwhile.
class Watch {
public:
    explicit Watch(double length) : length_(length) {}

    /// @note Collective over MPI_COMM_WORLD.
    bool goes_on(std::int64_t operations, bool all_is_well) {
        double part = (MPI_Wtime() - begin_) / length_;
        MPI_Bcast(&part, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        (part < 0.5 ? before_ : after_).raise(Holdings::now());
        if (20 * part >= reports_) report(part, operations);
        return part < 1 && !anywhere(!all_is_well);
    }

    /// The most that was held in the first half of the time, and in the second.
    const Holdings& before() const { return before_; }
    const Holdings& after() const { return after_; }

private:
    void report(double part, std::int64_t operations) {
        const auto now = Holdings::now();
        std::int64_t most[] = {now.bytes, -now.bytes, now.files};
        MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
        ++reports_;
        if (world_rank() > 0) return;
        std::fprintf(stderr,
                     "%.0f s: %lld operations, resident %lld to %lld KiB, up to %lld files\n",
                     part * length_, static_cast<long long>(operations),
                     static_cast<long long>(-most[1] >> 10), static_cast<long long>(most[0] >> 10),
                     static_cast<long long>(most[2]));
    }

    double length_, begin_ = MPI_Wtime();
    Holdings before_, after_;
    int reports_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(no_message_is_lost_and_memory_does_not_grow_while_ranks_are_late_and_stopped) {
    auto rng = seeded();
    const Stopper stopper(static_cast<unsigned>(world_rank()));
    MixedFamilies program(rng);
    Watch watch(seconds());
    std::string wrong;
    while (watch.goes_on(program.operations(), wrong.empty())) wrong = program.step();
    BOOST_TEST(wrong == "");
    const auto &before = watch.before(), &after = watch.after();
    BOOST_TEST(after.bytes < before.bytes + slack,
               "grown from " << before.bytes << " bytes to " << after.bytes);
    BOOST_TEST(after.files <= before.files + 4, "from " << before.files << " to " << after.files);
}

BOOST_AUTO_TEST_SUITE_END()
