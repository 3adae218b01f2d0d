// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace carpool::mpi {

/// All objects that the library caches on one communicator, each of a different type, in a single
/// MPI attribute. Any thread may call any function.
class Attributes {
public:
    using Object = std::shared_ptr<void>;

    /// The operations on objects of one type; its address identifies the type.
    struct Type {
        Object (*duplicated)(const Object&);  ///< what a duplicate gets, null for nothing
        void (*freed)(const Object&);
    };

    /// The attributes of a communicator; null if it has none yet. @pre comm is a communicator
    static Attributes* of(MPI_Comm comm);

    /// The same; also null if comm is not a communicator, or has been freed.
    static Attributes* of_any(MPI_Comm comm);

    /// The attributes of a communicator, which are made now if it has none.
    static Attributes& made(MPI_Comm comm);

    Attributes() { ++alive_; }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    ~Attributes() { --alive_; }

    Object find(const Type* type) const;
    void* peek(const Type* type) const;

    /// Returns the object of that type that is there already, or else keeps and returns this one.
    Object kept(const Type* type, Object object);

    /// Keeps an object in place of the one of that type, if there is one.
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
    static void free_keyval();

    const Object* look_up(const Type* type) const;
    Object taken(const Type* type);
    const Type* last_type() const;
    std::unique_ptr<Attributes> duplicated() const;

    // Asking MPI for an attribute takes a sixth of a short call, so the latest ones are remembered.
    static inline std::array<Latest, 4> latest_ = {};
    static inline std::size_t next_ = 0;

    static inline std::atomic<int> keyval_ = MPI_KEYVAL_INVALID;  // while any communicator has some
    static inline std::atomic<int> alive_ = 0;

    mutable base::Mutex mutex_;
    std::vector<Entry> entries_;  ///< in the order in which they were added
};

}  // namespace carpool::mpi
