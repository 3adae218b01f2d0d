#include "call/known_keys.hpp"

#include "collectives/kind.hpp"
#include "mpi/error.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace carpool::call {
namespace {

constexpr std::string_view prefix = "carpool_";

/// Beside those that name a collective.
constexpr std::string_view keys[] = {
    "carpool_algorithm", "carpool_alpha",           "carpool_beta",    "carpool_check",
    "carpool_choice",    "carpool_digits",          "carpool_measure", "carpool_ports",
    "carpool_rearrange", "carpool_requests",        "carpool_segment", "carpool_sigma",
    "carpool_site",      "carpool_sparse_exchange", "carpool_theta",   "carpool_transfer",
    "carpool_transport", "carpool_shared_memory"};

/// What is read in the environment alone: by the engine, by tools, tests and the command of ours.
constexpr std::string_view elsewhere[] = {"carpool_assumed_mpi", "carpool_command_version",
                                          "carpool_build",       "carpool_command",
                                          "carpool_launch",      "carpool_most_messages",
                                          "carpool_most_ranks",  "carpool_mpi",
                                          "carpool_mpiexec",     "carpool_node",
                                          "carpool_pages",       "carpool_planner",
                                          "carpool_progress",    "carpool_python",
                                          "carpool_wheel_mpi",   "carpool_random_cases",
                                          "carpool_report",      "carpool_seed",
                                          "carpool_slowness",    "carpool_tune",
                                          "carpool_tune_launch", "carpool_tuning"};
constexpr std::string_view of_tests = "carpool_test_";

std::vector<std::string> all_keys() {
    std::vector<std::string> all(std::begin(keys), std::end(keys));
    for (const auto kind : collectives::kinds())
        all.push_back(std::string(prefix) + std::string(name_of(kind)));
    return all;
}

/// How many letters must be put in, left out or replaced.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        auto diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const auto replaced = diagonal + (a[i] != b[j] ? 1 : 0);
            diagonal =
                std::exchange(row[j + 1], std::min(replaced, std::min(row[j], row[j + 1]) + 1));
        }
    }
    return row.back();
}

std::string nearest(std::string_view key) {
    const auto all = all_keys();
    return *std::min_element(all.begin(), all.end(), [key](const auto& a, const auto& b) {
        return distance(key, a) < distance(key, b);
    });
}

std::string in_case(std::string text, int (*change)(int)) {
    for (auto& c : text) c = static_cast<char>(change(static_cast<unsigned char>(c)));
    return text;
}

bool is_of_ours(std::string_view key) {
    return key.starts_with(of_tests) ||
           std::find(std::begin(elsewhere), std::end(elsewhere), key) != std::end(elsewhere);
}

void warn(const std::string& name, const char* where, const std::string& meant) {
    std::fprintf(stderr, "Carpool: %s in %s is unknown, did you mean %s?\n", name.c_str(), where,
                 meant.c_str());
}

/// Is it the first time in this process?
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
    if (!is_first(MPI_COMM_WORLD)) return;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const std::string name(text.substr(0, text.find('=')));
        const auto key = in_case(name, std::tolower);
        if (name.starts_with("CARPOOL_") && !is_known(key) && !is_of_ours(key))
            warn(name, "the environment", in_case(nearest(key), std::toupper));
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
            warn(key, "the info", nearest(key));
    }
}

void warn_of_unknown_variables() {
    static std::once_flag once;
    std::call_once(once, warn_of_variables);
}

}  // namespace carpool::call
