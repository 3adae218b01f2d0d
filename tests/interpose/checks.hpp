// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <vector>

/// What the programs of this folder share. They are MPI programs that know nothing of Carpool.
namespace interposed {

inline int failures = 0;

inline void check(bool holds, const char* what, const char* file, int line) {
    if (holds) return;
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (++failures <= 5)
        std::fprintf(stderr, "%s:%d: rank %d: not so: %s\n", file, line, rank, what);
}

#define CHECK(condition) ::interposed::check(condition, #condition, __FILE__, __LINE__)

/// Ends MPI, and returns the program's exit status: 0 if nothing has failed on any rank.
inline int finish(const char* program, int seed = 0) {
    int all = 0, rank = 0;
    PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (all > 0 && rank == 0)
        std::fprintf(stderr, "%s, seed %d: %d failures\n", program, seed, all);
    MPI_Finalize();
    return all > 0 ? 1 : 0;
}

/// The same random numbers on all ranks.
class Random {
public:
    explicit Random(int seed) : engine_(static_cast<unsigned>(seed)) {}
    int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
    std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }

private:
    std::mt19937 engine_;
};

/// A datatype of one or more ints or doubles, and its extent in bytes.
struct Type {
    MPI_Datatype handle;
    MPI_Aint extent;
    bool predefined;

    static const Type& ints() { return all()[0]; }
    static const Type& doubles_or_ints(Random& random) {
        return all()[std::size_t(random.below(2))];
    }
    static const Type& any(Random& random) { return all()[std::size_t(random.below(5))]; }
    static void free_all() {
        for (auto& type : all())
            if (!type.predefined) MPI_Type_free(&type.handle);
    }

private:
    static std::vector<Type>& all() {
        static std::vector<Type> types = made();
        return types;
    }
    static std::vector<Type> made() {
        std::vector<Type> types{{MPI_INT, 4, true}, {MPI_DOUBLE, 8, true}, {MPI_CHAR, 1, true}};
        MPI_Datatype two = MPI_DATATYPE_NULL, spaced = MPI_DATATYPE_NULL,
                     resized = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(2, MPI_INT, &two);
        MPI_Type_vector(3, 1, 2, MPI_INT, &spaced);  // with holes
        MPI_Type_create_resized(spaced, 0, 24, &resized);
        MPI_Type_free(&spaced);
        MPI_Type_commit(&two);
        MPI_Type_commit(&resized);
        types.push_back({two, 8, false});
        types.push_back({resized, 24, false});
        return types;
    }
};

/// The buffers of one call: two receive buffers, one for each of the functions that make it.
struct Buffers {
    std::vector<char> send, recv, expected;
    std::function<void()> by_host;
    bool is_double = false;
    bool own_recv = false;  ///< what is received depends on what was there: it differs by rank

    void fill(std::vector<char>& buffer, Random& random, bool own) {
        int rank = 0;
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        const int base = random.below(50) + (own ? 7 * (rank + 1) : 0);
        if (is_double) {
            for (std::size_t i = 0; i + 8 <= buffer.size(); i += 8) {
                const double value = base + int(i % 90);  // sums of these are exact
                std::memcpy(&buffer[i], &value, 8);
            }
        } else {
            for (std::size_t i = 0; i < buffer.size(); ++i)
                buffer[i] = char((base + int(i)) % 90 * (i % 4 == 0));
        }
    }
    void refill(Random& random) {
        fill(send, random, true);
        fill(recv, random, own_recv);
        expected = recv;
    }
    void compare() const { CHECK(recv == expected); }
};

/// Buffers of so many elements, with bytes behind them that must stay.
/// @param own_recv  the receive buffer is read, too
inline std::shared_ptr<Buffers> buffers(Random& random, const Type& type, int sent, int received,
                                        bool own_recv = false) {
    constexpr std::size_t behind = 16;
    auto made = std::make_shared<Buffers>();
    made->own_recv = own_recv;
    made->is_double = type.handle == MPI_DOUBLE;
    made->send.resize(std::size_t(sent * type.extent) + behind);
    made->recv.resize(std::size_t(received * type.extent) + behind);
    made->refill(random);
    return made;
}

/// An operator that does not commute: the composition of x -> a * x + b on pairs (a, b).
inline void compose(void* from, void* into, int* count, MPI_Datatype*) {
    const int* f = static_cast<const int*>(from);
    int* g = static_cast<int*>(into);
    for (int i = 0; i < *count; ++i, f += 2, g += 2) {
        const unsigned a = unsigned(g[0]) * unsigned(f[0]);
        const unsigned b = unsigned(g[0]) * unsigned(f[1]) + unsigned(g[1]);
        g[0] = int(a);
        g[1] = int(b);
    }
}

inline MPI_Op affine_op() {
    static const MPI_Op op = [] {
        MPI_Op made = MPI_OP_NULL;
        MPI_Op_create(compose, 0, &made);
        return made;
    }();
    return op;
}

inline MPI_Datatype affine_type() {
    static const MPI_Datatype type = [] {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(2, MPI_INT, &made);
        MPI_Type_commit(&made);
        return made;
    }();
    return type;
}

/// Completes all requests by one of MPI's ways.
inline void complete_all(std::vector<MPI_Request>& requests, int way) {
    const int n = int(requests.size());
    std::vector<MPI_Status> statuses(requests.size());
    std::vector<int> indices(requests.size());
    int flag = 0, index = 0, many = 0;
    switch (way) {
        case 0:
            MPI_Waitall(n, requests.data(), MPI_STATUSES_IGNORE);
            break;
        case 1:
            MPI_Waitall(n, requests.data(), statuses.data());
            break;
        case 2:
            while (flag == 0) MPI_Testall(n, requests.data(), &flag, MPI_STATUSES_IGNORE);
            break;
        case 3:
            for (int left = n; left > 0; --left)
                MPI_Waitany(n, requests.data(), &index, MPI_STATUS_IGNORE);
            break;
        case 4:
            for (int left = n; left > 0; left -= many)
                MPI_Waitsome(n, requests.data(), &many, indices.data(), MPI_STATUSES_IGNORE);
            break;
        case 5:
            for (int left = n; left > 0; left -= std::max(many, 0))
                MPI_Testsome(n, requests.data(), &many, indices.data(), statuses.data());
            break;
        case 6:
            for (int left = n; left > 0; left -= flag)
                MPI_Testany(n, requests.data(), &index, &flag, MPI_STATUS_IGNORE);
            break;
        default:
            for (auto& request : requests) {
                for (flag = 0; flag == 0;)
                    MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
                for (flag = 0; flag == 0;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            }
    }
    if (n == 0) return;
    MPI_Waitall(n, requests.data(), MPI_STATUSES_IGNORE);  // inactive requests and null ones
}

}  // namespace interposed
