// SPDX-License-Identifier: MIT
#include "interpose/settings.hpp"

#include "interpose/repetition.hpp"
#include "mpi/library.hpp"
#include "mpi/use.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>

namespace carpool::interpose {
namespace {

std::string_view variable(const char* name, const char* otherwise) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : otherwise;
}

void complain(const char* name, std::string_view value, const char* expected) {
    if (mpi::Use::rank() == 0)
        std::fprintf(stderr, "Carpool: %s is '%.*s', expected %s; MPI's own functions are called\n",
                     name, static_cast<int>(value.size()), value.data(), expected);
}

/// Adds the operations that a word of CARPOOL_CALLS stands for; returns whether it is known.
bool add(Settings& settings, std::string_view word) {
    const bool only_persistent = word == "persistent";
    bool known = only_persistent || word == "none";
    for (std::size_t i = 0; i < Settings::operations; ++i) {
        const std::string_view name = names_of_operations[i];
        const bool of_group =
            (word == "neighbor" && is_neighborhood(static_cast<MpiOperation>(i))) ||
            (word == "alltoall" && name.starts_with("alltoall"));
        const bool meant = word == "all" || word == name || of_group;
        known = known || meant;
        if (meant) settings.calls.set(i);
        if (meant || only_persistent) settings.persistent.set(i);
    }
    return known;
}

/// Reads a list such as "neighbor,persistent".
bool add_all(Settings& settings, std::string_view words) {
    for (std::size_t begin = 0; begin <= words.size();) {
        const auto end = std::min(words.find(',', begin), words.size());
        if (!add(settings, words.substr(begin, end - begin))) return false;
        begin = end + 1;
    }
    return true;
}

/// Leaves all operations that add to the host, so that sums have the bits that they always had.
void leave_sums(Settings& settings) {
    for (const auto operation :
         {MpiOperation::reduce, MpiOperation::allreduce, MpiOperation::reduce_scatter_block,
          MpiOperation::reduce_scatter, MpiOperation::scan, MpiOperation::exscan}) {
        settings.calls.reset(index_of(operation));
        settings.persistent.reset(index_of(operation));
    }
}

/// Where calls with new sizes are slower than the host's, a call is taken only if it is asked for.
const char* usual_calls() {
    return mpi::is_open_mpi() ? "neighbor,persistent" : "neighbor,alltoall,persistent";
}

/// About as many calls as adopting a communicator takes time for, so that a program whose calls end
/// just then loses at most as much as it has spent (docs/design/unchanged_programs.md has the
/// table).
int usual_after(MpiOperation operation) {
    if (mpi::is_open_mpi()) return 200;
    return is_neighborhood(operation) ? 20 : 10;
}

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0) return {};
    return value;
}

/// Reads after how many calls Carpool makes them; returns whether that is understood.
bool read_after(Settings& settings) {
    const auto text = variable("CARPOOL_AFTER", "auto");
    const auto many = number(text);
    if (!many && text != "auto") {
        complain("CARPOOL_AFTER", text, "auto or a number of calls");
        return false;
    }
    for (std::size_t i = 0; i < Settings::operations; ++i)
        settings.after[i] = many.value_or(usual_after(static_cast<MpiOperation>(i)));
    settings.only_repeated = mpi::is_open_mpi() && !(many && *many < Repetition::looked_at);
    settings.duplicates_inherit = !mpi::is_open_mpi();
    return true;
}

Settings read() {
    Settings settings;
    const auto whole = variable("CARPOOL", "on");
    if (whole != "on") {  // off is read where this library would be loaded (preload/library.c)
        complain("CARPOOL", whole, "on or off");
        return {};
    }
    const auto calls = variable("CARPOOL_CALLS", usual_calls());
    if (!add_all(settings, calls)) {
        complain("CARPOOL_CALLS", calls,
                 "none, all, or a list of neighbor, alltoall, persistent and names of collectives, "
                 "such as neighbor,allreduce");
        return {};
    }
    settings.words = calls;
    if (!read_after(settings)) return {};
    const auto sums = variable("CARPOOL_SUMS", "any");
    if (sums != "any" && sums != "reproducible") {
        complain("CARPOOL_SUMS", sums, "any or reproducible");
        return {};
    }
    if (sums == "reproducible") leave_sums(settings);
    return settings;
}

}  // namespace

const Settings& Settings::of_process() {
    static const Settings known = read();
    return known;
}

}  // namespace carpool::interpose
