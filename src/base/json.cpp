// SPDX-License-Identifier: MIT
#include "base/json.hpp"

#include <algorithm>

namespace carpool::base {

const Json* Json::find(std::string_view name) const {
    const auto* const members = std::get_if<Object>(&value_);
    if (members == nullptr) return nullptr;
    const auto found = std::find_if(members->begin(), members->end(),
                                    [name](const auto& member) { return member.first == name; });
    return found == members->end() ? nullptr : &found->second;
}

Json& Json::member(std::string_view name) {
    if (const auto* const found = find(name)) return const_cast<Json&>(*found);
    if (!is_object()) value_ = Object();
    return std::get<Object>(value_).emplace_back(name, Json()).second;
}

Json& Json::append() {
    if (elements() == nullptr) value_ = Array();
    return std::get<Array>(value_).emplace_back();
}

std::span<Json> Json::items() {
    auto* const array = std::get_if<Array>(&value_);
    return array != nullptr ? std::span<Json>(*array) : std::span<Json>();
}

Json& Json::operator=(std::string text) {
    value_ = std::move(text);
    return *this;
}

Json& Json::operator=(double number) {
    value_ = number;
    return *this;
}

}  // namespace carpool::base
