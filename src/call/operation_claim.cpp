#include "call/operation_claim.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace carpool::call {
namespace {

// Others, then operations of neighborhoods, then each kind, with one count and with a count per
// rank.

constexpr const char* others[] = {"a halo exchange", "a sparse exchange", "a bundle"};

std::size_t first_kind() { return std::size(others) + schedule::operations().size(); }

std::string text_of(std::size_t what) {
    if (what < std::size(others)) return others[what];
    if (what < first_kind())
        return "neighbor_" + std::string(name_of(schedule::operations()[what - std::size(others)]));
    const auto kind = (what - first_kind()) / 2;
    const bool varies = (what - first_kind()) % 2 == 1;
    return std::string(name_of(collectives::kinds()[kind])) +
           (varies ? " with a count per rank" : "");
}

mpi::Claim claim(std::size_t what) {
    return {"collective operation",
            {static_cast<std::int64_t>(what)},
            {},
            [](std::size_t, std::int64_t value) {
                return mpi::Wording{"collective operation",
                                    text_of(static_cast<std::size_t>(value))};
            }};
}

}  // namespace

mpi::Claim operation_claim(schedule::Operation operation) {
    return claim(std::size(others) + static_cast<std::size_t>(operation));
}

mpi::Claim operation_claim(collectives::Kind kind, bool varies) {
    return claim(first_kind() + 2 * static_cast<std::size_t>(kind) + (varies ? 1 : 0));
}

mpi::Claim operation_claim(Other other) { return claim(static_cast<std::size_t>(other)); }

}  // namespace carpool::call
