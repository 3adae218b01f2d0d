// SPDX-License-Identifier: MIT
#include "base/json.hpp"

#include <charconv>

namespace carpool::base {

class JsonWriter {
public:
    void write(const Json& json) {
        std::visit([this](const auto& value) { put(value); }, json.value_);
    }

    std::string take() { return std::move(text_); }

private:
    void put(std::nullptr_t) { text_ += "null"; }
    void put(bool value) { text_ += value ? "true" : "false"; }

    /// Writes the shortest text that is read back as the same number.
    void put(double value) {
        char digits[32];
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        text_.append(digits, end);
    }

    void put(const std::string& value) {
        constexpr std::string_view hex = "0123456789abcdef";
        text_ += '"';
        for (const char letter : value) {
            const auto code = static_cast<unsigned char>(letter);
            if (letter == '"' || letter == '\\') text_ += '\\';
            if (code < ' ')
                (text_ += "\\u00") += {hex[code / 16], hex[code % 16]};
            else
                text_ += letter;
        }
        text_ += '"';
    }

    void put(const Json::Array& values) {
        list('[', values, ']', [this](const Json& one) { write(one); });
    }

    void put(const Json::Object& members) {
        list('{', members, '}', [this](const auto& member) {
            put(member.first);
            text_ += ": ";
            write(member.second);
        });
    }

    template <typename Values, typename WriteOne>
    void list(char opening, const Values& values, char closing, WriteOne write_one) {
        text_ += opening;
        ++depth_;
        for (std::size_t i = 0; i < values.size(); ++i) {
            text_ += i > 0 ? ",\n" : "\n";
            text_.append(depth_, ' ');
            write_one(values[i]);
        }
        --depth_;
        if (!values.empty()) (text_ += '\n').append(depth_, ' ');
        text_ += closing;
    }

    std::string text_;
    std::size_t depth_ = 0;
};

std::string Json::text() const {
    JsonWriter writer;
    writer.write(*this);
    return writer.take() + '\n';
}

}  // namespace carpool::base
