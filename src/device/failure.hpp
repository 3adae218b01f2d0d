// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace carpool::device {

/// A GPU's driver has refused something; the text names the function and its result.
class Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace carpool::device
