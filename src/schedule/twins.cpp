#include "schedule/twins.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace carpool::schedule {
namespace {

bool is_before(const Part& a, const Part& b) {
    return std::tie(a.slot.kind, a.slot.position, a.bytes) <
           std::tie(b.slot.kind, b.slot.position, b.bytes);
}

/// An order in which only twins are equal: lengths ahead of the parts are part of a message.
struct Before {
    bool operator()(const Message* a, const Message* b) const {
        if (a->waybill != b->waybill) return b->waybill;
        return std::lexicographical_compare(a->parts.begin(), a->parts.end(), b->parts.begin(),
                                            b->parts.end(), is_before);
    }
};

}  // namespace

std::vector<int> first_twins(const Schedule& schedule) {
    std::vector<int> twins;
    std::map<const Message*, int, Before> firsts;
    for (const auto& round : schedule.rounds) {
        if (round.send.parts.empty()) continue;
        const auto number = static_cast<int>(twins.size());
        twins.push_back(firsts.try_emplace(&round.send, number).first->second);
    }
    return twins;
}

}  // namespace carpool::schedule
