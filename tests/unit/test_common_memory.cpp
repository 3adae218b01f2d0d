// SPDX-License-Identifier: MIT
// Memory that several processes write to. In this test one process writes through two mappings.

#include "shared/common_memory.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <cstddef>

BOOST_AUTO_TEST_SUITE(test_common_memory)

using carpool::shared::CommonMemory;

BOOST_AUTO_TEST_CASE(memory_of_one_process_is_opened_by_others_until_it_is_closed) {
    constexpr std::size_t bytes = 2048;
    const auto made = CommonMemory::create(bytes);
    BOOST_TEST_REQUIRE((made != nullptr));
    const int descriptor = made->descriptor();
    const auto opened = CommonMemory::open(getpid(), descriptor, bytes);
    BOOST_TEST_REQUIRE((opened != nullptr));
    BOOST_TEST((CommonMemory::open(getpid(), descriptor, bytes + 1) == nullptr));
    opened->start()[7] = std::byte{42};
    BOOST_TEST((made->start()[7] == std::byte{42}));
    made->close();
    BOOST_TEST((CommonMemory::open(getpid(), descriptor, bytes) == nullptr));
    BOOST_TEST((opened->start()[7] == std::byte{42}));
}

BOOST_AUTO_TEST_SUITE_END()
