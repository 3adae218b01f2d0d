#pragma once

#include "shared/mate.hpp"

#include <cstdint>

namespace carpool::shared {

/// The reading of a letter by a mate: what the letter tells of is to stay until then.
struct Reading {
    const Mate* mate;
    std::uint64_t number;  ///< of the letter, 0 for none
    bool notice = false;

    bool ended() const {
        return number == 0 || (notice ? mate->has_read_notice(number) : mate->has_read(number));
    }
};

}  // namespace carpool::shared
