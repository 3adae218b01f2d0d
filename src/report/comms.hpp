// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace carpool::report {

/// What a report calls a communicator.
struct CommLabel {
    std::string one;      ///< "torus 4x4", "a graph"
    std::string several;  ///< "tori 4x4", "graphs"
    int ranks;
    std::string made = {};  ///< "made by the 3rd MPI_Cart_create of MPI_COMM_WORLD", if known
};

/// "1st", "2nd", "3rd", ...
std::string ordinal(int number);

/// The communicators of a report. Those of one kind have equal labels, except for how they were
/// made. The first ones of a kind have a number each and all further ones share one, since a
/// program may make as many as it likes.
class Comms {
public:
    struct Entry {
        CommLabel label;
        int kind;                ///< the number of the first communicator of that kind
        bool is_shared = false;  ///< several communicators may have this number
    };

    static constexpr int most_apart = 64;  ///< numbers for communicators of one kind

    /// Adds a communicator; returns its number.
    int add(CommLabel label);

    const Entry& operator[](int number) const { return entries_[static_cast<std::size_t>(number)]; }

private:
    std::vector<Entry> entries_;
};

}  // namespace carpool::report
