#include "base/json.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>

namespace carpool::base {

/// Of one text, from front to back.
class JsonReader {
public:
    explicit JsonReader(std::string_view text) : text_(text) {}

    Json whole() {
        auto value = this->value(0);
        skip_space();
        if (at_ != text_.size()) refuse("nothing after the value");
        return value;
    }

private:
    static constexpr int deepest = 100;

    [[noreturn]] void refuse(const std::string& expected) const {
        const auto read = text_.substr(0, at_);
        const auto line = 1 + std::count(read.begin(), read.end(), '\n');
        throw std::invalid_argument("line " + std::to_string(line) + ": expected " + expected);
    }

    void skip_space() {
        const auto next = text_.find_first_not_of(" \t\r\n", at_);
        at_ = next == text_.npos ? text_.size() : next;
    }

    /// Takes it if it comes next.
    bool take(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    void demand(std::string_view word) {
        skip_space();
        if (!take(word)) refuse("'" + std::string(word) + "'");
    }

    Json value(int depth) {
        if (depth > deepest) refuse("values that are nested less deeply");
        skip_space();
        Json result;
        if (take("{"))
            result.value_ = members(depth);
        else if (take("["))
            result.value_ = elements(depth);
        else if (take("\""))
            result.value_ = string();
        else if (take("true"))
            result.value_ = true;
        else if (take("false"))
            result.value_ = false;
        else if (!take("null"))
            result.value_ = number();
        return result;
    }

    /// What is separated by commas, after its opening bracket.
    template <typename ReadOne>
    void list(std::string_view closing, ReadOne read_one) {
        skip_space();
        if (take(closing)) return;
        do {
            read_one();
            skip_space();
        } while (take(","));
        demand(closing);
    }

    Json::Object members(int depth) {
        Json::Object result;
        list("}", [&] {
            demand("\"");
            auto name = string();
            demand(":");
            result.emplace_back(std::move(name), value(depth + 1));
        });
        return result;
    }

    Json::Array elements(int depth) {
        Json::Array result;
        list("]", [&] { result.push_back(value(depth + 1)); });
        return result;
    }

    double number() {
        const auto digits =
            text_.substr(at_, text_.find_first_not_of("-+.eE0123456789", at_) - at_);
        double result = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), result);
        if (error != std::errc() || end != digits.data() + digits.size()) refuse("a value");
        at_ += digits.size();
        return result;
    }

    /// After its first quotation mark.
    std::string string() {
        std::string result;
        for (;;) {
            if (at_ == text_.size()) refuse("'\"'");
            const char letter = text_[at_++];
            if (letter == '"') return result;
            if (letter == '\\')
                add_escaped(result);
            else
                result += letter;
        }
    }

    void add_escaped(std::string& to) {
        constexpr std::string_view escapes = "\"\\/bfnrt";
        constexpr std::string_view letters = "\"\\/\b\f\n\r\t";
        const auto found = at_ < text_.size() ? escapes.find(text_[at_]) : escapes.npos;
        if (found != escapes.npos) {
            to += letters[found];
            ++at_;
        } else if (take("u")) {
            add_code_point(to);
        } else {
            refuse("an escape");
        }
    }

    /// In UTF-8. Halves of pairs stay what they are: names that are looked for have none.
    void add_code_point(std::string& to) {
        std::uint32_t code = 0;
        const auto* const first = text_.data() + at_;
        const auto* const last = first + std::min<std::size_t>(4, text_.size() - at_);
        if (std::from_chars(first, last, code, 16).ptr != first + 4) refuse("four hex digits");
        at_ += 4;
        if (code < 0x80) {
            to += static_cast<char>(code);
        } else if (code < 0x800) {
            to += static_cast<char>(0xc0 | code >> 6);
            to += static_cast<char>(0x80 | (code & 0x3f));
        } else {
            to += static_cast<char>(0xe0 | code >> 12);
            to += static_cast<char>(0x80 | (code >> 6 & 0x3f));
            to += static_cast<char>(0x80 | (code & 0x3f));
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

class JsonWriter {
public:
    void write(const Json& json) {
        std::visit([this](const auto& value) { put(value); }, json.value_);
    }

    std::string take() { return std::move(text_); }

private:
    void put(std::nullptr_t) { text_ += "null"; }
    void put(bool value) { text_ += value ? "true" : "false"; }

    /// As short as it may be to be read as the same again.
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

Json Json::read(std::string_view text) { return JsonReader(text).whole(); }

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

std::string Json::text() const {
    JsonWriter writer;
    writer.write(*this);
    return writer.take() + '\n';
}

}  // namespace carpool::base
