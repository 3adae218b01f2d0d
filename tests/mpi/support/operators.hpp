// SPDX-License-Identifier: MIT
#pragma once

#include "handles.hpp"
#include "reduction.hpp"

#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace carpool::tests {

using Op = Owned<MPI_Op, MPI_Op_free>;

inline Op op_of(MPI_User_function* function, bool commutes) {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(function, commutes, &op);
    return Op(op);
}

template <typename Value>
void write_value(std::byte* element, std::uint32_t number) {
    const auto value = static_cast<Value>(number % 1009);
    std::memcpy(element, &value, sizeof value);
}

inline void write_double_int(std::byte* element, std::uint32_t number) {
    write_value<double>(element, number);
    write_value<int>(element + sizeof(double), number / 7);
}

inline void write_complex(std::byte* element, std::uint32_t number) {
    write_value<double>(element, number);
    write_value<double>(element + sizeof(double), number / 11);
}

/// The map x -> a x + b, modulo 2^32. Composing two of them does not commute.
struct Affine {
    std::uint32_t a;
    std::uint32_t b;
};

inline void write_affine(std::byte* element, std::uint32_t number) {
    const Affine map{number | 1, number / 3};
    std::memcpy(element, &map, sizeof map);
}

inline void compose(void* in, void* inout, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) {
        const Affine f = static_cast<Affine*>(in)[i];
        Affine& g = static_cast<Affine*>(inout)[i];
        g = {f.a * g.a, f.a * g.b + f.b};
    }
}

/// Two ints, the first and the third of three; the one in between must not change.
inline constexpr int spread_length = 3;

inline void write_spread(std::byte* element, std::uint32_t number) {
    write_value<int>(element, number);
    write_value<int>(element + 2 * sizeof(int), number / 5);
}

inline void add_spread(void* in, void* inout, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count * spread_length; ++i)
        if (i % spread_length != 1) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

/// Types and operators of all kinds. Owns the handles that are not predefined.
class Kinds {
public:
    Kinds() : compose_(op_of(compose, false)), add_spread_(op_of(add_spread, true)) {
        MPI_Type_contiguous(2, MPI_UINT32_T, &affine_);
        MPI_Type_commit(&affine_);
        MPI_Type_vector(2, 1, 2, MPI_INT, &spread_);
        MPI_Type_commit(&spread_);
    }
    Kinds(const Kinds&) = delete;
    Kinds& operator=(const Kinds&) = delete;
    ~Kinds() {
        MPI_Type_free(&affine_);
        MPI_Type_free(&spread_);
    }

    std::vector<Kind> all() const {
        return {{"int, sum", MPI_INT, MPI_SUM, true, write_value<int>},
                {"double, max", MPI_DOUBLE, MPI_MAX, true, write_value<double>},
                {"double, sum", MPI_DOUBLE, MPI_SUM, true, write_value<double>},
                {"complex, sum", MPI_C_DOUBLE_COMPLEX, MPI_SUM, true, write_complex},
                {"bool, and", MPI_C_BOOL, MPI_LAND, true, write_value<bool>},
                {"byte, xor", MPI_UNSIGNED_CHAR, MPI_BXOR, true, write_value<unsigned char>},
                {"uint64, prod", MPI_UINT64_T, MPI_PROD, true, write_value<std::uint64_t>},
                {"double and int, minloc", MPI_DOUBLE_INT, MPI_MINLOC, true, write_double_int},
                {"int with a hole, user's sum", spread_, add_spread_, true, write_spread},
                {"affine maps, composed", affine_, compose_, false, write_affine}};
    }

private:
    Op compose_;
    Op add_spread_;
    MPI_Datatype affine_ = MPI_DATATYPE_NULL;
    MPI_Datatype spread_ = MPI_DATATYPE_NULL;
};

}  // namespace carpool::tests
