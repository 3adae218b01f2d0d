#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::arguments {

/// Whether some datatypes of the user's are still those that they were. MPI tells by an attribute
/// of a derived type when it is gone; it can tell nothing of a type that no one has freed.
class TypeLives {
public:
    /// Watches a type from now on; predefined ones live for ever.
    void add(MPI_Datatype type);

    /// Do all of them live? Costs nothing unless some type has been freed since the last time,
    /// whosever it was.
    bool alive();

private:
    struct Life {
        std::atomic<bool> ended = false;
    };
    class Attribute;

    std::vector<std::shared_ptr<const Life>> lives_;
    MPI_Datatype last_ = MPI_DATATYPE_NULL;
    std::int64_t ends_ = 0;  // of any types, when these were seen alive
};

}  // namespace carpool::arguments
