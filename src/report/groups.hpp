// SPDX-License-Identifier: MIT
#pragma once

#include "report/records.hpp"

#include <optional>
#include <string>
#include <vector>

namespace carpool::report {

/// One algorithm that has been used.
struct Line {
    Record::Key key;
    Record record;

    /// Whether some starts were not timed.
    bool is_estimated() const { return record.starts.timed() < record.starts.count(); }

    /// The seconds saved against the host MPI's own collective in all starts, if that was measured.
    std::optional<double> saved() const;
};

/// Calls of one size class of an unchanged program.
struct SizeLine {
    int size_class = 0;
    Calls carpools = {};
    Calls hosts = {};

    /// Carpool's time for a call as a part of the host's, by medians; nothing unless both have made
    /// a number of calls.
    std::optional<double> ratio() const;

    /// The seconds that the host would have taken for Carpool's calls. @pre ratio()
    double by_host() const;

    /// Whether few long calls make up most of the time, so that a comparison says little.
    bool varies() const;
};

/// The starts, or the calls, of one operation on a communicator or on several of one kind.
struct Group {
    std::string comms;  ///< "MPI_COMM_WORLD", "55 graphs"
    bool are_several = false;
    int ranks = 0;     ///< in each
    std::string made;  ///< as in CommLabel, if it is a single one
    std::string operation;
    bool persistent = false;

    std::vector<SizeLine> sizes = {};  ///< the calls of an unchanged program; ascending

    /// By size; of a size, the algorithm that was chosen last comes first.
    std::vector<Line> lines = {};

    /// "persistent neighbor_alltoall on 55 graphs, 4 ranks each"
    std::string title() const;

    bool has_carpools_calls() const;
    double charged() const;  ///< the seconds of all calls or, if none are known, starts
};

/// The groups of all that was recorded; the one that is charged most comes first.
///
/// In an unchanged program each of Carpool's calls is a call of the program; so starts of anything
/// that the program has not called are left out: they are the library's own.
std::vector<Group> groups_of(const RecordedCalls& all);

}  // namespace carpool::report
