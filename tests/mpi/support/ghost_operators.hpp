// SPDX-License-Identifier: MIT
#pragma once

#include "datatypes.hpp"
#include "user_operators.hpp"

#include <mpi.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace carpool::tests {

/// A datatype, and a function that writes an element of it whose value depends on a number.
struct Summable {
    MPI_Datatype type;
    void (*write)(std::byte* element, std::uint32_t number);
    bool rounds = false;  ///< sums of doubles that depend on their order
};

/// An operator, and the datatypes that it reduces.
struct GhostOperator {
    std::string name;
    MPI_Op predefined;            ///< null for a user's
    MPI_User_function* function;  ///< null for a predefined one
    bool commutes;
    std::vector<Summable> types;
};

/// A number whose sums round.
inline void write_uneven(std::byte* element, std::uint32_t number) {
    const double value = 1.0 / (1 + number % 977) - 0.001 * (number % 13);
    std::memcpy(element, &value, sizeof value);
}

template <int length>
void write_ints(std::byte* element, std::uint32_t number) {
    for (int i = 0; i < length; ++i)
        write_value<int>(element + i * static_cast<int>(sizeof(int)), number + 17u * i);
}

/// Adds whatever consists of ints without holes; looks at the datatype, which may be freed.
inline void add_all_ints(void* in, void* inout, int* count, MPI_Datatype* type) {
    int size = 0;
    MPI_Type_size(*type, &size);
    const int ints = *count * (size / static_cast<int>(sizeof(int)));
    for (int i = 0; i < ints; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

/// The ints of six_ints::darray(), of which only MPI knows where they lie.
inline constexpr int dealt[] = {2, 3, 8, 9, 14, 15};
inline constexpr int ints_in_deal = 18;

inline void write_dealt(std::byte* element, std::uint32_t number) {
    for (const int place : dealt)
        write_value<int>(element + place * static_cast<int>(sizeof(int)), number + 3u * place);
}

inline void add_dealt(void* in, void* inout, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i)
        for (const int place : dealt)
            static_cast<int*>(inout)[i * ints_in_deal + place] +=
                static_cast<int*>(in)[i * ints_in_deal + place];
}

/// Operators of all kinds. Owns the datatypes that are not predefined.
class GhostOperators {
public:
    /// A device takes no datatype that only MPI can read.
    GhostOperators() {
        if (std::getenv("CARPOOL_TEST_DEVICE") != nullptr)
            std::erase_if(all_, [](const auto& one) { return one.name == of_darray; });
    }

    const std::vector<GhostOperator>& all() const { return all_; }

private:
    MPI_Datatype made(MPI_Datatype type) {
        types_.push_back(committed(type));
        return types_.back();
    }
    static MPI_Datatype of(int length, MPI_Datatype number) {
        MPI_Datatype type;
        MPI_Type_contiguous(length, number, &type);
        return type;
    }
    static MPI_Datatype spread() {
        MPI_Datatype type;
        MPI_Type_vector(2, 1, 2, MPI_INT, &type);
        return type;
    }

    static constexpr const char* of_darray = "user's sum of a darray";

    std::vector<Type> types_;
    std::vector<GhostOperator> all_{
        {"sum",
         MPI_SUM,
         nullptr,
         true,
         {{MPI_INT, write_value<int>},
          {MPI_DOUBLE, write_uneven, true},
          {MPI_INT64_T, write_value<std::int64_t>},
          {MPI_DOUBLE, write_value<double>},
          {MPI_FLOAT, write_value<float>},
          {MPI_C_DOUBLE_COMPLEX, write_complex}}},
        {"max",
         MPI_MAX,
         nullptr,
         true,
         {{MPI_INT, write_value<int>},
          {MPI_DOUBLE, write_value<double>},
          {MPI_UINT8_T, write_value<std::uint8_t>}}},
        {"min",
         MPI_MIN,
         nullptr,
         true,
         {{MPI_INT64_T, write_value<std::int64_t>}, {MPI_FLOAT, write_value<float>}}},
        {"product", MPI_PROD, nullptr, true, {{MPI_UINT64_T, write_value<std::uint64_t>}}},
        {"exclusive or",
         MPI_BXOR,
         nullptr,
         true,
         {{MPI_UINT8_T, write_value<std::uint8_t>}, {MPI_INT, write_value<int>}}},
        {"minloc", MPI_MINLOC, nullptr, true, {{MPI_DOUBLE_INT, write_double_int}}},
        {"user's sum of ints",
         MPI_OP_NULL,
         add_all_ints,
         true,
         {{MPI_INT, write_value<int>},
          {made(of(3, MPI_INT)), write_ints<3>},
          {made(of(6, MPI_INT)), write_ints<6>}}},
        {"user's sum with holes", MPI_OP_NULL, add_spread, true, {{made(spread()), write_spread}}},
        {"user's sum of doubles",
         MPI_OP_NULL,
         add_doubles,
         true,
         {{MPI_DOUBLE, write_uneven, true}, {MPI_DOUBLE, write_value<double>}}},
        {of_darray, MPI_OP_NULL, add_dealt, true, {{made(six_ints::darray()), write_dealt}}},
        {"composed", MPI_OP_NULL, compose, false, {{made(of(2, MPI_UINT32_T)), write_affine}}},
        {"composed, far",
         MPI_OP_NULL,
         compose_far,
         false,
         {{made(FarAffine::type()), write_far_affine}}},
        {"multiplied", MPI_OP_NULL, multiply, false, {{made(of(4, MPI_UINT32_T)), write_matrix}}},
        {"the left", MPI_OP_NULL, take_left, false, {{MPI_INT, write_value<int>}}}};
};

}  // namespace carpool::tests
