// SPDX-License-Identifier: MIT
// The file of a graph's edges that comes with a question: a line about the graph, such as
// {"ranks": 3, "edges": 2, "values": true, "classes": 1, "takers": 2}, and the bytes of the file.

#include "dispatch.hpp"
#include "fuzz.hpp"
#include "refused.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <boost/json.hpp>

#include <cstdio>
#include <stdexcept>
#include <string_view>

namespace json = boost::json;

namespace {

/// A file without a name.
class File {
public:
    explicit File(std::string_view content) : descriptor_(memfd_create("edges", 0)) {
        if (write(descriptor_, content.data(), content.size()) != std::ssize(content))
            std::perror("edges");
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { close(descriptor_); }

    std::string name() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
    int descriptor_;
};

bool is_small(const json::object& graph) {
    constexpr int most_ranks = 24;
    const auto* const ranks = graph.if_contains("ranks");
    return ranks == nullptr || !ranks->is_int64() || ranks->get_int64() <= most_ranks;
}

json::object asked_of(json::object graph, const char* command) {
    return {{"command", command},
            {"graph", std::move(graph)},
            {"alpha", 1e-6},
            {"beta", 1e-9},
            {"sigma", 0},
            {"ports", 1},
            {"rank", nullptr},
            {"algorithm", "auto"},
            {"theta", 2},
            {"digits", "2"},
            {"rearrange", "auto"},
            {"block_bytes", {8}},
            {"operation", "alltoall"},
            {"per_node", {2}},
            {"reorder", false},
            {"within", {{"alpha", 1e-7}, {"beta", 1e-10}, {"sigma", 0}, {"ports", 1}}}};
}

}  // namespace

void fuzz::read(const std::string& input) {
    refuse_or<std::exception>([&] {
        const auto end = input.find('\n');
        if (end == input.npos) return;
        auto graph = json::parse(input.substr(0, end)).as_object();
        if (!is_small(graph)) return;
        const File file(std::string_view(input).substr(end + 1));
        graph["file"] = file.name();
        cli::answer(asked_of(graph, "plan"));
        cli::answer(asked_of(graph, "verify"));
    });
}
