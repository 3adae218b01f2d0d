// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace carpool::mpi {

/// `repeat` pieces of `length` bytes, the first at `offset`, each `stride` bytes after the one
/// before.
struct Run {
    std::int64_t offset;
    std::int64_t length;
    std::int64_t stride;
    std::int64_t repeat;
};

/// The bytes of a datatype in the order of its type map, which is their order in a message.
class Layout {
public:
    /// Reads a datatype by MPI_Type_get_contents; nothing if it takes too many runs, or if its
    /// constructor is not supported (darray).
    static std::optional<Layout> of(MPI_Datatype type);

    /// `count` copies of this layout, one every `stride` bytes; nothing if that takes too many
    /// runs.
    std::optional<Layout> repeated(std::int64_t count, std::int64_t stride) const;

    /// Adds a piece at the end of the type map, joined to the last run if possible.
    void append(Run run);

    /// Adds another layout, shifted by offset. False if that makes too many runs.
    bool append(const Layout& other, std::int64_t offset);

    std::span<const Run> runs() const {
        return several_.empty() ? std::span(&one_, has_one_ ? 1 : 0) : std::span(several_);
    }
    std::int64_t size() const;
    std::int64_t pieces() const;  ///< how many contiguous ones

private:
    Run& last() { return several_.empty() ? one_ : several_.back(); }
    void push_back(const Run& run);

    // most layouts are one run, which is stored in the object itself
    Run one_ = {};
    bool has_one_ = false;
    std::vector<Run> several_;  // all runs, if there are several
};

}  // namespace carpool::mpi
