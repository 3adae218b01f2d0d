// SPDX-License-Identifier: MIT
#include "ways.hpp"

#include "assumption.hpp"
#include "comm.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace tune {
namespace {

constexpr int shortest_whole = 1 << 11;
constexpr int longest_whole = 1 << 21;
constexpr int longest_put_together = 1 << 22;

// A datatype of the pieces in each part of a message, with gaps of the same size between them.
class Type {
public:
    Type(int pieces, int bytes) {
        MPI_Datatype pattern = MPI_DATATYPE_NULL;
        MPI_Type_vector(pieces, bytes, 2 * bytes, MPI_BYTE, &pattern);
        MPI_Type_create_resized(pattern, 0, MPI_Aint{2} * bytes * pieces, &type_);
        MPI_Type_commit(&type_);
        MPI_Type_free(&pattern);
    }
    Type(const Type&) = delete;
    Type& operator=(const Type&) = delete;
    ~Type() { MPI_Type_free(&type_); }
    MPI_Datatype get() const { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// Memory that all exchanges share, only one of which is active at a time: what is compared has the
/// same memory.
std::vector<char>& memory(int which) {
    static std::vector<char> both[2] = {std::vector<char>(2 * longest_put_together),
                                        std::vector<char>(2 * longest_put_together)};
    return both[which];
}

/// A ring on which the next rank is each of so many neighbors of a rank; Carpool has not seen the
/// communicator before.
MPI_Comm ring_of(MPI_Comm comm, int neighbors) {
    MPI_Comm fresh = MPI_COMM_NULL;
    MPI_Comm ring = MPI_COMM_NULL;
    const int dims = size_of(comm);
    const int periods = 1;
    std::vector<int> offsets(static_cast<std::size_t>(neighbors));
    for (int i = 0; i < neighbors; ++i) offsets[static_cast<std::size_t>(i)] = 1 + i * dims;
    MPI_Comm_dup(comm, &fresh);
    check(Carpool_Cart_neighborhood_create(fresh, 1, &dims, &periods, neighbors, offsets.data(),
                                           MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring),
          "Carpool_Cart_neighborhood_create");
    MPI_Comm_free(&fresh);
    return ring;
}

const char* transfer_of(const std::string& way) {
    if (way == "packed") return "pack";
    return way == "typed" ? "types" : "auto";
}

}  // namespace

/// All ways but "memory" send a message as one beyond the cut-offs: by the host MPI, after an
/// envelope in memory has announced it.
Way::Way(const Level& level, std::string name, const Message& message)
    : Exchange(level), name_(std::move(name)), message_(message) {
    const bool through_memory = name_ == "memory";
    std::optional<Assumption> nothing_through_memory;
    if (!through_memory)
        nothing_through_memory.emplace(
            level.comm,
            R"("cut_offs": {"whole_through_memory": 0, "put_together_through_memory": 0})");
    auto ring = ring_of(level.comm, message.parts);
    Info info(through_memory ? "shared" : "auto", "direct");
    info.say("carpool_transfer", transfer_of(name_));
    const Type type(message.pieces / message.parts, message.bytes / message.pieces);
    check(Carpool_Neighbor_alltoall_init(memory(0).data(), 1, type.get(), memory(1).data(), 1,
                                         type.get(), ring, info.get(), &request_),
          "Carpool_Neighbor_alltoall_init");
    MPI_Comm_free(&ring);
}

namespace {

std::vector<Message> whole_messages() {
    std::vector<Message> messages;
    for (int bytes = shortest_whole; bytes <= longest_whole; bytes *= 2)
        messages.push_back({1, 1, bytes});
    return messages;
}

std::vector<Message> messages_put_together() {
    constexpr int pieces = 16;
    std::vector<Message> messages;
    for (const int parts : {1, 4, pieces})
        for (int bytes = pieces * 64; bytes <= longest_put_together; bytes *= 4)
            messages.push_back({parts, pieces, bytes});
    return messages;
}

}  // namespace

std::vector<std::unique_ptr<Way>> ways_of(const std::vector<Level>& levels) {
    const auto& level = levels.front();  // on a node, if there is one
    const bool on_node = level.name == "by_mpi";
    std::vector<std::unique_ptr<Way>> ways;
    const auto add = [&](const char* name, const Message& message) {
        const bool here = level.comm != MPI_COMM_NULL;
        ways.push_back(here ? std::make_unique<Way>(level, name, message) : nullptr);
    };
    if (on_node)
        for (const auto& message : whole_messages())
            for (const char* name : {"memory", "whole"}) add(name, message);
    for (const auto& message : messages_put_together()) {
        if (on_node) add("memory", message);
        for (const char* name : {"packed", "typed"}) add(name, message);
    }
    return ways;
}

}  // namespace tune
