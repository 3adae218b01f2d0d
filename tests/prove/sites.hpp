// SPDX-License-Identifier: MIT
#pragma once

#include "memory_model.hpp"

#include <string>

namespace carpool::model {

/// "src/shared/endpoint.cpp:62": the innermost line of Carpool's at a site.
std::string text_of(Site site);

/// The code of a line that text_of() has named, without its indentation.
std::string code_at(const std::string& line);

}  // namespace carpool::model
