// SPDX-License-Identifier: MIT
// carpool-planner: answers one question about plans, given as JSON on standard input, with JSON on
// standard output. The command `carpool` calls it. If a question cannot be answered it prints
// {"error": "why"} and exits with code 2.

#include "dispatch.hpp"

#include <exception>
#include <iostream>
#include <iterator>
#include <new>
#include <string>

namespace {

namespace json = boost::json;

int refuse(const char* why) {
    std::cout << json::object{{"error", why}} << '\n';
    return 2;
}

}  // namespace

int main() {
    try {
        const std::string text(std::istreambuf_iterator<char>(std::cin), {});
        std::cout << cli::answer(json::parse(text).as_object()) << '\n';
        return 0;
    } catch (const std::bad_alloc&) {
        return refuse("not enough memory for that many neighbors or ranks");
    } catch (const std::exception& error) {
        return refuse(error.what());
    }
}
