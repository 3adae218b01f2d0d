// SPDX-License-Identifier: MIT
#include "assumption.hpp"

#include "choose/tuning_text.hpp"
#include "comm.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace tune {
namespace {

constexpr const char* variable = "CARPOOL_TUNING";

}  // namespace

std::string name_of_mpi() {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    return carpool::choose::name_of_mpi({version, static_cast<std::size_t>(length)});
}

Assumption::Assumption(MPI_Comm comm, const std::string& said) {
    if (rank_in(comm) != 0) return;
    const auto name = "carpool-tune." + std::to_string(getpid()) + ".json";
    file_ = (std::filesystem::temp_directory_path() / name).string();
    std::ofstream out(file_);
    out << R"({"carpool_tuning": 1, "machines": [{"mpi": ")" << name_of_mpi() << "\", " << said
        << "}]}";
    out.close();
    if (!out) throw std::runtime_error(file_ + " cannot be written");
    setenv(variable, file_.c_str(), 1);
}

Assumption::~Assumption() {
    if (file_.empty()) return;
    unsetenv(variable);
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
}

}  // namespace tune
