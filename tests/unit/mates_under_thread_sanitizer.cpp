// The protocol of letters, notices, staging buffers and roll calls alone, for ThreadSanitizer: what
// weak memory would do to it, no run on a few cores shows. Compiled with that, apart from all other
// tests.

#include "mate_talk.hpp"
#include "notices_talk.hpp"
#include "roll_talk.hpp"
#include "staging_talk.hpp"

#include <cstdio>

int main() {
    const auto seed = first_seed();
    std::printf("CARPOOL_SEED=%llu\n", static_cast<unsigned long long>(seed));
    for (std::uint64_t i = 0; i < 5; ++i)
        if (MateTalk(seed + i).run(1000) != 0 || StagingTalk(seed + i).run(300) != 0 ||
            NoticesTalk(seed + i).run(1000) != 0 || RollTalk(seed + i).run(3, 300) != 0)
            return 1;
    return 0;
}
