// SPDX-License-Identifier: MIT
#include "arguments/known_keys.hpp"

#include "collectives/kind.hpp"
#include "mpi/error.hpp"
#include "mpi/use.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace carpool::arguments {
namespace {

constexpr std::string_view prefix = "carpool_";

/// All keys but those that name a collective.
constexpr std::string_view keys[] = {
    "carpool_algorithm", "carpool_alpha",    "carpool_beta",      "carpool_check",
    "carpool_choice",    "carpool_digits",   "carpool_ports",     "carpool_rearrange",
    "carpool_requests",  "carpool_segment",  "carpool_sigma",     "carpool_sparse_exchange",
    "carpool_theta",     "carpool_transfer", "carpool_transport", "carpool_shared_memory"};

/// Variables that are not keys: the engine, tools, tests and the command `carpool` read them.
constexpr std::string_view in_environment_alone[] = {
    "carpool_after",        "carpool_assumed_mpi", "carpool_calls",       "carpool_command_version",
    "carpool_build",        "carpool_command",     "carpool_launch",      "carpool_most_messages",
    "carpool_most_ranks",   "carpool_mpi",         "carpool_wait_report", "carpool_timeout",
    "carpool_mpiexec",      "carpool_node",        "carpool_pages",       "carpool_planner",
    "carpool_preload",      "carpool_progress",    "carpool_python",      "carpool_wheel_mpi",
    "carpool_random_cases", "carpool_report",      "carpool_seed",        "carpool_slowness",
    "carpool_sums",         "carpool_tune",        "carpool_tune_launch", "carpool_tuning"};
constexpr std::string_view of_tests = "carpool_test_";

std::vector<std::string> all_keys() {
    std::vector<std::string> all(std::begin(keys), std::end(keys));
    for (const auto kind : collectives::kinds())
        all.push_back(std::string(prefix) + std::string(name_of(kind)));
    return all;
}

std::vector<std::string> all_variables() {
    auto all = all_keys();
    all.insert(all.end(), std::begin(in_environment_alone), std::end(in_environment_alone));
    return all;
}

/// The edit distance: how many letters must be inserted, removed, replaced, or swapped with the
/// next one.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> of_parts(a.size() + 1,
                                                   std::vector<std::size_t>(b.size() + 1));
    std::iota(of_parts[0].begin(), of_parts[0].end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        of_parts[i][0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto replaced = of_parts[i - 1][j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
            auto& least = of_parts[i][j];
            least = std::min({replaced, of_parts[i - 1][j] + 1, of_parts[i][j - 1] + 1});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) least = std::min(least, of_parts[i - 2][j - 2] + 1);
        }
    }
    return of_parts.back().back();
}

/// The known key that may have been meant: at most a third of the letters after the prefix differ.
std::optional<std::string> nearest(std::string_view key, const std::vector<std::string>& known) {
    const auto found = std::min_element(
        known.begin(), known.end(),
        [key](const auto& a, const auto& b) { return distance(key, a) < distance(key, b); });
    const bool is_near = 3 * distance(key, *found) <= key.size() - prefix.size();
    return is_near ? std::optional(*found) : std::nullopt;
}

std::string in_case(std::string text, int (*change)(int)) {
    for (auto& c : text) c = static_cast<char>(change(static_cast<unsigned char>(c)));
    return text;
}

bool is_in_environment_alone(std::string_view key) {
    const auto* const end = std::end(in_environment_alone);
    return std::find(std::begin(in_environment_alone), end, key) != end;
}

/// @param meant  a known name, if one is near
void warn(const std::string& name, const char* where, const std::optional<std::string>& meant) {
    const auto hint = meant ? ", did you mean " + *meant + "?" : "";
    std::fprintf(stderr, "Carpool: %s in %s is unknown%s\n", name.c_str(), where, hint.c_str());
}

void warn_of_key(const std::string& key) {
    if (!is_in_environment_alone(key)) return warn(key, "the info", nearest(key, all_keys()));
    std::fprintf(stderr, "Carpool: %s in the info is read in the environment alone, as %s\n",
                 key.c_str(), in_case(key, std::toupper).c_str());
}

void warn_of_variable(const std::string& name, const std::string& key) {
    auto meant = nearest(key, all_variables());
    if (meant) meant = in_case(*meant, std::toupper);
    warn(name, "the environment", meant);
}

/// Whether this process asks about the key for the first time.
bool is_news(const std::string& key) {
    static std::mutex mutex;
    static std::set<std::string> told;
    const std::lock_guard lock(mutex);
    return told.insert(key).second;
}

bool is_first(MPI_Comm comm) {
    int rank = 0;
    mpi::check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    return rank == 0;
}

void warn_of_variables() {
    if (mpi::Use::rank() != 0) return;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const std::string name(text.substr(0, text.find('=')));
        const auto key = in_case(name, std::tolower);
        if (name.starts_with("CARPOOL_") && !is_known(key) && !is_in_environment_alone(key) &&
            !key.starts_with(of_tests))
            warn_of_variable(name, key);
    }
}

}  // namespace

bool is_known(std::string_view key) {
    if (!key.starts_with(prefix)) return false;
    return std::find(std::begin(keys), std::end(keys), key) != std::end(keys) ||
           collectives::find_kind(key.substr(prefix.size())).has_value();
}

void warn_of_unknown_keys(MPI_Info info, MPI_Comm comm) {
    if (info == MPI_INFO_NULL || !is_first(comm)) return;
    int number = 0;
    mpi::check(MPI_Info_get_nkeys(info, &number), "MPI_Info_get_nkeys");
    for (int i = 0; i < number; ++i) {
        char key[MPI_MAX_INFO_KEY + 1] = "";
        mpi::check(MPI_Info_get_nthkey(info, i, key), "MPI_Info_get_nthkey");
        if (std::string_view(key).starts_with(prefix) && !is_known(key) && is_news(key))
            warn_of_key(key);
    }
}

void warn_of_unknown_variables() {
    static std::once_flag once;
    std::call_once(once, warn_of_variables);
}

}  // namespace carpool::arguments
