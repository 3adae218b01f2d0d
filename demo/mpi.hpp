// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/carpool.h>

#include <array>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace demo {

/// Throws with the text that belongs to an MPI error code.
inline void check(int code) {
    if (code == MPI_SUCCESS) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    throw std::runtime_error(std::string(text.data(), length));
}

/// A handle that is released once, by the one who holds it.
template <class Handle, auto release>
class Owned {
public:
    Owned() = default;
    explicit Owned(Handle handle) : handle_(handle), live_(true) {}
    Owned(Owned&& other) noexcept
        : handle_(other.handle_), live_(std::exchange(other.live_, false)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(live_, other.live_);
        return *this;
    }
    ~Owned() {
        if (live_) release(&handle_);
    }

    const Handle& get() const { return handle_; }
    Handle* address() { return &handle_; }

private:
    Handle handle_{};
    bool live_ = false;
};

using Communicator = Owned<MPI_Comm, MPI_Comm_free>;
using Datatype = Owned<MPI_Datatype, MPI_Type_free>;
using Info = Owned<MPI_Info, MPI_Info_free>;

inline int rank_in(MPI_Comm comm) {
    int rank = 0;
    check(MPI_Comm_rank(comm, &rank));
    return rank;
}

inline int size_of(MPI_Comm comm) {
    int size = 0;
    check(MPI_Comm_size(comm, &size));
    return size;
}

/// The largest of every element over all ranks, at rank 0.
inline std::vector<double> maximum_at_root(const std::vector<double>& numbers) {
    std::vector<double> result(numbers.size());
    check(MPI_Reduce(numbers.data(), result.data(), static_cast<int>(numbers.size()), MPI_DOUBLE,
                     MPI_MAX, 0, MPI_COMM_WORLD));
    return result;
}

inline double sum_over_ranks(double number) {
    check(MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    return number;
}

}  // namespace demo
