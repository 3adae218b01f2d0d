// SPDX-License-Identifier: MIT
#include "base/expects.hpp"

#include <cstdio>
#include <cstdlib>

namespace carpool::base {

void broken(const char* condition, const char* file, int line, const char* names,
            const CheckedNumbers& numbers) {
    std::fprintf(stderr, "%s:%d: Carpool expects %s", file, line, condition);
    if (numbers.count > 0) std::fprintf(stderr, "; (%s) are", names);
    for (int i = 0; i < numbers.count; ++i)
        std::fprintf(stderr, " %lld", static_cast<long long>(numbers.values[i]));
    std::fputc('\n', stderr);
    std::abort();
}

}  // namespace carpool::base
