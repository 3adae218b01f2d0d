#include "call/records.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace carpool::call {
namespace {

constexpr double shortest = 1e-8;
constexpr double width = 1.2;

}  // namespace

void Times::add(double seconds) {
    const double at = std::log(std::max(seconds, shortest) / shortest) / std::log(width);
    ++in_class_[static_cast<std::size_t>(std::min<double>(at, classes - 1))];
    ++count_;
    sum_ += seconds;
}

double Times::median() const {
    std::int64_t below = 0;
    for (int i = 0; i < classes; ++i) {
        below += in_class_[static_cast<std::size_t>(i)];
        if (below > 0 && 2 * below >= count_) return shortest * std::pow(width, i + 0.5);
    }
    return 0;
}

}  // namespace carpool::call
