// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string_view>

namespace fuzz {

/// Runs a reader, which may refuse its input with a text that is not empty.
/// @tparam Refusal  the one exception that the reader may throw
template <typename Refusal = std::invalid_argument, typename Read>
void refuse_or(Read read) {
    try {
        read();
    } catch (const Refusal& why) {
        if (std::string_view(why.what()).empty()) throw;
    }
}

}  // namespace fuzz
