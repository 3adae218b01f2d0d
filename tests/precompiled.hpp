// SPDX-License-Identifier: MIT
#pragma once
// What most tests include, and what takes most of their time to compile. Precompiled, once for the
// unit tests and once for the MPI tests; no test relies on it, each includes what it uses.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <ranges>
#include <set>
#include <string>
#include <vector>
