#pragma once

#include "report/records.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace carpool::report {

/// One algorithm that has been used.
struct Line {
    const Record::Key* key;
    const Record* record;

    /// Whether some starts were not timed.
    bool is_estimated() const { return record->starts.timed() < record->starts.count(); }

    /// The seconds saved against the host MPI's own collective in all starts, if that was measured.
    std::optional<double> saved() const;
};

/// The lines of one operation on communicators of one name and size.
struct Group {
    /// By size; of a size, the algorithm that was chosen last comes first.
    std::vector<Line> lines;
    double seconds = 0;

    const Record::Subject& subject() const { return lines.front().key->subject; }
    bool takes(const Record::Subject& other) const {
        const auto& own = subject();
        return own.comm == other.comm && own.ranks == other.ranks &&
               own.operation == other.operation;
    }
};

/// The records that were used, by operation; the group that took longest comes first.
std::vector<Group> groups_of(const Records& records);

/// The most bytes of a class of sizes.
inline double most_bytes(int size_class) { return std::ldexp(1.0, size_class); }

}  // namespace carpool::report
