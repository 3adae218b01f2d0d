// SPDX-License-Identifier: MIT
#include "other_families.hpp"

#include <array>

namespace families {
namespace {

constexpr std::array all_other_families{
    Family{"halos", verify_halos},
    Family{"ghosts", verify_ghosts},
    Family{"unsized", verify_unsized},
    Family{"bundles", verify_bundles},
};

}  // namespace

std::span<const Family> other_families() { return all_other_families; }

}  // namespace families
