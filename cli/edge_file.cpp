// SPDX-License-Identifier: MIT
#include "edge_file.hpp"

#include "fields.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <limits>
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

    /// Takes memory for what is there, whatever the question says is there.
    std::vector<int> next(std::int64_t count) {
        constexpr std::int64_t most_at_once = 1 << 20;
        std::vector<int> numbers;
        for (auto left = count; left > 0;) {
            const auto some = static_cast<std::size_t>(std::min(left, most_at_once));
            const auto begin = numbers.size();
            numbers.resize(begin + some);
            if (std::fread(&numbers[begin], sizeof(int), some, file_.get()) != some)
                throw std::invalid_argument(name_ + ": ends too soon");
            left -= static_cast<std::int64_t>(some);
        }
        return numbers;
    }

private:
    std::string name_;
    std::unique_ptr<std::FILE, Closing> file_;
};

std::int64_t length(const json::object& o, const char* key) {
    return integer(key, o.at(key), "", 0, most_numbers);
}

void check_all(const char* what, const std::vector<int>& numbers, std::int64_t end) {
    for (const int number : numbers)
        if (number < 0 || number >= end)
            throw std::invalid_argument(std::string(what) + " " + std::to_string(number) +
                                        ", expected from 0 to " + std::to_string(end - 1));
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
    constexpr auto most = std::int64_t{std::numeric_limits<int>::max()} + 1;
    check_all("an edge with values", values, most);
    check_all("a class of values", values_of_class, most);
    check_all("a taker of class", taken_class, std::ssize(values_of_class));
    check_all("a taker along edge", taken_along, edges);
}

}  // namespace cli
