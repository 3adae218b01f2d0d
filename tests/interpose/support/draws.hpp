// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace interposed {

/// What the draws of a call decide.
namespace draw {
enum { root, in_place, basic, layout, count, gap, value, op, mistakes, mistaken_block, variant };
}

/// The random choices of one call. All ranks have the same, so each knows those of the others.
class Draws {
public:
    explicit Draws(std::uint32_t bits) : bits_(bits) {}

    /// A number below `below` that depends on the arguments alone.
    int of(int what, int a, int b, int below) const {
        auto hash = bits_ + 0x9e3779b9u * number(what);
        for (const int argument : {a, b}) {
            hash = (hash ^ number(argument)) * 2654435761u;
            hash ^= hash >> 15;
        }
        hash *= 2246822519u;
        return static_cast<int>((hash ^ hash >> 13) % number(below));
    }
    int of(int what, int below) const { return of(what, 0, 0, below); }

    /// Other choices, as for the next start of the same call.
    Draws next(int start) const { return Draws(bits_ ^ number(start) * 0x85ebca6bu); }

private:
    static std::uint32_t number(int i) { return static_cast<std::uint32_t>(i); }

    std::uint32_t bits_;
};

}  // namespace interposed
