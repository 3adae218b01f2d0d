#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace carpool::base {

/// A JSON value: read, changed, written.
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

    /// The member of an object, made now if there is none. What is no object becomes one.
    Json& member(std::string_view name);

    /// A new last element of an array. What is no array becomes one.
    Json& append();

    /// The elements, to be changed; nothing of what is no array.
    std::span<Json> items();

    Json& operator=(std::string text);
    Json& operator=(double number);

    /// On lines of its own for each value that holds others, with an end of line.
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
