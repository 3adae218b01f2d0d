// SPDX-License-Identifier: MIT
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    fuzz::read(std::string(reinterpret_cast<const char*>(bytes), size));
    return 0;
}
