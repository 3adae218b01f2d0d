// SPDX-License-Identifier: MIT
#pragma once

#include "reduction.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace carpool::tests {

/// Elements for each kind of operator whose results are exact in any order of evaluation.
namespace elements {

template <typename Value>
void store(std::byte* element, Value value) {
    constexpr std::size_t significant =
        std::is_same_v<Value, long double> ? 10 : sizeof(Value);  // of x87; the rest stays poison
    std::memcpy(element, &value, significant);
}

template <typename Value>
void any(std::byte* element, std::uint32_t number) {
    store(element, static_cast<Value>(number % 113));
}

/// Small enough that 18 ranks can add them in one byte: beyond that, Open MPI's vector units stop
/// at the largest value and its loops wrap around.
template <typename Value>
void term(std::byte* element, std::uint32_t number) {
    store(element, static_cast<Value>(number % (sizeof(Value) == 1 ? 7 : 113)));
}

/// 1, -1, 2 and 3 for integers; 1, -1, 2 and 1/2 where products of 3 would be rounded.
template <typename Value>
void factor(std::byte* element, std::uint32_t number) {
    const double real[] = {1, -1, 2, 0.5}, whole[] = {1, 3, 2, 1};
    const auto i = number / 5 % 4;
    store(element, static_cast<Value>(std::is_floating_point_v<Value> ? real[i] : whole[i]));
}

/// Nearly always true, since otherwise the logical and of many would always be false.
template <typename Value>
void truth(std::byte* element, std::uint32_t number) {
    store(element, static_cast<Value>(number / 7 % 16 != 0));
}

template <typename Value>
void complex(std::byte* element, std::uint32_t number) {
    any<Value>(element, number);
    any<Value>(element + sizeof(Value), number / 11);
}

/// 2 + i, or that times a power of i: products have no parts that are zero, of either sign.
template <typename Value>
void complex_factor(std::byte* element, std::uint32_t number) {
    const int real[] = {2, -1, -2, 1}, imaginary[] = {1, 2, -1, -2};
    const auto power = number / 3 % 4;
    store(element, static_cast<Value>(real[power]));
    store(element + sizeof(Value), static_cast<Value>(imaginary[power]));
}

/// Few different values, so that the index decides.
template <typename Pair>
void placed(std::byte* element, std::uint32_t number) {
    store(element, static_cast<decltype(Pair::value)>(number / 13 % 3));
    store(element + offsetof(Pair, place), static_cast<int>(number % 1009));
}

template <typename Value>
struct Placed {
    Value value;
    int place;
};

}  // namespace elements

/// Adds the types to which an operator of MPI may be applied.
class PredefinedOperators {
public:
    static std::vector<Kind> all() {
        PredefinedOperators operators;
        operators.integers();
        operators.reals();
        operators.others();
        return std::move(operators.kinds_);
    }

private:
    using Write = void (*)(std::byte*, std::uint32_t);

    void add(const char* type_name, MPI_Datatype type,
             std::vector<std::pair<const char*, MPI_Op>> ops, Write write) {
        for (const auto& [op_name, op] : ops)
            kinds_.push_back({std::string(type_name) + ", " + op_name, type, op, true, write});
    }

    template <typename Value>
    void integer(const char* name, MPI_Datatype type) {
        add(name, type,
            {{"max", MPI_MAX},
             {"min", MPI_MIN},
             {"band", MPI_BAND},
             {"bor", MPI_BOR},
             {"bxor", MPI_BXOR}},
            elements::any<Value>);
        add(name, type, {{"sum", MPI_SUM}}, elements::term<Value>);
        add(name, type, {{"prod", MPI_PROD}}, elements::factor<Value>);
        add(name, type, {{"land", MPI_LAND}, {"lor", MPI_LOR}, {"lxor", MPI_LXOR}},
            elements::truth<Value>);
    }

    template <typename Value>
    void real(const char* name, MPI_Datatype type) {
        add(name, type, {{"max", MPI_MAX}, {"min", MPI_MIN}, {"sum", MPI_SUM}},
            elements::any<Value>);
        add(name, type, {{"prod", MPI_PROD}}, elements::factor<Value>);
    }

    template <typename Value>
    void complex(const char* name, MPI_Datatype type) {
        add(name, type, {{"sum", MPI_SUM}}, elements::complex<Value>);
        add(name, type, {{"prod", MPI_PROD}}, elements::complex_factor<Value>);
    }

    template <typename Value>
    void placed(const char* name, MPI_Datatype type) {
        add(name, type, {{"maxloc", MPI_MAXLOC}, {"minloc", MPI_MINLOC}},
            elements::placed<elements::Placed<Value>>);
    }

    void integers() {
        integer<signed char>("signed char", MPI_SIGNED_CHAR);
        integer<unsigned char>("unsigned char", MPI_UNSIGNED_CHAR);
        integer<short>("short", MPI_SHORT);
        integer<unsigned short>("unsigned short", MPI_UNSIGNED_SHORT);
        integer<int>("int", MPI_INT);
        integer<unsigned>("unsigned", MPI_UNSIGNED);
        integer<long>("long", MPI_LONG);
        integer<unsigned long long>("unsigned long long", MPI_UNSIGNED_LONG_LONG);
        integer<std::int8_t>("int8_t", MPI_INT8_T);
        integer<std::uint64_t>("uint64_t", MPI_UINT64_T);
        integer<MPI_Aint>("MPI_Aint", MPI_AINT);
        integer<MPI_Count>("MPI_Count", MPI_COUNT);
    }

    void reals() {
        real<float>("float", MPI_FLOAT);
        real<double>("double", MPI_DOUBLE);
        real<long double>("long double", MPI_LONG_DOUBLE);
        complex<float>("float complex", MPI_C_FLOAT_COMPLEX);
        complex<double>("double complex", MPI_C_DOUBLE_COMPLEX);
        complex<long double>("long double complex", MPI_C_LONG_DOUBLE_COMPLEX);
    }

    void others() {
        add("bool", MPI_C_BOOL, {{"land", MPI_LAND}, {"lor", MPI_LOR}, {"lxor", MPI_LXOR}},
            elements::truth<bool>);
        add("byte", MPI_BYTE, {{"band", MPI_BAND}, {"bor", MPI_BOR}, {"bxor", MPI_BXOR}},
            elements::any<unsigned char>);
        placed<float>("float and int", MPI_FLOAT_INT);
        placed<double>("double and int", MPI_DOUBLE_INT);
        placed<long>("long and int", MPI_LONG_INT);
        placed<int>("two ints", MPI_2INT);
        placed<short>("short and int", MPI_SHORT_INT);
        placed<long double>("long double and int", MPI_LONG_DOUBLE_INT);
    }

    std::vector<Kind> kinds_;
};

}  // namespace carpool::tests
