// SPDX-License-Identifier: MIT
#include "schedule/operation.hpp"

#include <array>

namespace carpool::schedule {
namespace {

constexpr std::array all{Operation::alltoall, Operation::allgather, Operation::reduce,
                         Operation::reduce_scatter_block};

}  // namespace

std::span<const Operation> operations() { return all; }

bool reduces(Operation operation) {
    return operation == Operation::reduce || operation == Operation::reduce_scatter_block;
}

bool sends_one_block(Operation operation) {
    return operation == Operation::allgather || operation == Operation::reduce;
}

routing::Pattern pattern_of(Operation operation) {
    return operation == Operation::alltoall ? routing::Pattern::alltoall
                                            : routing::Pattern::allgather;
}

std::string_view name_of(Operation operation) {
    switch (operation) {
        case Operation::alltoall:
            return "alltoall";
        case Operation::allgather:
            return "allgather";
        case Operation::reduce:
            return "reduce";
        case Operation::reduce_scatter_block:
            return "reduce_scatter_block";
    }
    return "?";
}

std::optional<Operation> find_operation(std::string_view name) {
    for (const auto operation : all)
        if (name_of(operation) == name) return operation;
    return std::nullopt;
}

}  // namespace carpool::schedule
