#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace carpool::base {

/// A JSON value, as it was read.
class Json {
public:
    /// Throws std::invalid_argument, with the line, for what is no JSON or is nested too deeply.
    static Json read(std::string_view text);

    /// The member of an object; null where it has none of that name, or is no object.
    const Json* find(std::string_view name) const;

    bool is_object() const { return std::holds_alternative<Object>(value_); }

    /// The elements of an array; null where it is none.
    const std::vector<Json>* elements() const { return std::get_if<Array>(&value_); }

    const std::string* string() const { return std::get_if<std::string>(&value_); }
    const double* number() const { return std::get_if<double>(&value_); }

private:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;
    using Value = std::variant<std::nullptr_t, bool, double, std::string, Array, Object>;
    friend class JsonReader;

    Value value_ = nullptr;
};

}  // namespace carpool::base
