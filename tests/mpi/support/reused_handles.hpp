// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <vector>

namespace carpool::tests {

/// Frees datatypes and operators, and makes others that may have the same handles.
class ReusedHandles {
public:
    ReusedHandles() = default;
    ReusedHandles(const ReusedHandles&) = delete;
    ReusedHandles& operator=(const ReusedHandles&) = delete;
    ~ReusedHandles() { free_all(); }

    /// A datatype like this one, to be dropped.
    static MPI_Datatype copy_of(MPI_Datatype type) {
        MPI_Datatype copy = MPI_DATATYPE_NULL;
        MPI_Type_dup(type, &copy);
        MPI_Type_commit(&copy);
        return copy;
    }

    void drop(MPI_Datatype type) {
        MPI_Type_free(&type);
        MPI_Type_contiguous(7, MPI_CHAR, &type);
        MPI_Type_commit(&type);
        types_.push_back(type);
        if (types_.size() + ops_.size() > few) free_all();
    }

    void drop(MPI_Op op, bool commutes) {
        MPI_Op_free(&op);
        MPI_Op_create(spoil, commutes, &op);
        ops_.push_back(op);
    }

private:
    static constexpr std::size_t few = 6;

    /// Spoils the result if a library has kept only the handle of a freed operator.
    static void spoil(void*, void* inout, int*, MPI_Datatype*) {
        *static_cast<char*>(inout) ^= 0x55;
    }

    void free_all() {
        for (auto& type : types_) MPI_Type_free(&type);
        for (auto& op : ops_) MPI_Op_free(&op);
        types_.clear();
        ops_.clear();
    }

    std::vector<MPI_Datatype> types_;
    std::vector<MPI_Op> ops_;
};

}  // namespace carpool::tests
