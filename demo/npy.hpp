// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <fstream>
#include <span>
#include <string>

namespace demo {

/// Writes numbers of a shape such as "96, 96" for numpy.load (its format 1.0).
inline void write_npy(const std::string& path, const std::string& shape,
                      std::span<const double> numbers) {
    std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + ",)}";
    constexpr std::size_t preamble = 10, alignment = 64;
    while ((preamble + header.size() + 1) % alignment != 0) header += ' ';
    header += '\n';
    std::ofstream file(path, std::ios::binary);
    file << "\x93NUMPY\x01" << '\0' << static_cast<char>(header.size() & 0xff)
         << static_cast<char>(header.size() >> 8) << header;
    file.write(reinterpret_cast<const char*>(numbers.data()),
               static_cast<std::streamsize>(numbers.size_bytes()));
}

}  // namespace demo
