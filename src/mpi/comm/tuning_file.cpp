// SPDX-License-Identifier: MIT
#include "mpi/comm/tuning_file.hpp"

#include "mpi/error.hpp"
#include "mpi/library.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace carpool::mpi {
namespace {

constexpr const char* variable = "CARPOOL_TUNING";
constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 24;

choose::MachineTuning understood(const std::string& text) {
    return choose::tuned_in(text, choose::name_of_mpi(library_version()));
}

void warn(const std::string& file, const std::string& what) {
    static std::mutex mutex;
    static auto& told = *new std::set<std::string>;  // lives on after main
    const auto text =
        std::string("carpool: ") + variable + " in the environment is " + file + ": " + what + '\n';
    const std::lock_guard lock(mutex);
    if (told.insert(text).second) std::cerr << text;
}

}  // namespace

const char* tuning_file_name() {
    const char* const name = std::getenv(variable);
    return name != nullptr && *name != '\0' ? name : nullptr;
}

std::string tuning_text(const std::string& file) {
    if (!std::filesystem::is_regular_file(file))  // other files may never end, or block in open()
        throw std::invalid_argument("expected a regular file");
    if (std::filesystem::file_size(file) > most_bytes)
        throw std::invalid_argument("expected no more than 16 MiB");
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
    if (!in.is_open() || in.bad() || text.fail()) throw std::invalid_argument("it cannot be read");
    return text.str();
}

void warning_of_tuning(const std::string& file, const std::function<void()>& act) {
    try {
        act();
    } catch (const std::invalid_argument& error) {
        warn(file, error.what());
    } catch (const std::filesystem::filesystem_error& error) {
        warn(file, error.code().message());
    }
}

TuningFile::TuningFile(MPI_Comm comm) : comm_(comm) {
    int rank = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    const char* const name = tuning_file_name();
    if (rank == 0 && name != nullptr) read(name);
    hear(&bytes_, sizeof(bytes_));
}

/// A file that does not exist yet is no mistake. The other ranks only receive a text that this rank
/// has understood.
void TuningFile::read(const char* name) {
    warning_of_tuning(name, [&] {
        if (!std::filesystem::exists(name)) return;
        auto text = tuning_text(name);
        understood(text);
        text_ = std::move(text);
        bytes_ = static_cast<std::int64_t>(text_.size());
    });
}

/// Broadcasts from the lowest rank.
void TuningFile::hear(void* data, std::int64_t bytes) {
    gathering_ = Gathering(comm_, data, {.first = bytes, .each = 0});
}

bool TuningFile::test() {
    if (!gathering_.test()) return false;
    if (second_) {
        tuned_ = understood(text_);
        return true;
    }
    if (bytes_ == 0) return true;
    second_ = true;
    text_.resize(static_cast<std::size_t>(bytes_));
    hear(text_.data(), bytes_);
    return test();
}

}  // namespace carpool::mpi
