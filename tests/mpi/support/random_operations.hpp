// SPDX-License-Identifier: MIT
#pragma once

#include "world.hpp"

#include <carpool/carpool.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace carpool::tests {

/// Adds ints, given any type that consists of them. Reads the type, which its user may have freed.
inline void add_ints(void* in, void* inout, int* count, MPI_Datatype* type) {
    int size = 0;
    MPI_Type_size(*type, &size);
    const int n = *count * (size / static_cast<int>(sizeof(int)));
    for (int i = 0; i < n; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

/// Takes the place of a freed operator, and spoils the result if a library has kept only the
/// handle.
inline void spoil_ints(void*, void* inout, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) static_cast<int*>(inout)[i] = -99;
}

/// The value at one place of one rank's data in one operation.
inline int value_of(int operation, int rank, int place) {
    auto hash = static_cast<std::uint32_t>(operation) * 2654435761u +
                40503u * static_cast<std::uint32_t>(rank) + static_cast<std::uint32_t>(place) * 97u;
    hash ^= hash >> 13;
    return static_cast<int>(hash % 100003u);
}

/// Random operations, the same on all ranks, many of them in progress at a time. Every handle is
/// freed, and another one made in its place, as soon as MPI allows it.
class RandomOperations {
public:
    /// @param most  operations in progress at a time
    /// @param open  whether a blocking call was made before on most of the communicators
    RandomOperations(MPI_Comm comm, std::mt19937 random, std::size_t most, bool open)
        : comm_(comm), random_(random), most_(most), rank_(rank_in(comm)), ranks_(size_of(comm)) {
        const int dims[] = {ranks_}, periods[] = {1};
        MPI_Cart_create(comm, 1, dims, periods, 0, &ring_);
        MPI_Comm_dup(comm, &other_);
        if (!open) return;
        for (const auto one : {comm_, other_, ring_}) Carpool_Barrier(one);
    }
    RandomOperations(const RandomOperations&) = delete;
    RandomOperations& operator=(const RandomOperations&) = delete;
    ~RandomOperations() {
        for (auto& one : decoys_) MPI_Op_free(&one);
        MPI_Comm_free(&ring_);
        MPI_Comm_free(&other_);
    }

    void run(int count) {
        for (int i = 0; i < count; ++i) {
            begin();
            if (requests_.size() >= most_) end_all();
        }
        end_all();
    }

    int faults() const { return faults_; }

private:
    /// The buffers of one operation until it completes.
    struct Buffers {
        std::vector<int> sent, received, expected;
    };

    int draw(int choices) { return static_cast<int>(random_() % static_cast<unsigned>(choices)); }

    /// A derived type of so many ints, or MPI_INT for one.
    MPI_Datatype type_of(int ints) {
        MPI_Datatype type = MPI_INT;
        if (ints == 1) return type;
        MPI_Type_contiguous(ints, MPI_INT, &type);
        MPI_Type_commit(&type);
        return type;
    }

    /// Frees a type, and makes another one that may have the same handle.
    void drop_type(MPI_Datatype type) {
        if (type == MPI_INT) return;
        MPI_Type_free(&type);
        MPI_Datatype decoy;
        MPI_Type_contiguous(1 + draw(40), MPI_CHAR, &decoy);
        MPI_Type_commit(&decoy);
        MPI_Type_free(&decoy);
    }

    void drop_op(MPI_Op op) {
        if (op == MPI_SUM) return;
        MPI_Op_free(&op);
        MPI_Op decoy;
        MPI_Op_create(spoil_ints, 1, &decoy);
        decoys_.push_back(decoy);
        if (decoys_.size() < 4) return;
        for (auto& one : decoys_) MPI_Op_free(&one);
        decoys_.clear();
    }

    MPI_Op an_op(bool users) {
        MPI_Op op = MPI_SUM;
        if (users) MPI_Op_create(add_ints, 1, &op);
        return op;
    }

    void fill(std::vector<int>& block, int source, int first = 0) const {
        for (std::size_t i = 0; i < block.size(); ++i)
            block[i] = value_of(number_, source, first + static_cast<int>(i));
    }

    void expect(std::vector<int>& into, int source, int first, int ints) const {
        for (int i = 0; i < ints; ++i) into.push_back(value_of(number_, source, first + i));
    }

    void expect_sum(std::vector<int>& into, const std::vector<int>& sources, int ints) const {
        for (int i = 0; i < ints; ++i) {
            int sum = 0;
            for (const int source : sources) sum += value_of(number_, source, i);
            into.push_back(sum);
        }
    }

    void begin() {
        ++number_;
        // few different sizes, so that some calls are like earlier ones
        const int ints = 1 + draw(3) + (draw(20) == 0 ? draw(700) : 0);
        const int of_type = draw(2) == 0 ? 1 : ints;
        const bool fresh = draw(40) == 0;
        MPI_Comm comm = draw(2) == 0 ? comm_ : other_;
        MPI_Comm ring = ring_;
        if (fresh) {
            MPI_Comm_dup(comm, &comm);
            MPI_Comm_dup(ring_, &ring);
        }
        begin(draw(9), ints, of_type, comm, ring);
        if (fresh) {
            MPI_Comm_free(&comm);
            MPI_Comm_free(&ring);
        }
    }

    void begin(int what, int ints, int of_type, MPI_Comm comm, MPI_Comm ring) {
        auto kept = std::make_unique<Buffers>();
        auto& [sent, received, expected] = *kept;
        const auto n = static_cast<std::size_t>(ints), p = static_cast<std::size_t>(ranks_);
        const int root = draw(ranks_), count = ints / of_type;
        const bool users = draw(2) == 0;
        const int left = (rank_ + ranks_ - 1) % ranks_, right = (rank_ + 1) % ranks_;
        const auto type = type_of(of_type);
        const bool sums = what == 1 || what == 2 || what == 7 || what == 8;
        const auto op = sums ? an_op(users || of_type > 1) : MPI_SUM;
        MPI_Request request = MPI_REQUEST_NULL;
        std::vector<int> all;
        for (int r = 0; r < ranks_; ++r) all.push_back(r);
        sent.resize(n);
        fill(sent, rank_);
        received.assign(n, -1);
        switch (what) {
            case 0:
                if (rank_ == root) fill(received, root);
                expect(expected, root, 0, ints);
                Carpool_Ibcast(received.data(), count, type, root, comm, &request);
                break;
            case 1:
                expect_sum(expected, all, ints);
                Carpool_Iallreduce(sent.data(), received.data(), count, type, op, comm, &request);
                break;
            case 2:
                if (rank_ == root) expect_sum(expected, all, ints);
                Carpool_Ireduce(sent.data(), received.data(), count, type, op, root, comm,
                                &request);
                break;
            case 3:
                received.assign(n * p, -1);
                for (const int r : all) expect(expected, r, 0, ints);
                Carpool_Iallgather(sent.data(), count, type, received.data(), count, type, comm,
                                   &request);
                break;
            case 4:
                sent.resize(n * p);
                fill(sent, rank_);
                received.assign(n * p, -1);
                for (const int r : all) expect(expected, r, rank_ * ints, ints);
                Carpool_Ialltoall(sent.data(), count, type, received.data(), count, type, comm,
                                  &request);
                break;
            case 5:
                received.assign(rank_ == root ? n * p : 0, -1);
                for (const int r : all)
                    if (rank_ == root) expect(expected, r, 0, ints);
                Carpool_Igather(sent.data(), count, type, received.data(), count, type, root, comm,
                                &request);
                break;
            case 6:
                sent.resize(2 * n);
                fill(sent, rank_);
                received.assign(2 * n, -1);
                expect(expected, left, ints, ints);
                expect(expected, right, 0, ints);
                Carpool_Ineighbor_alltoall(sent.data(), count, type, received.data(), count, type,
                                           ring, &request);
                break;
            case 7:
                expect_sum(expected, {left, right}, ints);
                Carpool_Ineighbor_reduce(sent.data(), received.data(), count, type, op, ring,
                                         &request);
                break;
            default:
                expect_sum(expected, all, ints);
                persistent(sent, received, count, type, op);
        }
        drop_type(type);
        drop_op(op);
        if (what == 8) return end_persistent(*kept);
        requests_.push_back(request);
        buffers_.push_back(std::move(kept));
    }

    /// Makes a request, which is started twice after its operator and type were freed.
    void persistent(std::vector<int>& sent, std::vector<int>& received, int count,
                    MPI_Datatype type, MPI_Op op) {
        const auto init = draw(2) == 0 ? Carpool_Allreduce_init : Carpool_Iallreduce_init;
        MPI_Info info;
        MPI_Info_create(&info);
        init(sent.data(), received.data(), count, type, op, comm_, info, &persistent_);
        MPI_Info_free(&info);
    }

    void end_persistent(Buffers& buffers) {
        for (int start = 0; start < 2; ++start) {
            std::ranges::fill(buffers.received, -1);
            Carpool_Start(&persistent_);
            Carpool_Wait(&persistent_, MPI_STATUS_IGNORE);
            check(buffers);
        }
        Carpool_Request_free(&persistent_);
    }

    /// Completes all operations, in random order or together.
    void end_all() {
        const int n = static_cast<int>(requests_.size());
        if (draw(2) == 0) {
            MPI_Waitall(n, requests_.data(), MPI_STATUSES_IGNORE);
        } else {
            std::ranges::shuffle(requests_, random_);
            for (auto& request : requests_) MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        for (const auto& buffers : buffers_) check(*buffers);
        requests_.clear();
        buffers_.clear();
    }

    void check(const Buffers& buffers) {
        if (!buffers.expected.empty() && buffers.received != buffers.expected) ++faults_;
    }

    MPI_Comm comm_, ring_ = MPI_COMM_NULL, other_ = MPI_COMM_NULL;
    std::mt19937 random_;
    std::size_t most_;
    int rank_, ranks_;
    int number_ = 0;
    int faults_ = 0;
    std::vector<MPI_Op> decoys_;
    std::vector<MPI_Request> requests_;
    std::vector<std::unique_ptr<Buffers>> buffers_;
    Carpool_Request persistent_ = CARPOOL_REQUEST_NULL;
};

}  // namespace carpool::tests
