// SPDX-License-Identifier: MIT
#include "schedule/duplicate_messages.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace carpool::schedule {
namespace {

bool is_before(const Part& a, const Part& b) {
    return std::tie(a.slot.kind, a.slot.position, a.bytes) <
           std::tie(b.slot.kind, b.slot.position, b.bytes);
}

/// An order in which only duplicate messages are equal. A length header is part of a message.
struct MessageOrder {
    bool operator()(const Message* a, const Message* b) const {
        if (a->length_header != b->length_header) return b->length_header;
        return std::lexicographical_compare(a->parts.begin(), a->parts.end(), b->parts.begin(),
                                            b->parts.end(), is_before);
    }
};

}  // namespace

std::vector<int> first_of_duplicates(const Schedule& schedule) {
    std::vector<int> duplicate_messages;
    std::map<const Message*, int, MessageOrder> firsts;
    for (const auto& round : schedule.rounds) {
        if (round.send.parts.empty()) continue;
        const auto number = static_cast<int>(duplicate_messages.size());
        duplicate_messages.push_back(firsts.try_emplace(&round.send, number).first->second);
    }
    return duplicate_messages;
}

}  // namespace carpool::schedule
