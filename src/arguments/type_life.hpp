#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::arguments {

/// Knows whether some of the user's datatypes have been freed. MPI deletes the attribute of a
/// derived datatype when that is freed, and only then.
class TypeLives {
public:
    /// Watches a type from now on; predefined ones live for ever.
    void add(MPI_Datatype type);

    /// Whether none of them has been freed. Costs nothing unless some datatype, also of another
    /// call, has been freed since the last time.
    bool alive();

private:
    struct Life {
        std::atomic<bool> ended = false;
    };
    class Attribute;

    std::vector<std::shared_ptr<const Life>> lives_;
    MPI_Datatype last_ = MPI_DATATYPE_NULL;
    std::int64_t ends_ = 0;  // Attribute::ends() when these were last seen alive
};

}  // namespace carpool::arguments
