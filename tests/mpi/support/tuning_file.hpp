// SPDX-License-Identifier: MIT
#pragma once

#include "environment.hpp"
#include "world.hpp"

#include <mpi.h>

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>

namespace carpool::tests {

/// A tuning file that only rank 0 can read: its environment names the file, and that of other ranks
/// names one that does not exist.
class TuningFile {
public:
    explicit TuningFile(const std::string& text)
        : name_("tuning." + std::to_string(getpid()) + ".json"),
          variable_("CARPOOL_TUNING", name_) {
        if (world_rank() == 0) std::ofstream(name_) << text;
    }
    TuningFile(const TuningFile&) = delete;
    TuningFile& operator=(const TuningFile&) = delete;
    ~TuningFile() { std::remove(name_.c_str()); }

    const std::string& name() const { return name_; }

private:
    std::string name_;
    Environment variable_;
};

inline std::string name_of_mpi() {
#ifdef MPICH_VERSION
    return std::string("MPICH ") + MPICH_VERSION;
#else
    const auto number = [](int n) { return std::to_string(n); };
    return "Open MPI " + number(OMPI_MAJOR_VERSION) + '.' + number(OMPI_MINOR_VERSION) + '.' +
           number(OMPI_RELEASE_VERSION);
#endif
}

/// The text of a file with these members, in JSON, for this machine.
inline std::string file_saying(const std::string& members) {
    return R"({"carpool_tuning": 1, "machines": [{"mpi": ")" + name_of_mpi() + "\", " + members +
           "}]}";
}

/// Lengths in bytes, by their names in a tuning file.
using CutOffs = std::map<std::string, std::int64_t>;

inline CutOffs all_cut_offs(std::int64_t bytes) {
    return {{"whole_through_memory", bytes},
            {"put_together_through_memory", bytes},
            {"packed_below", bytes},
            {"packed_below_per_part", bytes},
            {"packed_below_per_piece", bytes}};
}

inline CutOffs random_cut_offs(std::mt19937& random) {
    constexpr std::int64_t lengths[] = {0, 64, 1000, 1 << 13, 1 << 20, std::int64_t{1} << 40};
    auto result = all_cut_offs(0);
    for (auto& [name, bytes] : result) bytes = lengths[random() % std::size(lengths)];
    return result;
}

/// The text of a file with these cut-offs.
inline std::string file_with(const CutOffs& cut_offs) {
    std::string members;
    for (const auto& [name, bytes] : cut_offs)
        members += (members.empty() ? "\"" : ", \"") + name + "\": " + std::to_string(bytes);
    return file_saying(R"("cut_offs": {)" + members + "}");
}

}  // namespace carpool::tests
