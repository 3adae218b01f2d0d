// SPDX-License-Identifier: MIT
#include "mpi/comm/found_choices.hpp"

#include "mpi/comm/tuning_file.hpp"
#include "mpi/library.hpp"
#include "mpi/until_end.hpp"
#include "mpi/use.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace carpool::mpi {
namespace {

namespace fs = std::filesystem;

/// The file to which symbolic links lead; it need not exist.
fs::path target_of(fs::path file) {
    constexpr int most_links = 40;
    for (int links = 0; fs::is_symlink(file) && links < most_links; ++links)
        file = file.parent_path() / fs::read_symlink(file);
    return file;
}

/// Another process that reads the file meanwhile gets the old text or the new one, and the
/// permissions of the file are kept. If two jobs end at the same time, one may overwrite what the
/// other has found; then it is found again.
void replace(const std::string& file, const std::string& text) {
    const auto target = target_of(file);
    const fs::path beside = target.string() + '.' + std::to_string(getpid());
    std::error_code failed;
    std::ofstream out(beside, std::ios::binary);
    if (fs::exists(target)) fs::permissions(beside, fs::status(target).permissions(), failed);
    out << text;
    out.close();
    if (out && !failed) fs::rename(beside, target, failed);
    if (out && !failed) return;
    fs::remove(beside, failed);
    throw std::invalid_argument("what was found cannot be written");
}

void write(const std::string& file, const choose::Choices& choices) {
    const auto text = fs::exists(file) ? mpi::tuning_text(file) : choose::no_tuning();
    replace(file, choose::with_choices(text, choose::name_of_mpi(mpi::library_version()), choices));
}

}  // namespace

std::shared_ptr<FoundChoices> FoundChoices::of_process() { return until_end<FoundChoices>(); }

void FoundChoices::add(const std::string& problem, const std::string& taken) {
    constexpr std::size_t most = 4096;
    const std::lock_guard lock(mutex_);
    if (choices_.size() < most) choices_[problem] = taken;
}

std::optional<std::string> FoundChoices::find(const std::string& problem) {
    const std::lock_guard lock(mutex_);
    const auto found = choices_.find(problem);
    return found == choices_.end() ? std::nullopt : std::optional(found->second);
}

void FoundChoices::on_free() {
    const std::lock_guard lock(mutex_);
    const char* const file = mpi::tuning_file_name();
    if (choices_.empty() || file == nullptr || Use::rank() != 0) return;
    mpi::warning_of_tuning(file, [&] { write(file, choices_); });
}

}  // namespace carpool::mpi
