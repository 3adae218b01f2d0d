// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <carpool/cxx/owned.hpp>
#include <complex>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace carpool {

/// The MPI datatype of T. get() returns it, and `length` is the number of its elements in a value
/// of T; without this member it is one. Arithmetic types, enumerations, std::byte, std::complex and
/// std::array have one. A program adds its own types:
///
///     template <>
///     struct carpool::datatype<Particle> : carpool::bytes_of<Particle> {};
///
/// or with a get() that returns a datatype of the program, committed, with the extent of Particle.
/// The program owns that datatype, and frees it after its last use here.
template <typename T>
struct datatype;

/// A type that is sent byte by byte.
template <typename T>
struct bytes_of {
    static_assert(std::is_trivially_copyable_v<T>);
    static MPI_Datatype get() { return MPI_BYTE; }
    static constexpr MPI_Count length = sizeof(T);
};

/// A type that has an MPI datatype.
template <typename T>
concept Datatyped = requires {
    { datatype<std::remove_cv_t<T>>::get() } -> std::same_as<MPI_Datatype>;
};

/// The number of elements of its datatype in a value of T.
template <Datatyped T>
constexpr MPI_Count length_of() {
    if constexpr (requires { datatype<std::remove_cv_t<T>>::length; })
        return datatype<std::remove_cv_t<T>>::length;
    else
        return 1;
}

/// The MPI datatype of T.
template <Datatyped T>
MPI_Datatype datatype_of() {
    return datatype<std::remove_cv_t<T>>::get();
}

/// A datatype that the program has made. The constructor commits it, the destructor frees it.
class Datatype {
public:
    explicit Datatype(MPI_Datatype type) : type_(type) {
        check(MPI_Type_commit(type_.address()), "MPI_Type_commit");
    }
    MPI_Datatype get() const { return type_.get(); }

private:
    detail::Owned<detail::DatatypeKind> type_;
};

namespace detail {

template <typename T>
MPI_Datatype arithmetic_type() {
    if constexpr (std::same_as<T, bool>) return MPI_CXX_BOOL;
    if constexpr (std::same_as<T, char>) return MPI_CHAR;
    if constexpr (std::same_as<T, signed char>) return MPI_SIGNED_CHAR;
    if constexpr (std::same_as<T, unsigned char>) return MPI_UNSIGNED_CHAR;
    if constexpr (std::same_as<T, wchar_t>) return MPI_WCHAR;
    if constexpr (std::same_as<T, short>) return MPI_SHORT;
    if constexpr (std::same_as<T, unsigned short>) return MPI_UNSIGNED_SHORT;
    if constexpr (std::same_as<T, int>) return MPI_INT;
    if constexpr (std::same_as<T, unsigned>) return MPI_UNSIGNED;
    if constexpr (std::same_as<T, long>) return MPI_LONG;
    if constexpr (std::same_as<T, unsigned long>) return MPI_UNSIGNED_LONG;
    if constexpr (std::same_as<T, long long>) return MPI_LONG_LONG;
    if constexpr (std::same_as<T, unsigned long long>) return MPI_UNSIGNED_LONG_LONG;
    if constexpr (std::same_as<T, float>) return MPI_FLOAT;
    if constexpr (std::same_as<T, double>) return MPI_DOUBLE;
    if constexpr (std::same_as<T, long double>) return MPI_LONG_DOUBLE;
}

/// The arithmetic types for which MPI has a datatype: all but char8_t, char16_t and char32_t.
template <typename T>
concept Arithmetic = std::is_arithmetic_v<T> && !std::same_as<T, char8_t> &&
                     !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

}  // namespace detail

template <detail::Arithmetic T>
struct datatype<T> {
    static MPI_Datatype get() { return detail::arithmetic_type<T>(); }
};

template <typename T>
    requires std::is_enum_v<T>
struct datatype<T> : datatype<std::underlying_type_t<T>> {};

template <>
struct datatype<std::byte> {
    static MPI_Datatype get() { return MPI_BYTE; }
};

template <>
struct datatype<std::complex<float>> {
    static MPI_Datatype get() { return MPI_C_FLOAT_COMPLEX; }
};

template <>
struct datatype<std::complex<double>> {
    static MPI_Datatype get() { return MPI_C_DOUBLE_COMPLEX; }
};

template <>
struct datatype<std::complex<long double>> {
    static MPI_Datatype get() { return MPI_C_LONG_DOUBLE_COMPLEX; }
};

template <Datatyped T, std::size_t N>
struct datatype<std::array<T, N>> {
    static MPI_Datatype get() { return datatype_of<T>(); }
    static constexpr MPI_Count length = N * length_of<T>();
};

}  // namespace carpool
