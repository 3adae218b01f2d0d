#pragma once

#include "base/mutex.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace carpool::mpi {

/// All objects that the library caches on one communicator, each of another type: a single
/// attribute of MPI's. Any thread may call anything.
class Attributes {
public:
    using Object = std::shared_ptr<void>;

    /// What to do with objects of one type; its address stands for the type.
    struct Type {
        Object (*duplicated)(const Object&);  ///< what a duplicate gets, null for nothing
        void (*freed)(const Object&);
    };

    /// The attributes of a communicator; null where it has none yet. @pre comm is a communicator
    static Attributes* of(MPI_Comm comm);

    /// The same; null also where comm is no communicator, or none any more.
    static Attributes* of_any(MPI_Comm comm);

    /// The attributes of a communicator, made now if it has none.
    static Attributes& made(MPI_Comm comm);

    Object find(const Type* type) const;
    void* peek(const Type* type) const;

    /// The object of that type: the one that is there already, or else this one.
    Object kept(const Type* type, Object object);

    /// Keeps an object instead of the one of that type, if there is one.
    void put(const Type* type, Object object);

private:
    using Entry = std::pair<const Type*, Object>;

    /// The attributes of a communicator that has not been freed.
    struct Latest {
        MPI_Comm comm;
        Attributes* attributes;
    };

    static Attributes* latest(MPI_Comm comm);
    static Attributes* stored(MPI_Comm comm);
    static int keyval();
    static int copy(MPI_Comm, int, void*, void* value, void* copied, int* keep);
    static int destroy(MPI_Comm, int, void* value, void*);

    static void forget(const Attributes* freed);

    const Object* look_up(const Type* type) const;
    Object taken(const Type* type);
    const Type* last_type() const;
    std::unique_ptr<Attributes> duplicated() const;

    // To ask MPI for an attribute takes a sixth of a short call.
    static inline std::array<Latest, 4> latest_ = {};
    static inline std::size_t next_ = 0;

    mutable base::Mutex mutex_;
    std::vector<Entry> entries_;  ///< in the order in which they came
};

}  // namespace carpool::mpi
