// SPDX-License-Identifier: MIT
#include "base/json.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>

namespace carpool::base {

/// Reads one text from front to back.
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
        at_ = next == std::string_view::npos ? text_.size() : next;
    }

    /// Skips the word if it comes next, or else returns false.
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

    /// Reads items that are separated by commas, after their opening bracket.
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

    /// Reads a string, after its opening quotation mark.
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
        const auto found = at_ < text_.size() ? escapes.find(text_[at_]) : std::string_view::npos;
        if (found != std::string_view::npos) {
            to += letters[found];
            ++at_;
        } else if (take("u")) {
            add_code_point(to);
        } else {
            refuse("an escape");
        }
    }

    /// Appends a code point in UTF-8. Halves of surrogate pairs are not joined: no name that is
    /// looked up contains any.
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

Json Json::read(std::string_view text) { return JsonReader(text).whole(); }

}  // namespace carpool::base
