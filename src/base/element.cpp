#include "base/element.hpp"

namespace carpool::base {

std::string element(const std::string& name, std::int64_t i) {
    const auto index = std::to_string(callers_index(i));
    return called_from_fortran ? name + '(' + index + ')' : name + '[' + index + ']';
}

}  // namespace carpool::base
