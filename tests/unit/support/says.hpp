// SPDX-License-Identifier: MIT
#pragma once

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

/// For BOOST_CHECK_EXCEPTION: does the error's text contain these words?
inline auto says(const std::string& words) {
    return [words](const std::invalid_argument& error) {
        BOOST_TEST_MESSAGE(error.what());
        return std::string(error.what()).find(words) != std::string::npos;
    };
}
