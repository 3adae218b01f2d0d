// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/cxx/owned.hpp>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>

namespace carpool {

/// Info keys and their values, such as {{"carpool_algorithm", "cartesian"}}. carpool.h lists the
/// keys.
class Settings {
public:
    Settings() = default;
    Settings(std::initializer_list<std::pair<const std::string, std::string>> values)
        : values_(values) {}

    /// The value of a key, which may be set.
    std::string& operator[](const std::string& key) { return values_[key]; }

    /// An MPI_Info with these keys and values; MPI_INFO_NULL if there are none.
    detail::Owned<detail::InfoKind> info() const {
        detail::Owned<detail::InfoKind> info;
        if (values_.empty()) return info;
        check(MPI_Info_create(info.address()), "MPI_Info_create");
        for (const auto& [key, value] : values_)
            check(MPI_Info_set(info.get(), key.c_str(), value.c_str()), "MPI_Info_set");
        return info;
    }

private:
    std::map<std::string, std::string> values_;
};

}  // namespace carpool
