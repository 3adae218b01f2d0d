// SPDX-License-Identifier: MIT
#include "edge_file.hpp"

#include "fields.hpp"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>

namespace cli {
namespace {

namespace json = boost::json;

constexpr std::int64_t most_numbers = std::int64_t{1} << 31;

struct Closing {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Reads one array after the other.
class Numbers {
public:
    explicit Numbers(const std::string& name) : name_(name), file_(std::fopen(name.c_str(), "rb")) {
        if (!file_) throw std::invalid_argument(name + ": cannot be read");
    }

    std::vector<int> next(std::int64_t count) {
        std::vector<int> numbers(static_cast<std::size_t>(count));
        if (std::fread(numbers.data(), sizeof(int), numbers.size(), file_.get()) != numbers.size())
            throw std::invalid_argument(name_ + ": ends too soon");
        return numbers;
    }

private:
    std::string name_;
    std::unique_ptr<std::FILE, Closing> file_;
};

std::int64_t length(const json::object& o, const char* key) {
    return integer(key, o.at(key), "", 0, most_numbers);
}

}  // namespace

EdgeFile::EdgeFile(const json::object& o) {
    const auto edges = length(o, "edges");
    const auto takers = length(o, "takers");
    Numbers numbers(text(o, "file"));
    from = numbers.next(edges);
    to = numbers.next(edges);
    values = numbers.next(o.at("values").as_bool() ? edges : 0);
    values_of_class = numbers.next(length(o, "classes"));
    taken_class = numbers.next(takers);
    taken_along = numbers.next(takers);
}

}  // namespace cli
