#include "collectives/parts.hpp"

namespace carpool::collectives {

std::vector<Parts> one_by_one(const Parts& parts) {
    std::vector<Parts> lists;
    for (const auto& part : parts) lists.push_back({part});
    return lists;
}

void append(Parts& to, const Parts& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace carpool::collectives
