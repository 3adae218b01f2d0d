// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/attributes.hpp"

#include <mpi.h>

#include <memory>
#include <utility>

namespace carpool::mpi {

/// A C++ object cached on communicators. The communicator shares its ownership until it is freed.
///
/// T may have T::on_dup(const std::shared_ptr<T>&), which returns what a duplicate of the
/// communicator gets, or null for nothing; without it a duplicate gets nothing. T may have
/// on_free(), which is called when the communicator is freed.
template <typename T>
class Attribute {
public:
    static std::shared_ptr<T> find(MPI_Comm comm) {
        auto* const all = Attributes::of(comm);
        return all != nullptr ? std::static_pointer_cast<T>(all->find(&type)) : nullptr;
    }

    /// The object, which lives as long as the communicator, or null. Also null if comm is not a
    /// communicator, or has been freed.
    static T* peek(MPI_Comm comm) {
        auto* const all = Attributes::of_any(comm);
        return all != nullptr ? static_cast<T*>(all->peek(&type)) : nullptr;
    }

    /// The object, which is made of `parts` if there is none.
    template <typename... Parts>
    static std::shared_ptr<T> of(MPI_Comm comm, const Parts&... parts) {
        if (auto object = find(comm)) return object;
        auto object = std::make_shared<T>(parts...);
        return std::static_pointer_cast<T>(Attributes::made(comm).kept(&type, std::move(object)));
    }

    /// Caches an object in place of the one that the communicator has, if it has one.
    static void attach(MPI_Comm comm, std::shared_ptr<T> object) {
        Attributes::made(comm).put(&type, std::move(object));
    }

private:
    using Object = Attributes::Object;

    static Object duplicated([[maybe_unused]] const Object& object) {
        if constexpr (requires { T::on_dup(std::static_pointer_cast<T>(object)); })
            return T::on_dup(std::static_pointer_cast<T>(object));
        return nullptr;
    }

    static void freed([[maybe_unused]] const Object& object) {
        if constexpr (requires(T& one) { one.on_free(); }) static_cast<T*>(object.get())->on_free();
    }

    static constexpr Attributes::Type type{duplicated, freed};
};

}  // namespace carpool::mpi
