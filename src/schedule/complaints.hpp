// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/text.hpp"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace carpool::schedule {

/// Where a complaint belongs: "rank 2", "rank 2, round 1", "rank 2, copy 0" and so on.
struct Where {
    enum class Part { whole, round, copy, sum, await };
    int rank;
    Part part = Part::whole;
    std::size_t number = 0;
};

inline Where at_round(int rank, std::size_t round) { return {rank, Where::Part::round, round}; }
inline Where at_copy(int rank, std::size_t copy) { return {rank, Where::Part::copy, copy}; }
inline Where at_sum(int rank, std::size_t sum) { return {rank, Where::Part::sum, sum}; }
inline Where at_await(int rank, std::size_t await) { return {rank, Where::Part::await, await}; }

inline std::ostream& operator<<(std::ostream& out, const Where& where) {
    out << "rank " << where.rank;
    if (where.part == Where::Part::whole) return out;
    constexpr const char* names[] = {"", ", round ", ", copy ", ", sum ", ", await "};
    return out << names[static_cast<std::size_t>(where.part)] << where.number;
}

inline std::ostream& operator<<(std::ostream& out, const Slot& slot) {
    return out << to_text(slot);
}

/// Sentences about what is wrong with schedules, in the order found.
class Complaints {
public:
    template <typename... Words>
    void add(const Where& where, const Words&... words) {
        std::ostringstream sentence;
        sentence << where << ": ";
        (sentence << ... << words);
        sentences_.push_back(sentence.str());
    }

    bool none() const { return sentences_.empty(); }
    std::vector<std::string> take() && { return std::move(sentences_); }

private:
    std::vector<std::string> sentences_;
};

}  // namespace carpool::schedule
