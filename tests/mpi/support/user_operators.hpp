// SPDX-License-Identifier: MIT
#pragma once

#include "operators.hpp"

#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace carpool::tests {

/// A 2 x 2 matrix of unsigned numbers, modulo 2^32.
struct Matrix {
    std::uint32_t a, b, c, d;
};

inline void write_matrix(std::byte* element, std::uint32_t number) {
    const Matrix m{number, number / 3 + 1, number / 7, number * 5 + 2};
    std::memcpy(element, &m, sizeof m);
}

inline void multiply(void* in, void* inout, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) {
        const Matrix f = static_cast<Matrix*>(in)[i];
        Matrix& g = static_cast<Matrix*>(inout)[i];
        g = {f.a * g.a + f.b * g.c, f.a * g.b + f.b * g.d, f.c * g.a + f.d * g.c,
             f.c * g.b + f.d * g.d};
    }
}

/// An affine map whose factor lies before the element's address and whose summand lies after it,
/// with holes between and around them.
struct FarAffine {
    static constexpr MPI_Aint factor = -8, summand = 4, lb = -16, extent = 40;

    static std::uint32_t get(const std::byte* element, MPI_Aint at) {
        std::uint32_t value;
        std::memcpy(&value, element + at, sizeof value);
        return value;
    }
    static void set(std::byte* element, MPI_Aint at, std::uint32_t value) {
        std::memcpy(element + at, &value, sizeof value);
    }
    static MPI_Datatype type() {
        const int lengths[] = {1, 1};
        const MPI_Aint displs[] = {factor, summand};
        const MPI_Datatype types[] = {MPI_UINT32_T, MPI_UINT32_T};
        MPI_Datatype inner, type;
        MPI_Type_create_struct(2, lengths, displs, types, &inner);
        MPI_Type_create_resized(inner, lb, extent, &type);
        MPI_Type_free(&inner);
        return type;
    }
};

inline void write_far_affine(std::byte* element, std::uint32_t number) {
    FarAffine::set(element, FarAffine::factor, number | 1);
    FarAffine::set(element, FarAffine::summand, number / 3);
}

inline void compose_far(void* in, void* inout, int* count, MPI_Datatype*) {
    using A = FarAffine;
    for (int i = 0; i < *count; ++i) {
        const auto* f = static_cast<std::byte*>(in) + i * A::extent;
        auto* g = static_cast<std::byte*>(inout) + i * A::extent;
        const auto factor = A::get(f, A::factor);
        A::set(g, A::summand, factor * A::get(g, A::summand) + A::get(f, A::summand));
        A::set(g, A::factor, factor * A::get(g, A::factor));
    }
}

/// Takes the left of two operands.
inline void take_left(void* in, void* inout, int* count, MPI_Datatype*) {
    std::memcpy(inout, in, static_cast<std::size_t>(*count) * sizeof(int));
}

inline void add_doubles(void* in, void* inout, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) static_cast<double*>(inout)[i] += static_cast<double*>(in)[i];
}

/// User-defined operators: those of Kinds, and more.
class UserOperators {
public:
    std::vector<Kind> all() const {
        std::vector<Kind> all;
        for (const auto& kind : kinds_.all())
            if (kind.name.find("user") != std::string::npos || !kind.commutes) all.push_back(kind);
        all.push_back({"matrices, multiplied", matrix_, multiply_, false, write_matrix});
        all.push_back({"far affine maps, composed", far_, compose_far_, false, write_far_affine});
        all.push_back({"int, the left", MPI_INT, take_left_, false, write_value<int>});
        all.push_back({"double, user's sum", MPI_DOUBLE, add_, true, write_value<double>});
        return all;
    }

    /// The operators that do not commute.
    std::vector<Kind> ordered() const {
        auto kinds = all();
        std::erase_if(kinds, [](const Kind& kind) { return kind.commutes; });
        return kinds;
    }

private:
    static MPI_Datatype four_words() {
        MPI_Datatype type;
        MPI_Type_contiguous(4, MPI_UINT32_T, &type);
        return type;
    }

    Kinds kinds_;
    Op multiply_{op_of(multiply, false)};
    Op compose_far_{op_of(compose_far, false)};
    Op take_left_{op_of(take_left, false)};
    Op add_{op_of(add_doubles, true)};
    Type matrix_{committed(four_words())};
    Type far_{committed(FarAffine::type())};
};

}  // namespace carpool::tests
