// SPDX-License-Identifier: MIT
#pragma once

#include "datatypes.hpp"

#include <mpi.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

/// Datatypes with one signature, so that data sent as one may be received as any other.
class TypeFamily {
public:
    /// A unit of the family is `multiple` elements of the type.
    struct Member {
        std::string name;
        MPI_Datatype type;
        int multiple = 1;
    };

    explicit TypeFamily(std::string of) : name(std::move(of)) {}

    /// Adds a predefined type.
    TypeFamily&& has(const char* as, MPI_Datatype type, int multiple = 1) && {
        members.push_back({as, type, multiple});
        return std::move(*this);
    }

    /// Adds a derived type, which lives as long as the family. Host MPIs get derived types wrong
    /// (MPICH 5.0.2 its gather, Open MPI 5.0.11 its alltoallw), so results are compared with the
    /// model alone.
    TypeFamily&& makes(const char* as, MPI_Datatype type) && {
        hosts_agree = false;
        owned_.push_back(committed(type));
        members.push_back({as, owned_.back()});
        return std::move(*this);
    }

    /// Sets which bytes of each element MPI need not move.
    TypeFamily&& padded(MPI_Aint from, MPI_Aint to) && {
        padding_from = from;
        padding_to = to;
        return std::move(*this);
    }

    /// Excludes the family from comparisons with the host MPI, since hosts give different results.
    TypeFamily&& not_for_hosts() && {
        hosts_agree = false;
        return std::move(*this);
    }

    std::string name;
    std::vector<Member> members;
    MPI_Aint padding_from = 0, padding_to = 0;
    bool hosts_agree = true;

private:
    std::deque<Type> owned_;
};

namespace families {

inline TypeFamily six_integers() {
    auto family = TypeFamily("six ints").has("int", MPI_INT, 6);
    for (const auto& kind : kinds_of_six_ints())
        if (!kind.only_sends) std::move(family).makes(kind.name.c_str(), kind.make());
    return family;
}

inline MPI_Datatype fields(MPI_Aint integer, MPI_Aint doubles, MPI_Aint chars) {
    const int lengths[] = {1, 2, 3};
    const MPI_Aint displs[] = {integer, doubles, chars};
    const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
    MPI_Datatype type;
    MPI_Type_create_struct(3, lengths, displs, types, &type);
    return type;
}

inline TypeFamily structures() {
    return TypeFamily("int, two doubles, three chars")
        .makes("ascending", fields(0, 8, 24))
        .makes("descending", fields(40, 16, 0))
        .makes("around zero", fields(-4, 8, -16))
        .makes("resized", six_ints::resized(fields(0, 16, 8), -16, 64));
}

inline TypeFamily double_and_int() {
    const int lengths[] = {1, 1};
    const MPI_Aint displs[] = {8, 0};
    const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
    MPI_Datatype reversed;
    MPI_Type_create_struct(2, lengths, displs, types, &reversed);
    return TypeFamily("double and int")
        .has("as MPI has it", MPI_DOUBLE_INT)
        .makes("reversed", reversed);
}

/// The type itself, and the type with a larger extent.
inline TypeFamily single(const char* name, MPI_Datatype type) {
    MPI_Datatype copy, dense;
    MPI_Type_dup(type, &copy);
    MPI_Type_contiguous(1, type, &dense);
    return TypeFamily(name)
        .has("itself", type)
        .makes("contiguous", dense)
        .makes("resized, lb < 0", six_ints::resized(copy, -16, 48));
}

inline TypeFamily nothing() {
    MPI_Datatype none;
    MPI_Type_contiguous(0, MPI_INT, &none);
    // MPICH's allgatherv looks at counts instead of sizes, and hangs where counts differ.
    return TypeFamily("nothing").makes("no ints", none).has("int", MPI_INT, 0).not_for_hosts();
}

}  // namespace families

inline std::deque<TypeFamily> type_families() {
    using namespace families;
    std::deque<TypeFamily> all;
    all.push_back(six_integers());
    all.push_back(structures());
    all.push_back(double_and_int());
    all.push_back(single("char", MPI_CHAR));
    all.push_back(single("double", MPI_DOUBLE));
    all.push_back(single("double complex", MPI_C_DOUBLE_COMPLEX));
    all.push_back(single("long double", MPI_LONG_DOUBLE).padded(10, 16));
    all.push_back(single("bool", MPI_C_BOOL));
    all.push_back(single("short and int", MPI_SHORT_INT));
    all.push_back(single("long double and int", MPI_LONG_DOUBLE_INT).padded(10, 16));
    all.push_back(single("two ints", MPI_2INT));
    all.push_back(nothing());
    return all;
}

}  // namespace carpool::tests
