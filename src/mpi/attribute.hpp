#pragma once

#include "mpi/error.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::mpi {

/// A C++ object cached on communicators. The communicator shares its ownership until it is freed.
///
/// T::on_dup(shared_ptr<T>) says what a duplicate of the communicator gets: an object or null for
/// nothing. on_free() tells the object that its communicator is gone.
template <typename T>
class Attribute {
public:
    static std::shared_ptr<T> find(MPI_Comm comm) {
        const auto* object = stored(comm);
        return object != nullptr ? *object : nullptr;
    }

    /// That which lives as long as the communicator, or null.
    static T* peek(MPI_Comm comm) {
        const auto* object = stored(comm);
        return object != nullptr ? object->get() : nullptr;
    }

    /// The object, made now of these if there is none.
    template <typename... Parts>
    static std::shared_ptr<T> of(MPI_Comm comm, const Parts&... parts) {
        if (auto object = find(comm)) return object;
        auto object = std::make_shared<T>(parts...);
        attach(comm, object);
        return object;
    }

    static void attach(MPI_Comm comm, std::shared_ptr<T> object) {
        auto box = std::make_unique<std::shared_ptr<T>>(std::move(object));
        check(MPI_Comm_set_attr(comm, key(), box.get()), "MPI_Comm_set_attr");
        box.release();  // the delete callback owns it now
    }

private:
    static const std::shared_ptr<T>* stored(MPI_Comm comm) {
        void* value = nullptr;
        int found = 0;
        check(MPI_Comm_get_attr(comm, key(), &value, &found), "MPI_Comm_get_attr");
        return found != 0 ? static_cast<const std::shared_ptr<T>*>(value) : nullptr;
    }

    static int key() {
        static const int value = [] {
            int made = MPI_KEYVAL_INVALID;
            check(MPI_Comm_create_keyval(copy, destroy, &made, nullptr), "MPI_Comm_create_keyval");
            return made;
        }();
        return value;
    }

    static int copy(MPI_Comm, int, void*, void* value, void* copied, int* keep) {
        return guarded([&] {
            auto object = T::on_dup(*static_cast<std::shared_ptr<T>*>(value));
            *keep = object != nullptr ? 1 : 0;
            if (object != nullptr)
                *static_cast<void**>(copied) = new std::shared_ptr<T>(std::move(object));
        });
    }

    static int destroy(MPI_Comm, int, void* value, void*) {
        const std::unique_ptr<std::shared_ptr<T>> box(static_cast<std::shared_ptr<T>*>(value));
        return guarded([&] { (*box)->on_free(); });
    }

    /// No exception may leave a callback of MPI.
    template <typename Body>
    static int guarded(Body body) {
        try {
            body();
            return MPI_SUCCESS;
        } catch (const Error& error) {
            return error_code(error.error_class(), error.what());
        } catch (const std::exception& error) {
            return error_code(MPI_ERR_INTERN, error.what());
        }
    }
};

}  // namespace carpool::mpi
