// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace carpool::base {

/// A JSON value that can be read, changed and written.
class Json {
public:
    /// Throws std::invalid_argument, which names the line, if the text is not JSON or is nested too
    /// deeply.
    static Json read(std::string_view text);

    /// The member of an object; null if it has none of that name, or this is not an object.
    const Json* find(std::string_view name) const;

    bool is_object() const { return std::holds_alternative<Object>(value_); }

    /// The elements of an array; null if this is not an array.
    const std::vector<Json>* elements() const { return std::get_if<Array>(&value_); }

    const std::string* string() const { return std::get_if<std::string>(&value_); }
    const double* number() const { return std::get_if<double>(&value_); }

    /// The member of an object, which is added if there is none. A value that is not an object
    /// becomes one.
    Json& member(std::string_view name);

    /// Appends an element to an array and returns it. A value that is not an array becomes one.
    Json& append();

    /// The elements, to be changed; empty if this is not an array.
    std::span<Json> items();

    Json& operator=(std::string text);
    Json& operator=(double number);

    /// The JSON text, with each member and element on a line of its own and a line break at the
    /// end.
    std::string text() const;

private:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;
    using Value = std::variant<std::nullptr_t, bool, double, std::string, Array, Object>;
    friend class JsonReader;
    friend class JsonWriter;

    Value value_ = nullptr;
};

}  // namespace carpool::base
