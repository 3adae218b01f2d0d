// SPDX-License-Identifier: MIT
#include "collectives/kind.hpp"

#include <algorithm>
#include <array>

namespace carpool::collectives {
namespace {

struct Entry {
    Kind kind;
    std::string_view name;
    bool reduces;
    bool has_root;
};

constexpr std::array entries{
    Entry{Kind::barrier, "barrier", false, false},
    Entry{Kind::bcast, "bcast", false, true},
    Entry{Kind::gather, "gather", false, true},
    Entry{Kind::scatter, "scatter", false, true},
    Entry{Kind::allgather, "allgather", false, false},
    Entry{Kind::alltoall, "alltoall", false, false},
    Entry{Kind::reduce, "reduce", true, true},
    Entry{Kind::allreduce, "allreduce", true, false},
    Entry{Kind::reduce_scatter, "reduce_scatter", true, false},
    Entry{Kind::scan, "scan", true, false},
    Entry{Kind::exscan, "exscan", true, false},
};

constexpr auto all = [] {
    std::array<Kind, entries.size()> kinds{};
    std::transform(entries.begin(), entries.end(), kinds.begin(),
                   [](const Entry& entry) { return entry.kind; });
    return kinds;
}();

const Entry& entry_of(Kind kind) { return entries[static_cast<std::size_t>(kind)]; }

}  // namespace

std::span<const Kind> kinds() { return all; }

std::string_view name_of(Kind kind) { return entry_of(kind).name; }

std::optional<Kind> find_kind(std::string_view name) {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [name](const Entry& entry) { return entry.name == name; });
    return found == entries.end() ? std::nullopt : std::optional(found->kind);
}

bool reduces(Kind kind) { return entry_of(kind).reduces; }
bool has_root(Kind kind) { return entry_of(kind).has_root; }

}  // namespace carpool::collectives
