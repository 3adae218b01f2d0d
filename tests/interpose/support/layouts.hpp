// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

namespace interposed {

using Bytes = std::vector<unsigned char>;
inline constexpr unsigned char poison = 0xa7;

/// The basic type that a datatype consists of.
enum class Basic { ints, doubles };

inline MPI_Aint size_of(Basic basic) { return basic == Basic::ints ? 4 : 8; }

/// Writes a number as the basic type.
inline void write(Basic basic, unsigned char* at, int value) {
    const double as_double = value;
    if (basic == Basic::ints)
        std::memcpy(at, &value, sizeof value);
    else
        std::memcpy(at, &as_double, sizeof as_double);
}

/// A datatype, and where its numbers lie, in bytes.
struct Layout {
    MPI_Datatype type;
    Basic basic;
    MPI_Aint extent;
    std::vector<MPI_Aint> offsets;

    int numbers() const { return static_cast<int>(offsets.size()); }
};

/// Some datatypes, with and without holes. Blocks of 6 numbers can be described by each.
class Layouts {
public:
    static constexpr int common_numbers = 6;
    static constexpr int of_each_basic = 3;

    Layouts() {
        for (const Basic basic : {Basic::ints, Basic::doubles}) {
            const auto plain = basic == Basic::ints ? MPI_INT : MPI_DOUBLE;
            const auto size = size_of(basic);
            all_.push_back({plain, basic, size, {0}});
            MPI_Datatype two = MPI_DATATYPE_NULL, spaced = MPI_DATATYPE_NULL,
                         resized = MPI_DATATYPE_NULL;
            MPI_Type_contiguous(2, plain, &two);
            MPI_Type_vector(3, 1, 2, plain, &spaced);
            MPI_Type_create_resized(spaced, 0, 7 * size, &resized);
            MPI_Type_free(&spaced);
            MPI_Type_commit(&two);
            MPI_Type_commit(&resized);
            all_.push_back({two, basic, 2 * size, {0, size}});
            all_.push_back({resized, basic, 7 * size, {0, 2 * size, 4 * size}});
        }
    }
    ~Layouts() {
        for (auto& layout : all_)
            if (layout.numbers() > 1) MPI_Type_free(&layout.type);
    }
    Layouts(const Layouts&) = delete;
    Layouts& operator=(const Layouts&) = delete;

    const Layout& of(Basic basic, int which) const {
        return all_[static_cast<std::size_t>(which) + (basic == Basic::ints ? 0 : of_each_basic)];
    }

private:
    std::vector<Layout> all_;
};

}  // namespace interposed
